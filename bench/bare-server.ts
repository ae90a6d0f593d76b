// The floor of a server: a handler on node:http that knows its answer. It finds nobody, checks nothing, keeps nothing.

import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { nextLoop, piecesFor, type Serving } from './serving.ts';

export async function serveBare(): Promise<Serving> {
  const server = createServer((request, response) => {
    const name = new URL(request.url ?? '', 'http://localhost').searchParams.get('q') ?? '';
    if (request.headers.accept === 'text/event-stream') return void stream(name, response);
    const text = piecesFor(name).join('');
    const headers = { 'content-type': 'text/plain; charset=utf-8', 'content-length': Buffer.byteLength(text) };
    return void response.writeHead(200, headers).end(text);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function stream(name: string, response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
  for (const text of piecesFor(name)) {
    await nextLoop();
    response.write(`event: text\ndata: ${JSON.stringify({ text })}\n\n`);
  }
  response.end(`event: outcome\ndata: ${JSON.stringify({ status: 'completed', text: piecesFor(name).join('') })}\n\n`);
}
