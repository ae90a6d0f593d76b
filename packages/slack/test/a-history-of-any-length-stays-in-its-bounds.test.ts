// The promise: however much was said, so many messages and characters come along, the newest of them, and a Slack that says no fails nothing.

import { expect, test } from 'vitest';
import { type ContextOptions, readContext } from '../src/ask/context.ts';
import { slackOf } from './support/slack-double.ts';

const root = '1700000000.000000';
const options: ContextOptions = {
  channel: 'C0123456789',
  threadTs: root,
  ts: '1800000000.000000',
  limit: 20,
  chars: 100_000,
  bot: { user: 'UBOT' },
  label: async (user) => user,
};
const said = (count: number, text = (index: number) => `message ${index}`) =>
  Array.from({ length: count }, (_, index) => ({
    user: `U${index % 300}`,
    ts: `${1_700_000_000 + index}.000000`,
    thread_ts: root,
    text: text(index),
  }));
const inChannel = (count: number) => said(count).map(({ thread_ts: _, ...message }) => message);
const wordsOf = (text: string | undefined) =>
  [...(text ?? '').matchAll(/message (\d+)/g)].map(([, index]) => Number(index));
const lastOf = (count: number, length = 20) => Array.from({ length }, (_, index) => count - length + index);

test('of a thread the newest are kept, at 15 a page as well', async () => {
  for (const pageSize of [200, 15]) {
    const api = slackOf({ messages: said(500), pageSize });
    const text = await readContext(api, options);
    expect(wordsOf(text)).toEqual(lastOf(500));
    expect(text?.split('\n')[1]).toBe('(Earlier messages are left out.)');
    expect(api.calls).toHaveLength(Math.ceil(500 / pageSize));
  }
});

test('of a channel the newest are kept, and no more pages are read than it takes', async () => {
  for (const [pageSize, pages] of [
    [200, 1],
    [15, 2],
  ] as const) {
    const api = slackOf({ messages: inChannel(500), pageSize });
    expect(wordsOf(await readContext(api, { ...options, threadTs: undefined }))).toEqual(lastOf(500));
    expect(api.calls).toHaveLength(pages);
  }
});

test('all of it is there when it fits, and nobody says otherwise', async () => {
  const text = await readContext(slackOf({ messages: said(20), pageSize: 15 }), options);
  expect(wordsOf(text)).toEqual(lastOf(20));
  expect(text).not.toMatch(/left out|did not give/);
});

test('a thread without end is read to a bound', async () => {
  const api = slackOf({ messages: said(20_000), pageSize: 15 });
  const text = await readContext(api, options);
  expect(api.calls).toHaveLength(50);
  expect(wordsOf(text)).toEqual(lastOf(750));
  expect(text).toContain('(Slack did not give all of it.)');
});

test('characters are bounded: whole messages from the end, and of one that is too long its beginning', async () => {
  const text = await readContext(slackOf({ messages: said(10) }), { ...options, chars: 120 });
  expect(wordsOf(text)).toEqual([7, 8, 9]);
  const long = await readContext(slackOf({ messages: said(3, () => 'x'.repeat(40_000)) }), {
    ...options,
    chars: 1_000,
  });
  expect(long?.split('\n').filter((line) => line.startsWith('['))).toHaveLength(1);
  expect(long?.length).toBeLessThan(1_500);
  expect(await readContext(slackOf({ messages: said(3) }), { ...options, chars: 0 })).toBeUndefined();
  expect(await readContext(slackOf({ messages: said(3) }), { ...options, limit: 0 })).toBeUndefined();
});

test('who is asked for is bounded too', async () => {
  const asked: string[] = [];
  const label = async (user: string) => {
    asked.push(user);
    return user;
  };
  const mentions = (index: number) => `<@UA${index}> <@UB${index}> <@UC${index}>`;
  await readContext(slackOf({ messages: said(200, mentions) }), { ...options, limit: 200, label });
  expect(asked).toHaveLength(100);
  expect(new Set(asked).size).toBe(100);
});

test.each(['missing_scope', 'not_in_channel', 'ratelimited'])('%s is told, and nothing comes along', async (word) => {
  const told: string[] = [];
  const refuses = { 'conversations.replies': word, 'conversations.history': word };
  const onProblem = (problem: string) => told.push(problem);
  for (const threadTs of [root, undefined])
    expect(
      await readContext(slackOf({ messages: said(3), refuses }), { ...options, threadTs, onProblem }),
    ).toBeUndefined();
  expect(told).toEqual([word, word]);
});

test('a connection that breaks is told in a word as well', async () => {
  const told: string[] = [];
  const api = { call: () => Promise.reject(new TypeError('fetch failed')), attempt: async () => undefined };
  expect(await readContext(api, { ...options, onProblem: (word) => told.push(word) })).toBeUndefined();
  expect(told).toEqual(['unreachable']);
});

test('when Slack has no time for further pages, what is there is told as a part', async () => {
  const text = await readContext(slackOf({ messages: said(100), pageSize: 15, patience: 1 }), options);
  expect(wordsOf(text)).toEqual(lastOf(30));
  expect(text).toContain('(Slack did not give all of it.)');
});
