// However much a server writes, we read so much and no more; and what it says of a failure is found in its first lines.

import { gzipSync } from 'node:zlib';
import { createTransport } from '@ai-agent/models';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { failureOf, modelAt, requestOf, ways } from './support/calling.ts';
import { serve } from './support/raw-server.ts';

function open(maxReplyBytes: number) {
  const transport = createTransport({ maxReplyBytes });
  onTestFinished(() => transport.close());
  return transport;
}

describe.each(ways)('asked %s', (_, context) => {
  test.each([
    ['plain', {}, Buffer.alloc(5000, ' ')],
    ['packed', { 'content-encoding': 'gzip' }, gzipSync(Buffer.alloc(5000, ' '))],
  ])('a reply above the bound is no reply, %s', async (_, headers, body) => {
    const { baseUrl } = await serve((_, response) => response.writeHead(200, headers).end(body));
    const model = await modelAt(baseUrl, { transport: open(4000) });
    const failure = await failureOf(model.call(requestOf(), context()));
    expect(failure).toMatchObject({ code: 'model-reply-invalid', retryable: false });
    expect(failure.message).toContain('4000 bytes');
  });

  test('of an endless error the start is read, and its connection closed', async () => {
    let closed = 0;
    const { baseUrl } = await serve((_, response) => {
      response.on('close', () => closed++);
      response.writeHead(500);
      const write = () => {
        while (!response.destroyed && response.write(Buffer.alloc(16_384, 'x')));
        if (!response.destroyed) response.once('drain', write);
      };
      write();
    });
    const failure = await failureOf((await modelAt(baseUrl)).call(requestOf(), context()));
    expect(failure).toMatchObject({ code: 'model-unavailable', status: 500 });
    expect(failure.message).toContain('xxxx');
    expect(JSON.stringify(failure.cause).length).toBeLessThan(300_000);
    await vi.waitFor(() => expect(closed).toBe(1));
  });

  test.each(['<', '<script'])('a page of nothing but %s is read at once', async (tag) => {
    const page = tag.repeat(60_000 / tag.length);
    const { baseUrl } = await serve((_, response) => response.writeHead(502).end(page));
    const model = await modelAt(baseUrl);
    const start = performance.now();
    expect((await failureOf(model.call(requestOf(), context()))).code).toBe('model-unavailable');
    expect(performance.now() - start).toBeLessThan(300);
  });
});

test('a reply at the bound is read', async () => {
  const { baseUrl } = await serve((_, response) => response.end('x'.repeat(4000)));
  expect(await (await open(4000).fetch(baseUrl)).text()).toHaveLength(4000);
});
