// The promise: who has set a wrong address reads which one was asked, and that baseUrl is to be checked; no key is in it.

import type { Message } from '@ai-agent/core';
import { describe, expect, test } from 'vitest';
import { contextOf, failureOf, requestOf, ways } from './support/calling.ts';
import { printedOf } from './support/printed.ts';
import { anthropic } from './support/wires/anthropic.ts';
import { chat } from './support/wires/chat.ts';
import { wires } from './support/wires/index.ts';
import { ollama } from './support/wires/ollama.ts';
import { openaiChat } from './support/wires/openai-chat.ts';
import { serveWire } from './support/wires/serve-wire.ts';

const page = '<!DOCTYPE html><html><head><title>Welcome</title></head><body>It works</body></html>';
const secret = 'query-secret-0123456789';

describe.each(wires.map((wire) => [wire.label, wire] as const))('%s', (_, wire) => {
  describe.each(ways)('asked %s', (way, context) => {
    const [path] = (way === 'whole' ? wire.paths.whole : wire.paths.streamed).split('?');
    const ask = async (status: number, type: string, body: string) => {
      const { model, requests } = await serveWire(
        wire,
        [(response) => response.writeHead(status, { 'content-type': type }).end(body)],
        { addressAt: (origin) => `${origin}${wire.basePath}?token=${secret}` },
      );
      const failure = await failureOf(model.call(requestOf(), context()));
      expect(requests).toHaveLength(1);
      expect(printedOf(failure)).not.toContain(secret);
      return failure;
    };

    test.each([
      [404, 'text/plain', ''],
      [404, 'text/html', page],
      [404, 'text/plain', '404 page not found'],
      [404, 'application/json', '{"detail":"Not Found"}'],
      [404, 'application/json', '{"error":{"message":"Invalid URL (POST /v1/v1/x)","type":"invalid_request_error"}}'],
      [405, 'application/json', '{"detail":"Method Not Allowed"}'],
      [405, 'text/html', page],
    ])('status %i, %s: %s', async (status, type, body) => {
      const failure = await ask(status, type, body);
      expect(failure).toMatchObject({ code: 'model-request-refused', status, retryable: false });
      expect(failure.message).toMatch(/ http:\/\/127\.0\.0\.1:\d+\//);
      expect(failure.message).toContain(`${path} answered with HTTP ${status}`);
      expect(failure.remedy).toMatch(/^Check baseUrl of the provider: /);
    });

    test('but a model that is unknown is not', async () => {
      const failure = await ask(404, 'application/json', wire.error(404, 'The model x does not exist.'));
      expect(failure.message).toMatch(/: The model x does not exist\.$/);
      expect(failure.remedy).toContain('message of the provider');
    });

    test('a page with a status of 200 is told in its words', async () => {
      const failure = await ask(200, 'text/html; charset=utf-8', page);
      expect(failure).toMatchObject({ code: 'model-reply-invalid' });
      expect(failure.message).toContain(`${path} answered with a page, not with a reply: Welcome It works`);
      expect(failure.message).not.toContain('<');
      expect(failure.remedy).toMatch(/^Check baseUrl of the provider: /);
    });

    test('an answer that only calls itself a page is one', async () => {
      const { model } = await serveWire(wire, [
        (response, { isStreamed }) => {
          response.writeHead(200, { 'content-type': 'text/html' });
          const pieces = isStreamed ? wire.stream({ text: 'Hello' }) : [wire.whole({ text: 'Hello' })];
          for (const piece of pieces) response.write(piece);
          response.end();
        },
      ]);
      const reply = await model.call(requestOf(), context());
      expect(reply.message.content).toMatchObject([{ type: 'text', text: 'Hello' }]);
    });
  });
});

test.each(ways)('a page that calls itself JSON, asked %s, is told in its words by Ollama too', async (_, context) => {
  const { model } = await serveWire(ollama, [
    (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(`${page}\n`),
  ]);
  const failure = await failureOf(model.call(requestOf(), context()));
  expect(failure.message).toMatch(/answered with a page, not with a reply: Welcome It works$/);
  expect(failure.remedy).toMatch(/^Check baseUrl/);
});

test('a key in the path is not in the message', async () => {
  const apiKey = 'path-secret-0123456789';
  const { model } = await serveWire(chat, [(response) => response.writeHead(404).end()], {
    apiKey,
    addressAt: (origin) => `${origin}/${apiKey}/v1`,
  });
  const failure = await failureOf(model.call(requestOf(), contextOf()));
  expect(failure.message).toContain('/***/v1/chat/completions answered with HTTP 404');
  expect(printedOf(failure)).not.toContain(apiKey);
});

test.each([anthropic, openaiChat])('who was not asked has said nothing: $label', async (wire) => {
  const { model, requests } = await serveWire(wire, [{ text: 'Hello' }]);
  const content = [{ type: 'file', mediaType: 'video/mp4', data: 'aGk=' }] as const;
  const messages: readonly Message[] = [{ role: 'user', content }];
  const failure = await failureOf(model.call(requestOf({ messages }), contextOf()));
  expect(failure).toMatchObject({ code: 'model-request-refused', retryable: false });
  expect(failure.remedy).toContain('takes no such part, and was not asked');
  expect(requests).toEqual([]);
});
