// The promise: a client that has said its last word still gets its reply; one that has gone is noticed, and its run cancelled.

import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../src/index.ts';
import { rawClient } from './support/raw-client.ts';

async function serveSlowly() {
  const seen = { asked: 0, gone: 0, go: Promise.withResolvers<void>() };
  const fetch = async ({ signal }: Request) => {
    seen.asked++;
    signal.addEventListener('abort', () => void seen.gone++);
    await seen.go.promise;
    return new Response('the answer');
  };
  const listening = await listen({ fetch }, { port: 0 });
  onTestFinished(() => listening.close(0));
  return { seen, port: listening.port };
}

const request = 'GET / HTTP/1.1\r\nhost: a\r\n\r\n';

test('the reply comes after the last word of the client', async () => {
  const { seen, port } = await serveSlowly();
  const client = await rawClient(port, { allowHalfOpen: true });
  client.socket.end(request);
  // It was asked twice by then whether it still reads.
  await expect.poll(() => client.received().match(/102 Processing/g)?.length ?? 0).toBeGreaterThan(1);
  seen.go.resolve();
  expect(await client.closed).toMatch(/HTTP\/1\.1 200 OK\r\n[\s\S]*the answer$/);
  expect(seen.gone).toBe(0);
});

test.each(['end', 'reset'] as const)('a client that goes (%s) cancels what it waits for', async (how) => {
  const { seen, port } = await serveSlowly();
  const client = await rawClient(port);
  client.send(request);
  await expect.poll(() => seen.asked).toBe(1);
  if (how === 'end') client.socket.destroy();
  else client.socket.resetAndDestroy();
  await expect.poll(() => seen.gone, { timeout: 3_000 }).toBe(1);
});

test('one that has sent several requests at once and goes cancels all of them', async () => {
  const { seen, port } = await serveSlowly();
  const client = await rawClient(port);
  client.send(request + request + request);
  await expect.poll(() => seen.asked).toBe(3);
  client.socket.destroy();
  await expect.poll(() => seen.gone, { timeout: 3_000 }).toBe(3);
});

test('one that goes while it reads a stream ends it', async () => {
  let left = 0;
  const body = () =>
    new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode('data: 1\n\n')),
      cancel: () => void left++,
    });
  const fetch = () => new Response(body(), { headers: { 'content-type': 'text/event-stream' } });
  const listening = await listen({ fetch }, { port: 0 });
  onTestFinished(() => listening.close(0));
  const client = await rawClient(listening.port);
  client.send(request);
  await expect.poll(client.received).toContain('data: 1');
  client.socket.destroy();
  await expect.poll(() => left, { timeout: 3_000 }).toBe(1);
});
