// The promise: whatever stands in the way, the socket is tried again, with pauses that grow up to half a minute and one word about it; only a token that is good for nothing ends it.

import { FakeClock } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { Socket } from '../src/connect/socket.ts';

function openSocket(troubles: unknown[], { isFromTheFirst = false } = {}) {
  const clock = new FakeClock();
  const told: string[] = [];
  const tell = (sentence: string) => void told.push(sentence);
  const starts: number[] = [];
  let drop = () => {};
  let hear = (_data: unknown) => {};
  const goodbyes: number[] = [];
  const client = {
    async start() {
      starts.push(clock.now());
      const trouble = isFromTheFirst || starts.length > 1 ? troubles.shift() : undefined;
      if (trouble instanceof Promise) await trouble;
      else if (trouble !== undefined) throw trouble;
    },
    async disconnect() {
      goodbyes.push(clock.now());
    },
    on(name: string, listener: (data?: unknown) => void) {
      if (name === 'disconnected') drop = listener;
      if (name === 'ws_message') hear = listener;
    },
  };
  const log = { say: tell, fail: tell, detail: () => {}, bug: (error: unknown) => tell(`bug: ${String(error)}`) };
  const socket = new Socket({ client: client as never, clock, log });
  /** In seconds, from when it went. */
  const triedAt = () => starts.slice(1).map((at) => (at - (starts[0] ?? 0)) / 1_000);
  return { clock, socket, told, starts, triedAt, goodbyes, drop: () => drop(), hear: (data: unknown) => hear(data) };
}

const network = Object.assign(new Error('A request error occurred: connect ECONNREFUSED'), {
  code: 'slack_webapi_request_error',
});
const limited = Object.assign(new Error('A rate-limit has been reached'), {
  code: 'slack_webapi_rate_limited_error',
  retryAfter: 0,
});
const failed = Object.assign(new Error('An HTTP protocol error occurred: statusCode = 500'), { statusCode: 500 });

/** Lets it try, and wakes it, until nobody waits any more. */
async function walk(clock: FakeClock): Promise<void> {
  for (let round = 0; round < 50; round++) {
    await new Promise((resolve) => setImmediate(resolve));
    if (clock.nextAt !== undefined) clock.advance(clock.nextAt - clock.now());
  }
}

test.each([
  ['the network', network],
  ['a 429', limited],
  ['a 500', failed],
  ['nothing that says why', null],
])('%s', async (_, trouble) => {
  const { clock, socket, told, triedAt, drop } = openSocket([trouble, trouble, trouble]);
  await socket.open();
  drop();
  // Bolt's client may say it again for each try that fails.
  drop();
  await walk(clock);
  expect(triedAt()).toEqual([0, 0.25, 0.75, 1.75]);
  expect(told).toEqual([expect.stringMatching(/^The connection to Slack is lost \(.+\); it is tried again\.$/), again]);
  drop();
  await walk(clock);
  expect(triedAt()).toHaveLength(5);
});

const again = 'Slack is connected again.';

test('the pauses grow up to half a minute', async () => {
  const { clock, socket, told, triedAt, drop } = openSocket(Array.from({ length: 12 }, () => network));
  await socket.open();
  drop();
  await walk(clock);
  const at = triedAt();
  expect(at).toHaveLength(13);
  expect(at.slice(-3).map((time, index, all) => time - (all[index - 1] ?? time))).toEqual([0, 30, 30]);
  expect(told).toHaveLength(2);
});

test.each([
  ['as Slack asks', 45, [0, 45, 45.5]],
  ['not for ever', 3_600, [0, 600, 600.5]],
])('where Slack is short of time it is waited, %s', async (_, retryAfter, tries) => {
  const { clock, socket, triedAt, drop } = openSocket([Object.assign({ ...limited }, { retryAfter }), network]);
  await socket.open();
  drop();
  await walk(clock);
  expect(triedAt()).toEqual(tries);
});

test('a token that is good for nothing any more ends it, in words', async () => {
  const revoked = Object.assign(new Error('An API error occurred'), { data: { error: 'token_revoked' } });
  const { clock, socket, told, triedAt, drop } = openSocket([network, revoked]);
  await socket.open();
  drop();
  await walk(clock);
  await socket.lost;
  expect(triedAt()).toHaveLength(2);
  expect(told.at(-1)).toBe('Slack does not take us back: token_revoked. Check the tokens, and start again.');
});

test('those that live for moments are not opened again and again without a pause; one that lived is, at once', async () => {
  const { clock, socket, triedAt, drop } = openSocket([]);
  await socket.open();
  for (let round = 0; round < 5; round++) {
    drop();
    await walk(clock);
  }
  expect(triedAt()).toEqual([0, 0.25, 0.75, 1.75, 3.75]);
  clock.advance(60_000);
  drop();
  await walk(clock);
  expect(triedAt().at(-1)).toBe(63.75);
});

test('a line that Slack keeps open after its goodbye is hung up', async () => {
  const { clock, socket, goodbyes, hear, drop } = openSocket([]);
  await socket.open();
  hear('{"type":"hello"}');
  clock.advance(1_000);
  expect(goodbyes).toEqual([]);
  hear(JSON.stringify({ type: 'disconnect', reason: 'refresh_requested' }));
  clock.advance(1_000);
  expect(goodbyes).toHaveLength(1);
  hear(JSON.stringify({ type: 'disconnect', reason: 'warning' }));
  drop();
  clock.advance(1_000);
  expect(goodbyes).toHaveLength(1);
});

const refused = Object.assign(new Error('An API error occurred'), { data: { error: 'invalid_auth' } });

test.each<[string, Error, number, RegExp | undefined]>([
  ['passes', network, 2, undefined],
  ['stays', refused, 1, /app token: invalid_auth/],
])('what %s when a server starts', async (_, trouble, count, words) => {
  const { clock, socket, starts } = openSocket([trouble], { isFromTheFirst: true });
  const opened = socket.open().then(
    () => undefined,
    (error: Error) => error.message,
  );
  await walk(clock);
  if (words) expect(await opened).toMatch(words);
  else expect(await opened).toBeUndefined();
  expect(starts).toHaveLength(count);
});

test('one over which nobody says hello is given up for the next', async () => {
  const { clock, socket, told, triedAt, drop } = openSocket([new Promise(() => {})]);
  await socket.open();
  drop();
  await walk(clock);
  expect(triedAt()).toEqual([0, 30.25]);
  expect(told).toEqual(['The connection to Slack is lost (Slack did not say hello); it is tried again.', again]);
});

test('who hung up does not come back', async () => {
  const { clock, socket, triedAt, drop } = openSocket([network, network]);
  await socket.open();
  drop();
  await new Promise((resolve) => setImmediate(resolve));
  await socket.close();
  await walk(clock);
  drop();
  await walk(clock);
  expect(triedAt()).toHaveLength(1);
});
