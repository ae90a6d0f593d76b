// The promise: what our listener writes without a response between is what any other reader of the response would get.

import { expect, onTestFinished, test, vi } from 'vitest';
import { toReply } from '../src/direct-reply.ts';
import { listen } from '../src/index.ts';
import { SseStream } from '../src/sse.ts';
import { rawClient } from './support/raw-client.ts';

const request = 'GET / HTTP/1.1\r\nhost: a\r\n\r\n';
const head = { status: 201, headers: { 'content-type': 'text/plain; charset=utf-8', 'x-one': '1' } };
const text = 'grün 🦊';

async function serve(fetch: (request: Request) => Response, stallMs = 30_000) {
  const listening = await listen({ fetch }, { port: 0, stallMs });
  onTestFinished(() => listening.close(0));
  return listening;
}

/** A few hundred of them are more than the system takes for one who reads nothing. */
const much = 'x'.repeat(64 * 1024);

function eventsOf(seen: { gone: number }): SseStream {
  return new SseStream({ onGone: () => void seen.gone++ });
}

test('a text with its length, status and headers', async () => {
  const { url } = await serve((asked) => toReply(asked, text, head));
  const response = await fetch(url);
  expect([response.status, response.headers.get('x-one')]).toEqual([201, '1']);
  expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
  expect(await response.text()).toBe(text);
});

test('other servers are given a response of the platform', () => {
  const reply = toReply(new Request('http://a'), text, head);
  expect(Object.getPrototypeOf(reply)).toBe(Response.prototype);
});

test.each(['text', 'events'])('%s: whoever stands between may look at it, and change it', async (kind) => {
  const between = (reply: Response) => {
    expect(reply).toBeInstanceOf(Response);
    reply.headers.set('x-two', '2');
    return reply;
  };
  const { url } = await serve((asked) => {
    if (kind === 'text') return between(toReply(asked, text, head));
    const events = eventsOf({ gone: 0 });
    events.send({ event: 'one', data: text });
    setTimeout(() => events.end(), 1);
    return between(toReply(asked, events, head));
  });
  const response = await fetch(url);
  expect([response.status, response.headers.get('x-one'), response.headers.get('x-two')]).toEqual([201, '1', '2']);
  expect(await response.text()).toBe(kind === 'text' ? text : `event: one\ndata: ${JSON.stringify(text)}\n\n`);
});

test('a response that somebody puts around it has the same body', async () => {
  const { url } = await serve((asked) => {
    const reply = toReply(asked, text, head);
    return new Response(reply.body, reply);
  });
  expect(await (await fetch(url)).text()).toBe(text);
});

test('events in their order, before and after somebody reads', async () => {
  const count = 5_000;
  const seen = { gone: 0 };
  const { url } = await serve((asked) => {
    const events = eventsOf(seen);
    const tell = (from: number, to: number) => {
      for (let i = from; i < to; i++) events.send({ event: 'n', data: i });
    };
    tell(0, 10);
    setImmediate(() => {
      tell(10, count);
      events.end();
    });
    return toReply(asked, events, head);
  });
  const body = await (await fetch(url)).text();
  expect([...body.matchAll(/^data: (\d+)$/gm)].map(([, number]) => Number(number))).toEqual([...Array(count).keys()]);
  expect(seen.gone).toBe(0);
});

test('one who takes nothing is cut off when too much waits', async () => {
  const seen = { gone: 0, sent: 0 };
  const { port } = await serve((asked) => {
    const events = eventsOf(seen);
    const tell = () => {
      if (seen.gone > 0 || seen.sent > 2_000) return;
      seen.sent++;
      events.send({ event: 'much', data: much });
      setImmediate(tell);
    };
    tell();
    return toReply(asked, events, head);
  });
  const client = await rawClient(port, { isDeaf: true });
  client.send(request);
  await expect.poll(() => seen.gone, { timeout: 10_000 }).toBe(1);
  // The system takes some megabytes for a reader; the rest is our bound.
  expect(seen.sent).toBeLessThan(1_000);
  client.socket.resume();
  await client.closed;
});

test('one who takes nothing of the little that waits is cut off after a while', async () => {
  const seen = { gone: 0 };
  let events: SseStream | undefined;
  const { port } = await serve((asked) => {
    events = new SseStream({ maxBytes: 1024 ** 3, onGone: () => void seen.gone++ });
    for (let i = 0; i < 500; i++) events.send({ event: 'much', data: much });
    return toReply(asked, events, head);
  }, 150);
  const client = await rawClient(port, { isDeaf: true });
  client.send(request);
  await expect.poll(() => seen.gone, { timeout: 5_000 }).toBe(1);
});

test('one who reads slowly gets all of it', async () => {
  const count = 300;
  const { port } = await serve((asked) => {
    const events = new SseStream({ maxBytes: 1024 ** 3, onGone: vi.fn() });
    for (let i = 0; i < count; i++) events.send({ event: 'much', data: much });
    events.end();
    return toReply(asked, events, head);
  }, 2_000);
  const client = await rawClient(port, { isDeaf: true });
  client.send(request);
  let body = '';
  client.socket.setEncoding('latin1').on('data', (piece) => {
    body += piece;
    client.socket.pause();
    setImmediate(() => client.socket.resume());
  });
  await expect.poll(() => body.endsWith('\r\n0\r\n\r\n'), { timeout: 10_000 }).toBe(true);
  expect(body.split('event: much').length - 1).toBe(count);
});

test('who goes is noticed', async () => {
  const seen = { gone: 0 };
  const { port } = await serve((asked) => {
    const events = eventsOf(seen);
    events.send({ event: 'one', data: 1 });
    return toReply(asked, events, head);
  });
  const client = await rawClient(port);
  client.send(request);
  await expect.poll(() => client.received()).toContain('event: one');
  client.socket.destroy();
  await expect.poll(() => seen.gone).toBe(1);
});
