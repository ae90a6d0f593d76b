// The promise: a connection that is cut, in the middle of a frame or of a reply, whose reader takes nothing any more, or whose other end says
// nothing any more, ends its own runs and nobody else's. Who closes its half of a stream is gone too. The server goes on.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { answerOfTeam } from './support/echo-team.ts';
import { kinds, type LoadClient } from './support/load-clients.ts';
import { callOverHttp, callOverSocket, frameOf, type RawCall } from './support/raw-mcp.ts';
import { type LoadServer, startLoadServer } from './support/start-load-server.ts';

let server: LoadServer;
let others: readonly LoadClient[] = [];
const names = Object.keys(kinds);
beforeAll(async () => {
  server = await startLoadServer();
  others = (await Promise.all(names.map((name) => kinds[name]?.(server.url)))).filter((one) => one !== undefined);
}, 60_000);
afterAll(async () => {
  await Promise.all(others.map((client) => client.close()));
  await server.kill();
});

const patience = { timeout: 20_000 };
const state = () => server.order('state');

const cuts: Readonly<Record<string, (word: string) => Promise<RawCall>>> = {
  'over HTTP, closed in the middle of the reply': async (word) =>
    await held(await callOverHttp(server.url, word), word),
  'over a WebSocket, in the middle of a frame': async (word) => {
    const raw = await held(await callOverSocket(server.url, word), word);
    const frame = frameOf(JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'ping' }));
    await new Promise((resolve) => raw.socket.write(frame.subarray(0, frame.length - 5), resolve));
    return raw;
  },
};

async function held(raw: RawCall, word: string): Promise<RawCall> {
  await expect.poll(async () => (await state()).held.filter((one) => one === word), patience).toHaveLength(2);
  return raw;
}

/** Beside calls of every kind of client, which all get their answers. */
async function beside(word: string, work: () => Promise<void>): Promise<void> {
  await server.order('forget');
  await server.order('hold');
  const calls = others.map((client, i) => client.call(`${word}-other-${i}`));
  const rest = names.flatMap((_, i) => [`${word}-other-${i}`, `${word}-other-${i}`]).sort();
  await expect.poll(async () => (await state()).held, patience).toEqual(rest);
  await work();
  await expect.poll(async () => (await state()).held, patience).toEqual(rest);
  await server.order('go');
  const texts = (await Promise.all(calls)).map(({ text }) => text);
  expect(texts).toEqual(names.map((_, i) => answerOfTeam(`${word}-other-${i}`)));
  await expect.poll(state, patience).toMatchObject({ running: 0, places: 0, bugs: [] });
}

for (const [name, begin] of Object.entries(cuts))
  for (const how of ['destroy', 'resetAndDestroy', 'end'] as const)
    test(`${name}, ${how}`, async () => {
      const word = `word-cut-${how}`;
      await beside(word, async () => {
        const { socket } = await begin(word);
        socket[how]();
        await expect.poll(async () => (await state()).aborted, patience).toEqual([word, word]);
        socket.destroy();
      });
    }, 60_000);

test('a request that ends in the middle of its body starts nothing', async () => {
  await beside('word-half', async () => {
    const { socket } = await callOverHttp(server.url, 'word-half', { cutAt: 100 });
    socket.destroy();
    expect((await state()).aborted).toEqual([]);
  });
}, 60_000);

test('a WebSocket whose other end answers no ping', async () => {
  await beside('word-silent', async () => {
    const raw = await held(await callOverSocket(server.url, 'word-silent'), 'word-silent');
    raw.socket.pause();
    await expect.poll(async () => (await state()).aborted, patience).toEqual(['word-silent', 'word-silent']);
    raw.socket.destroy();
  });
}, 60_000);

test('readers that take nothing are cut off, and hold neither a place nor a connection', async () => {
  const before = (await state()).sockets;
  const raws = await Promise.all([callOverHttp(server.url, 'word-long-1'), callOverSocket(server.url, 'word-long-2')]);
  for (const { socket } of raws) socket.pause();
  await expect.poll(state, patience).toMatchObject({ running: 0, places: 0 });
  await expect.poll(async () => (await state()).sockets, patience).toBeLessThanOrEqual(before);
  for (const { socket } of raws) socket.destroy();
}, 60_000);
