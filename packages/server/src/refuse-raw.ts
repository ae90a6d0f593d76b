// What is said to a client whose bytes never became a request: the one shape of errors, written by hand.

import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { AgentError } from '@ai-agent/core';
import { type ErrorBody, retryAfterOf, statusOf, toSafeFailure } from './failure-status.ts';
import { replyOn } from './half-closed.ts';

/** Says it, unless a reply is under way or nobody listens, and closes. */
export function refuseRaw(socket: Duplex, error: AgentError): void {
  if (!socket.writable || replyOn(socket)?.headersSent) {
    socket.destroy();
    return;
  }
  const failure = toSafeFailure(error);
  const body: ErrorBody = { error: failure };
  const text = `${JSON.stringify(body)}\n`;
  const status = statusOf(failure);
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(text)),
    ...retryAfterOf(failure),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.on('error', () => {});
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`);
  // Whoever goes on sending would keep it open.
  setTimeout(() => socket.destroy(), lingerMs).unref();
}

/** For the refusal to arrive before the connection is gone. */
const lingerMs = 500;

export function toClientFailure(error: NodeJS.ErrnoException): AgentError {
  const [code, message, remedy] = failures[error.code ?? ''] ?? noRequest;
  return new AgentError(code, message, remedy === undefined ? {} : { remedy });
}

/** The address or the host of the request is none. */
export function toUnreadable(cause: unknown): AgentError {
  return new AgentError('request-invalid', 'The address of the request, or its header Host, cannot be read.', {
    cause,
  });
}

type Told = readonly [code: AgentError['code'], message: string, remedy?: string];

const noRequest: Told = ['request-invalid', 'This is no HTTP request.'];

const failures: Readonly<Record<string, Told>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['request-slow', 'The request did not arrive in time.'],
  HPE_HEADER_OVERFLOW: [
    'headers-too-large',
    'The address and the headers of the request are too large.',
    'Send fewer or shorter headers; a long question goes into the body of a POST.',
  ],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['request-too-large', 'The extensions of a chunk are too large.'],
};
