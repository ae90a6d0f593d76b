// A web server on this machine for one test, and what was asked of it.

import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HttpServer {
  readonly port: number;
  /** `127.0.0.1:port` */
  readonly host: string;
  /** `http://127.0.0.1:port` */
  readonly origin: string;
  readonly requests: readonly HttpRequest[];
  close(): Promise<void>;
}

export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type Answer = (request: HttpRequest, response: ServerResponse) => void;

/** @default says ok */
export async function serveHttp(answer: Answer = (_, response) => response.end('ok')): Promise<HttpServer> {
  const requests: HttpRequest[] = [];
  const listener: RequestListener = async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const { method = '', url: path = '', headers } = incoming;
    const request = { method, path, headers, body: Buffer.concat(chunks).toString() };
    requests.push(request);
    answer(request, response);
  };
  const server = createServer((incoming, response) => void listener(incoming, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    host: `127.0.0.1:${port}`,
    origin: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
