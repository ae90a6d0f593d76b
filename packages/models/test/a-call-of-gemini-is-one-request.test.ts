// A reply that pauses for a continuation has reached its length: nothing is asked again behind our back.

import { textOf } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { requestOf, ways } from './support/calling.ts';
import { google } from './support/wires/google.ts';
import { serveWire } from './support/wires/serve-wire.ts';

test.each(ways)('a continuation is not asked for (%s)', async (_, context) => {
  const paused = JSON.stringify({
    candidates: [
      {
        content: { role: 'model', parts: [{ text: 'The first half' }] },
        finishReason: 'CONTINUATION',
        continuationToken: 'go-on',
      },
    ],
    usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 3, totalTokenCount: 10 },
  });
  const { model, requests } = await serveWire(google, [
    (response, { isStreamed }) => {
      response.writeHead(200, { 'content-type': isStreamed ? 'text/event-stream' : 'application/json' });
      response.end(isStreamed ? `data: ${paused}\r\n\r\n` : paused);
    },
  ]);
  const reply = await model.call(requestOf(), context());
  expect(textOf(reply.message)).toBe('The first half');
  expect(reply.finishReason).toBe('length');
  expect(reply.usage).toEqual({ inputTokens: 7, outputTokens: 3 });
  expect(requests).toHaveLength(1);
  // And the next call is one again.
  await model.call(requestOf(), context());
  expect(requests).toHaveLength(2);
});

test.each(ways)('a failure is not asked again either (%s)', async (_, context) => {
  const { model, requests } = await serveWire(google, [
    (response) => response.writeHead(503).end(google.error(503, 'Overloaded.')),
  ]);
  await expect(model.call(requestOf(), context())).rejects.toMatchObject({ code: 'model-unavailable', status: 503 });
  expect(requests).toHaveLength(1);
});
