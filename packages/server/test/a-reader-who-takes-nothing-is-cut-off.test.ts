// The promise: a reply waits for its reader, but not for ever; one who reads slowly gets all of it.

import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../src/index.ts';
import { rawClient } from './support/raw-client.ts';

const megabytes = 64;
const piece = new Uint8Array(1024 * 1024).fill(120);
const request = 'GET / HTTP/1.1\r\nhost: a\r\n\r\n';

/** Far more than a machine keeps for a reader. */
async function serveMuch(type: string, stallMs: number) {
  const seen = { left: 0, given: 0, isAborted: false };
  const fetch = (asked: Request) => {
    asked.signal.addEventListener('abort', () => {
      seen.isAborted = true;
    });
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (seen.given++ < megabytes) controller.enqueue(piece);
        else controller.close();
      },
      cancel: () => void seen.left++,
    });
    return new Response(body, { headers: { 'content-type': type } });
  };
  const listening = await listen({ fetch }, { port: 0, stallMs });
  onTestFinished(() => listening.close(0));
  return { seen, port: listening.port };
}

test.each(['text/plain', 'text/event-stream'])('%s to somebody who does not read', async (type) => {
  const { seen, port } = await serveMuch(type, 150);
  const client = await rawClient(port, { isDeaf: true });
  client.send(request);
  await expect.poll(() => seen, { timeout: 5_000 }).toMatchObject({ left: 1, isAborted: true });
  expect(seen.given).toBeLessThan(megabytes);
});

test('one whole text keeps a listener that closes no longer than its reader may take nothing', async () => {
  const text = 'x'.repeat(64 * 1024 * 1024);
  const listening = await listen({ fetch: () => new Response(text) }, { port: 0, stallMs: 150 });
  onTestFinished(() => listening.close(0));
  const client = await rawClient(listening.port, { isDeaf: true });
  client.send(request);
  await new Promise((resolve) => client.socket.once('readable', resolve));
  // Settles when no connection is left, without being told to hurry.
  await listening.close();
});

test('somebody who reads in small sips gets everything, though it takes longer than that', async () => {
  const { seen, port } = await serveMuch('text/plain', 1_500);
  const client = await rawClient(port, { isDeaf: true });
  client.send(request);
  let bytes = 0;
  const began = performance.now();
  client.socket.on('data', (data) => {
    bytes += data.length;
    // Together longer than it may take nothing.
    if (performance.now() - began > 2_500) return;
    client.socket.pause();
    setTimeout(() => client.socket.resume(), 20);
  });
  await expect.poll(() => bytes, { timeout: 15_000 }).toBeGreaterThan(megabytes * 1024 * 1024);
  expect(performance.now() - began).toBeGreaterThan(2_000);
  expect(seen.left).toBe(0);
});
