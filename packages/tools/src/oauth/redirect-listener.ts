// The door that a browser comes back through after a login: on this machine alone, for one answer, and soon closed.

import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AgentError, type Clock, messageOf } from '@ai-agent/core';

export interface RedirectListener {
  /** Where the browser is sent back to. */
  readonly url: string;
  /** What has to come back with it. */
  readonly state: string;
  /** What came back. Rejects with an AgentError when nothing of this login comes in time, or when aborted. */
  readonly answer: Promise<URLSearchParams>;
  close(): Promise<void>;
}

export interface RedirectOptions {
  readonly serverName: string;
  /** 0 for any that is free. */
  readonly port: number;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

const path = '/callback';

export async function openRedirectListener(options: RedirectOptions): Promise<RedirectListener> {
  const { serverName, clock, timeoutMs, signal } = options;
  const state = randomBytes(32).toString('base64url');
  const answer = Promise.withResolvers<URLSearchParams>();
  // Nobody may be waiting yet when it is rejected.
  answer.promise.catch(() => {});
  let hasStray = false;
  const server = createServer((request, response) => {
    const parameters = readAnswer(request, server);
    if (!parameters) return showPage(response, 404, 'There is nothing here.');
    if (!isSame(parameters.get('state') ?? '', state)) {
      // Any page and any program of this machine can send one: it ends nothing.
      hasStray = true;
      return showPage(
        response,
        400,
        'This login is not the one that is waited for. Use the page that was opened last.',
      );
    }
    showPage(response, 200, 'You can close this window.');
    answer.resolve(parameters);
  });
  await listen(server, options);
  const abort = () => answer.reject(signal.reason);
  signal.addEventListener('abort', abort);
  if (signal.aborted) abort();
  const callOff = clock.after(timeoutMs, () =>
    answer.reject(hasStray ? foreignAnswer(serverName) : tooLate(serverName, timeoutMs)),
  );
  return {
    url: `http://127.0.0.1:${portOf(server)}${path}`,
    state,
    answer: answer.promise,
    async close() {
      callOff();
      signal.removeEventListener('abort', abort);
      await close(server);
    },
  };
}

/** The parameters of the one request that is waited for; a name that only leads to this machine is not enough. */
function readAnswer(request: IncomingMessage, server: Server): URLSearchParams | undefined {
  if (request.method !== 'GET' || request.headers.host !== `127.0.0.1:${portOf(server)}`) return undefined;
  const url = URL.parse(request.url ?? '', 'http://127.0.0.1');
  return url?.pathname === path ? url.searchParams : undefined;
}

function isSame(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function showPage(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'",
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    connection: 'close',
  });
  response.end(`<!doctype html><meta charset="utf-8"><title>ai-agent</title><p>${text}</p>\n`);
}

async function listen(server: Server, { serverName, port }: RedirectOptions): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', resolve);
    });
  } catch (error) {
    throw new AgentError(
      'tool-source-failed',
      `The login to ${serverName} cannot listen on port ${port}: ${messageOf(error)}`,
      {
        class: 'config',
        remedy: 'Give another oauth.redirectPort, or end the program that has this one.',
        cause: error,
      },
    );
  }
}

/** What was answered is sent to its end first. */
function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    setImmediate(() => server.closeIdleConnections());
    const last = setTimeout(() => server.closeAllConnections(), 500);
    server.once('close', () => clearTimeout(last));
  });
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo | null)?.port ?? 0;
}

function foreignAnswer(serverName: string): AgentError {
  return new AgentError('tool-source-failed', `The login to ${serverName} was answered by a page of another login.`, {
    class: 'auth',
    remedy: 'Start it again, and use only the page that it opens.',
  });
}

function tooLate(serverName: string, timeoutMs: number): AgentError {
  const message = `Nobody logged in to ${serverName} within ${Math.round(timeoutMs / 1000)} seconds.`;
  return new AgentError('tool-source-failed', message, {
    class: 'auth',
    remedy: 'Start it again, and log in on the page it opens.',
  });
}
