// A provider that tells when it is asked: it answers every request with one word.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Provider {
  readonly baseUrl: string;
  /** When the next request is there, on the clock of `performance.now()`. */
  nextRequest(): Promise<number>;
  close(): void;
}

export async function serveProvider(): Promise<Provider> {
  const server = createServer((request, response) => {
    server.emit('asked', performance.now());
    request.resume().once('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    nextRequest: async () => {
      const [at] = (await once(server, 'asked')) as [number];
      return at;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

const answer = JSON.stringify({
  id: 'answer',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
});
