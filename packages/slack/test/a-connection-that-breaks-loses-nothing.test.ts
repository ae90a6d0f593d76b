// The promise: Slack ends its sockets every few hours, and lines break: the app comes back at once, and nothing that was said or done is lost.

import { defineAgent } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { TypingModel } from '../../web/test/support/page-server.ts';
import { wordsOf } from './support/answers.ts';
import { openSlackHouse } from './support/slack-house.ts';
import { ask } from './support/talk.ts';

async function open() {
  const model = new TypingModel();
  const agent = defineAgent({ name: 'desk', model, instructions: 'Answer.' });
  return { ...(await openSlackHouse([agent], { streaming: false })), model };
}

test.each(['refresh', 'abrupt'] as const)('an answer arrives, and buttons work, over a break (%s)', async (how) => {
  const { slack, model, told } = await open();
  const first = await ask(slack, 'one');
  const typing = await model.next();
  const status = await first.status();
  const brokenAt = Date.now();
  await slack.dropSocket({ how });
  const second = await ask(slack, 'two', { in: 'random' });
  await slack.until(() => slack.sockets === 1, 'the connection');
  expect(Date.now() - brokenAt).toBeLessThan(1_500);
  (await model.next()).say('Second.').end();
  expect(wordsOf(await second.answer())).toMatch(/^Second\.\n/);
  await slack.press(status, 'Cancel', first.user);
  expect(wordsOf(await first.answer())).toMatch(/^Cancelled/);
  expect(typing.isCutOff).toBe(true);
  expect(slack.sockets).toBe(1);
  expect(slack.calls('apps.connections.open')).toHaveLength(2);
  expect(told).toEqual([]);
});

test('a press that nobody was there to take changes nothing, and the next one does', async () => {
  const { slack, model, told } = await open();
  const talk = await ask(slack, 'one');
  const typing = await model.next();
  const status = await talk.status();
  const release = slack.holdNext('apps.connections.open');
  await slack.dropSocket({ how: 'abrupt' });
  await expect(slack.press(status, 'Cancel', talk.user)).rejects.toThrow('Nobody is connected');
  expect(typing.isCutOff).toBe(false);
  release();
  await slack.until(() => slack.sockets === 1, 'the connection');
  await slack.press(status, 'Cancel', talk.user);
  expect(wordsOf(await talk.answer())).toMatch(/^Cancelled/);
  expect(told).toEqual([]);
});

test('one that has to wait for its address comes when the time is over', async () => {
  const { slack, told } = await open();
  slack.limitRate('apps.connections.open', { times: 1, retryAfterS: 3 });
  const droppedAt = Date.now();
  await slack.dropSocket({ how: 'abrupt' });
  await slack.until(() => told.length > 0, 'that it is lost');
  // It is we who wait: a try that somebody else holds back would open a socket when nobody expects it any more.
  expect(Date.now() - droppedAt).toBeLessThan(2_500);
  await slack.until(() => told.at(-1) === 'Slack is connected again.', 'the connection');
  expect(slack.sockets).toBe(1);
  expect(slack.calls('apps.connections.open')).toHaveLength(3);
});

test('an address for a socket that Slack does not give is asked for again, with pauses', async () => {
  const { slack, model, told } = await open();
  const rejections: unknown[] = [];
  const note = (reason: unknown) => void rejections.push(reason);
  process.on('unhandledRejection', note);
  slack.failNext('apps.connections.open', 500);
  slack.failNext('apps.connections.open', 'internal_error');
  await slack.dropSocket({ how: 'abrupt' });
  const talk = await ask(slack, 'one');
  (await model.next()).say('First.').end();
  expect(wordsOf(await talk.answer())).toMatch(/^First\.\n/);
  const [, ...tries] = slack.calls('apps.connections.open').map(({ at }) => at);
  expect(tries).toHaveLength(3);
  expect((tries[1] ?? 0) - (tries[0] ?? 0)).toBeGreaterThan(200);
  expect((tries[2] ?? 0) - (tries[1] ?? 0)).toBeGreaterThan(400);
  expect(slack.sockets).toBe(1);
  expect(told).toEqual([expect.stringContaining('is lost'), 'Slack is connected again.']);
  process.off('unhandledRejection', note);
  expect(rejections).toEqual([]);
});
