// Listens on a port, with limits on what a client may do to us, and stops gently.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AgentError } from '@ai-agent/core';
import { getRequestListener } from '@hono/node-server';
import { toErrorResponse, toSafeFailure } from './failure-status.ts';

export interface ListenOptions {
  /** @default 127.0.0.1 */
  readonly host?: string;
  /** 0 for any that is free. @default 8080 */
  readonly port?: number;
}

export interface Listening {
  readonly url: string;
  readonly port: number;
  /** Takes no more connections, and settles when all are closed. */
  close(): Promise<void>;
}

type Fetch = (request: Request) => Response | Promise<Response>;

export async function listen(app: { readonly fetch: Fetch }, options: ListenOptions = {}): Promise<Listening> {
  const { host = '127.0.0.1', port = 8080 } = options;
  const listener = getRequestListener((request) => app.fetch(request), {
    overrideGlobalObjects: false,
    errorHandler: () => toErrorResponse(toSafeFailure(new AgentError('request-invalid', 'This is no request.'))),
  });
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing));
  await opened(server, host, port);
  const address = server.address() as AddressInfo;
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return { url: `http://${name}:${address.port}`, port: address.port, close: () => closed(server) };
}

function opened(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
}
