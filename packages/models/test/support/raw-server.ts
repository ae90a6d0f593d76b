// A server that does with each request exactly what the test says, down to the socket.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { onTestFinished } from 'vitest';

export interface RawServer {
  readonly baseUrl: string;
  readonly server: Server;
  /** Connections accepted so far. */
  readonly connections: number;
}

export type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** Closed when the test ends. */
export async function serve(handler: Handler, host = '127.0.0.1'): Promise<RawServer> {
  let connections = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    handler(request, response, Buffer.concat(chunks).toString());
  });
  server.on('connection', () => connections++);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    server,
    get connections() {
      return connections;
    },
  };
}

/** Answers the first bytes of every connection with these, and nothing more. The address of the server. */
export async function serveBytes(answer: string | Buffer): Promise<string> {
  const server = createTcpServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.write(answer));
    onTestFinished(() => void socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}
