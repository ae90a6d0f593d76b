// The promise: a thousand streams run at once in one process, each says its own, and nothing of them stays on the heap.

import { afterAll, expect, test } from 'vitest';
import { openTogether } from './support/open-together.ts';
import type { ReadStream } from './support/read-stream.ts';
import { type StreamServer, startStreamServer } from './support/start-stream-server.ts';

const streams = 1_000;
const rounds = 3;
const fewestPieces = 20;
/** A session that is kept has some thousands; what the engine does with its own code comes to less than this. */
const bytesPerStream = 500;

let server: StreamServer | undefined;
afterAll(() => server?.kill());

test('three rounds of a thousand streams, all open together, leave the heap as it was', async () => {
  server = await startStreamServer(streams);
  // Fills what is kept on purpose, and warms what is compiled late.
  await runRound(server, 0);
  const heaps: number[] = [];
  for (let round = 1; round <= rounds; round++) heaps.push(await runRound(server, round));
  const [least, most] = [Math.min(...heaps), Math.max(...heaps)];
  expect(most / least, `heaps of ${heaps.join(', ')} bytes`).toBeLessThan(1.1);
  expect(most - least, `heaps of ${heaps.join(', ')} bytes`).toBeLessThan(streams * bytesPerStream);
}, 360_000);

/** All of them open at the same moment, and all right in the end; gives what is on the server's heap then. */
async function runRound({ url, order, left }: StreamServer, round: number): Promise<number> {
  order('hold');
  let ended = 0;
  const all = await openTogether(Array.from({ length: streams }, (_, number) => addressOf(url, round, number)));
  for (const read of all) void read.finally(() => ended++).catch(() => {});
  await new Promise(setImmediate);
  expect(ended).toBe(0);
  order('go');
  for (const [number, read] of (await Promise.all(all)).entries()) checkStream(read, nameOf(round, number));
  const { heapBytes, ...rest } = await left();
  expect(rest).toEqual({ sockets: 0, completed: streams, others: 0 });
  return heapBytes;
}

function checkStream({ status, events }: ReadStream, name: string): void {
  expect(status).toBe(200);
  const discarded = events.findLastIndex(({ event }) => event === 'discard');
  const pieces = events.slice(discarded + 1).flatMap(({ event, data }) => (event === 'text' ? [textOf(data)] : []));
  expect(pieces.length).toBeGreaterThanOrEqual(fewestPieces);
  const outcomes = events.filter(({ event }) => event === 'outcome');
  expect(outcomes).toHaveLength(1);
  expect(events.at(-1)).toBe(outcomes[0]);
  expect(outcomes[0]?.data).toMatchObject({ status: 'completed', text: pieces.join('') });
  // Its own name in every sentence, and nobody else's.
  const names = pieces.join('').match(/traveller \d+-\d+/gi) ?? [];
  expect(names.map((one) => one.toLowerCase())).toEqual([name, name, name]);
}

function textOf(data: unknown): string {
  return (data as { readonly text: string }).text;
}

function nameOf(round: number, number: number): string {
  return `traveller ${round}-${number}`;
}

function addressOf(url: string, round: number, number: number): string {
  const name = nameOf(round, number);
  const said = [
    `Tell what happened: T${name.slice(1)} left in the morning with a bag of ${number} apples.`,
    `There were many bridges, and at every one of them ${name} lost an apple.`,
    `In the evening ${name} had a story to tell, and no apples.`,
  ];
  return `${url}/v1/teller?q=${encodeURIComponent(said.join(' '))}`;
}
