// Scripted providers on this machine, gone with the test; one also remembers which keys it was shown.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Script, type ScriptedServer, serveScript } from '@ai-agent/cli/testing';
import { onTestFinished } from 'vitest';

export async function served(script: Script, options: { readonly pieces?: number } = {}): Promise<ScriptedServer> {
  const server = await serveScript(script, options);
  onTestFinished(() => server.close());
  return server;
}

export interface Heard {
  readonly authorization: string;
  readonly body: string;
  readonly url: string;
}

export type Answer = (heard: Heard, response: ServerResponse) => unknown;

/** Any HTTP server; its address, and every request so far. */
export async function listening(answer: Answer): Promise<{ readonly url: string; readonly heard: readonly Heard[] }> {
  const heard: Heard[] = [];
  const server = createServer(async (request: IncomingMessage, response) => {
    const { authorization = '' } = request.headers;
    const one = { authorization, body: await text(request), url: request.url ?? '' };
    heard.push(one);
    await answer(one, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard };
}

/** A whole chat completion. */
export function completion(response: ServerResponse, content: string): void {
  const choice = { index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' };
  const usage = { prompt_tokens: 10, completion_tokens: 5 };
  const reply = { id: 'c', object: 'chat.completion', created: 1, model: 'm', choices: [choice], usage };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
}

/** The same as a stream, in exactly these pieces. */
export function streamed(response: ServerResponse, pieces: readonly string[]): void {
  const event = (choice: object) =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [choice] })}\n\n`;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const content of pieces) response.write(event({ index: 0, delta: { role: 'assistant', content } }));
  response.end(`${event({ index: 0, delta: {}, finish_reason: 'stop' })}data: [DONE]\n\n`);
}
