// The promise: who drains goes on answering, once per connection; who closes is closed soon, whatever clients do.

import { expect, onTestFinished, test } from 'vitest';
import { type ListenOptions, listen } from '../src/index.ts';
import { rawClient } from './support/raw-client.ts';

const request = 'GET / HTTP/1.1\r\nhost: a\r\n\r\n';

async function serve(fetch: () => Response | Promise<Response>, options: ListenOptions = {}) {
  const listening = await listen({ fetch }, { port: 0, ...options });
  onTestFinished(() => listening.close(0));
  return listening;
}

test('a draining listener answers once more on every connection, idle and new ones included, and closes it', async () => {
  const go = Promise.withResolvers<Response>();
  let count = 0;
  const listening = await serve(() => (count++ === 1 ? go.promise : new Response('now')));
  const idle = await rawClient(listening.port);
  idle.send(request);
  await expect.poll(idle.received).toContain('now');
  const busy = await rawClient(listening.port);
  busy.send(request);
  await expect.poll(() => count).toBe(2);
  listening.drain();
  idle.send(request);
  expect((await idle.closed).toLowerCase()).toMatch(/now[\s\S]*connection: close\r\n[\s\S]*now$/);
  const late = await rawClient(listening.port);
  late.send(request);
  expect((await late.closed).toLowerCase()).toMatch(/connection: close\r\n[\s\S]*now$/);
  go.resolve(new Response('then'));
  expect((await busy.closed).toLowerCase()).toMatch(/connection: close\r\n[\s\S]*then$/);
});

test('a reply that is on its way is not cut by any of it', async () => {
  const text = 'x'.repeat(32 * 1024 * 1024);
  const listening = await serve(() => new Response(text));
  const client = await rawClient(listening.port, { isDeaf: true });
  client.send(request);
  await new Promise((resolve) => client.socket.once('readable', resolve));
  listening.drain();
  const closing = listening.close();
  let bytes = 0;
  client.socket.on('data', (data) => {
    bytes += data.length;
  });
  const began = performance.now();
  await closing;
  await client.closed;
  expect(bytes).toBeGreaterThan(text.length);
  // Nor is it kept for a next request.
  expect(performance.now() - began).toBeLessThan(4_000);
});

test('closing waits for replies, and not longer than it is told', async () => {
  const listening = await serve(() => new Promise<Response>(() => {}));
  const client = await rawClient(listening.port);
  client.send(request);
  const silent = await rawClient(listening.port);
  const began = performance.now();
  await listening.close(200);
  expect(performance.now() - began).toBeLessThan(2_000);
  await Promise.all([client.closed, silent.closed]);
});

test('more connections than there may be are closed as they come', async () => {
  const listening = await serve(() => new Response('now'), { maxConnections: 2 });
  const kept = await Promise.all([rawClient(listening.port), rawClient(listening.port)]);
  const third = await rawClient(listening.port);
  expect(await third.closed).toBe('');
  kept[0]?.send(request);
  await expect.poll(() => kept[0]?.received()).toContain('now');
});

test.each([
  ['a port that is taken', (port: number) => ({ port }), /somebody listens there already/],
  ['an address of another machine', () => ({ port: 0, host: '192.0.2.1' }), /this machine has no such address/],
  ['a port that is none', () => ({ port: 70_000 }), /this is no port/],
])('%s is refused with the reason', async (_, toOptions, reason) => {
  const { port } = await serve(() => new Response('now'));
  await expect(listen({ fetch: () => new Response() }, toOptions(port))).rejects.toMatchObject({
    code: 'listen-refused',
    class: 'config',
    message: expect.stringMatching(reason),
  });
});
