// Listens on a port, with limits on what a client may do to us, and stops gently.

import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AgentError } from '@ai-agent/core';
import { getRequestListener } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { withAddress } from './address.ts';
import { Connections } from './connections.ts';
import { takeDirectReply } from './direct-reply.ts';
import { withoutBrackets } from './exposure.ts';
import { toErrorResponse, toSafeFailure } from './failure-status.ts';
import { watchHalfClosed } from './half-closed.ts';
import { refuseRaw, toClientFailure, toUnreadable } from './refuse-raw.ts';
import { sendResponse } from './send-response.ts';
import { watchUpgrades } from './watch-upgrades.ts';

export interface ListenOptions {
  /** @default 127.0.0.1 */
  readonly host?: string;
  /** 0 for any that is free. @default 8080 */
  readonly port?: number;
  /** For the headers of a request to arrive, from its connection or its first byte on. @default 10 seconds */
  readonly headersTimeoutMs?: number;
  /** For the whole request to arrive; the reply may take longer. @default 30 seconds */
  readonly requestTimeoutMs?: number;
  /** How long a connection is kept for a next request. @default 5 seconds */
  readonly keepAliveTimeoutMs?: number;
  /** How long a reader may take nothing of what waits for it; then its connection is cut. @default 30 seconds */
  readonly stallMs?: number;
  /** Of the head of a request. @default 16 KB */
  readonly maxHeaderBytes?: number;
  /** At once; more are closed as they come. @default 4096 */
  readonly maxConnections?: number;
  /** How often the time of requests is looked at. @default 1 second */
  readonly checkMs?: number;
  /** Told what nobody foresaw. @default nobody */
  readonly onBug?: (error: unknown) => void;
}

export interface Listening {
  readonly url: string;
  readonly port: number;
  /**
   * Answers one more request per connection, with `Connection: close`. Idle connections stay open until `close`: a request that
   * is already on its way would be lost.
   */
  drain(): void;
  /** Takes no more connections, and settles when all are closed; replies under way get this long. @default no bound */
  close(graceMs?: number): Promise<void>;
}

export const listenDefaults = {
  host: '127.0.0.1',
  port: 8080,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  keepAliveTimeoutMs: 5_000,
  stallMs: 30_000,
  maxHeaderBytes: 16 * 1024,
  maxConnections: 4_096,
  checkMs: 1_000,
} as const;

type Fetch = (request: Request) => Response | Promise<Response>;

/** Throws `listen-refused` when nobody can listen there. */
export async function listen(app: { readonly fetch: Fetch }, options: ListenOptions = {}): Promise<Listening> {
  const setting = { ...listenDefaults, onBug: () => {}, ...options };
  const { host, port, maxConnections } = setting;
  const state = { isDraining: false };
  const server = createServer(toServerOptions(setting), toListener(app, setting, state));
  server.maxConnections = maxConnections;
  const connections = new Connections(server);
  watchHalfClosed(server);
  server.on('clientError', (error, socket) => refuseRaw(socket, toClientFailure(error)));
  server.on('connect', (_request, socket) => {
    refuseRaw(socket, new AgentError('request-invalid', 'This server is no proxy.'));
  });
  watchUpgrades(server, {
    ...setting,
    fetch: (request) => replyOf(app, takeDirectReply(request), setting),
    onTaken: (socket) => connections.release(socket),
  });
  server.on('checkContinue', (incoming, outgoing) => {
    // Behind another reply it would be written between the head and the body of its own.
    if (outgoing.socket) outgoing.writeContinue();
    server.emit('request', incoming, outgoing);
  });
  server.on('checkExpectation', (_request, outgoing: ServerResponse) => {
    const wrong = new AgentError('request-invalid', 'The header Expect asks for something that is not known here.');
    void sendResponse(toErrorResponse(toSafeFailure(wrong)), outgoing, setting);
  });
  await opened(server, host, port);
  // A connection that the system could not give us.
  server.on('error', setting.onBug);
  const address = server.address() as AddressInfo;
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    url: `http://${name}:${address.port}`,
    port: address.port,
    drain() {
      state.isDraining = true;
    },
    close(graceMs) {
      state.isDraining = true;
      return closed(server, connections, graceMs);
    },
  };
}

type Setting = Required<ListenOptions>;

function toServerOptions({ checkMs, ...setting }: Setting): ServerOptions {
  const { headersTimeoutMs, requestTimeoutMs, keepAliveTimeoutMs, maxHeaderBytes } = setting;
  return {
    headersTimeout: Math.min(headersTimeoutMs, requestTimeoutMs),
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    connectionsCheckingInterval: checkMs,
    maxHeaderSize: maxHeaderBytes,
    // Said by us, in the shape of all errors.
    requireHostHeader: false,
    noDelay: true,
  };
}

function toListener(app: { readonly fetch: Fetch }, setting: Setting, state: { readonly isDraining: boolean }) {
  const listener = getRequestListener(
    async (request, { incoming, outgoing }) => {
      withAddress(request, incoming.socket.remoteAddress);
      const reply = await replyOf(app, takeDirectReply(request), setting);
      const sending = { stallMs: setting.stallMs, isLast: state.isDraining };
      await sendResponse(reply, outgoing as ServerResponse, sending);
      return RESPONSE_ALREADY_SENT;
    },
    {
      overrideGlobalObjects: false,
      errorHandler: (error) => toErrorResponse(toSafeFailure(toUnreadable(error))),
    },
  );
  return (incoming: IncomingMessage, outgoing: ServerResponse) => {
    // Older ones need not name the host; those who look whether we live speak so.
    if (incoming.httpVersion === '1.0') incoming.headers.host ??= 'localhost';
    void listener(incoming, outgoing);
  };
}

async function replyOf(app: { readonly fetch: Fetch }, request: Request, { onBug }: Setting): Promise<Response> {
  try {
    return await app.fetch(request);
  } catch (error) {
    onBug(error);
    return toErrorResponse(toSafeFailure(error));
  }
}

/** Connections that come at the same moment; the system has a bound of its own. */
const backlog = 4_096;

function opened(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => reject(toListenError(error, host, port));
    server.once('error', fail);
    try {
      server.listen({ port, host: withoutBrackets(host), backlog }, () => {
        server.off('error', fail);
        resolve();
      });
    } catch (error) {
      fail(error as NodeJS.ErrnoException);
    }
  });
}

const reasons: Readonly<Record<string, readonly [reason: string, remedy: string]>> = {
  EADDRINUSE: ['somebody listens there already', 'Choose another port; 0 takes any that is free.'],
  EACCES: ['this user may not listen there', 'Choose a port of 1024 or above.'],
  EADDRNOTAVAIL: ['this machine has no such address', 'Name an address of this machine, or 127.0.0.1.'],
  ENOTFOUND: ['nobody knows this host', 'Name an address of this machine, or 127.0.0.1.'],
  EAI_AGAIN: ['nobody knows this host', 'Name an address of this machine, or 127.0.0.1.'],
  ERR_SOCKET_BAD_PORT: ['this is no port', 'Choose a port from 0 to 65535.'],
};

function toListenError(error: NodeJS.ErrnoException, host: string, port: number): AgentError {
  const [reason, remedy] = reasons[error.code ?? ''] ?? [error.code ?? 'it is not known why', undefined];
  const message = `Nobody can listen on ${host}, port ${port}: ${reason}.`;
  return new AgentError('listen-refused', message, { ...(remedy === undefined ? {} : { remedy }), cause: error });
}

function closed(server: Server, connections: Connections, graceMs: number | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = graceMs === undefined ? undefined : setTimeout(() => connections.closeAll(), graceMs);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
