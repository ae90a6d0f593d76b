// The promise: whoever leaves in the middle of a stream ends its run, and nothing of it stays; those beside it go on.

import { afterAll, expect, test } from 'vitest';
import { openTogether } from './support/open-together.ts';
import type { ReadStream } from './support/read-stream.ts';
import { type StreamServer, startStreamServer } from './support/start-stream-server.ts';

const streams = 300;
const rounds = 3;
/** What is compiled late has to come first, or it would count. */
const roundsBefore = 3;
/** A run that is kept has some thousands. */
const bytesPerStream = 1_000;

let server: StreamServer | undefined;
afterAll(() => server?.kill());

test('every second of many streams is left in the middle, round after round', async () => {
  server = await startStreamServer(streams);
  for (let round = 0; round < roundsBefore; round++) await runRound(server);
  const heaps: number[] = [];
  for (let round = 0; round < rounds; round++) heaps.push(await runRound(server));
  const growth = Math.max(...heaps) - Math.min(...heaps);
  expect(growth, `heaps of ${heaps.join(', ')} bytes`).toBeLessThan(streams * bytesPerStream);
}, 240_000);

/** Gives what is on the server's heap in the end. */
async function runRound({ url, order, left }: StreamServer): Promise<number> {
  order('hold');
  const leaving: (() => void)[] = [];
  const address = `${url}/v1/teller?q=${encodeURIComponent(prompt)}`;
  const all = await openTogether(Array<string>(streams).fill(address), (number, leave) => {
    if (number % 2 === 0) leaving.push(leave);
  });
  const whole = Promise.allSettled(all);
  for (const leave of leaving) leave();
  order('go');
  const read = await whole;
  for (const [number, one] of read.entries()) expect(one.status).toBe(number % 2 === 0 ? 'rejected' : 'fulfilled');
  for (const one of read) if (one.status === 'fulfilled') checkWhole(one.value);
  const { heapBytes, ...rest } = await left();
  expect(rest).toEqual({ sockets: 0, completed: streams / 2, others: streams / 2 });
  return heapBytes;
}

const prompt =
  'Tell what happened: A traveller left in the morning with a bag of apples. At every bridge the traveller lost one.';

function checkWhole({ events }: ReadStream): void {
  expect(events.at(-1)).toMatchObject({ event: 'outcome', data: { status: 'completed' } });
}
