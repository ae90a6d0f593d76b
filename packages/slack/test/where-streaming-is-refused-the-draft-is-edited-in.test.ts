// The promise: where Slack has no streaming calls, the draft stands in the message that shows the run at work, and the answer takes its place.

import { defineAgent } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { TypingModel } from '../../web/test/support/page-server.ts';
import { buttonsOf, wordsOf } from './support/answers.ts';
import { openSlackHouse, type SlackHouseOptions } from './support/slack-house.ts';
import { ask } from './support/talk.ts';

async function open(options: SlackHouseOptions) {
  const model = new TypingModel();
  const house = await openSlackHouse([defineAgent({ name: 'desk', model, instructions: 'Answer.' })], options);
  return { ...house, model };
}

test.each([
  ['Slack does not know the call', { streaming: false }, undefined, 1],
  ['a scope is missing', {}, 'missing_scope', 1],
  ['it is none of this kind of channel', {}, 'channel_type_not_supported', 1],
  ['the settings say so', { settings: { streaming: 'edits' } }, undefined, 0],
] as const)('the draft stands in the status message where %s', async (_, options, word, starts) => {
  const { slack, model, told } = await open(options);
  if (word) slack.failNext('chat.startStream', word);
  const talk = await ask(slack, 'what colour is it?');
  const typing = await model.next();
  const status = await talk.status();
  typing.say('It is **blue**, I ');
  await slack.until(() => wordsOf(status).startsWith('It is blue, I'), 'the draft');
  expect(buttonsOf(status)).toEqual(['Stop', 'Cancel']);
  expect(JSON.stringify(status.blocks[0])).toContain('"style":{"bold":true}');
  typing.say('think.').end();
  const answer = await talk.answer();
  expect(answer.ts).toBe(status.ts);
  expect(wordsOf(answer)).toMatch(/^It is blue, I think\.\n/);
  expect(talk.ours()).toHaveLength(1);
  expect(slack.calls('chat.startStream')).toHaveLength(starts);
  expect(told).toEqual([]);
});

test('an edit that is late does not stand over the answer', async () => {
  const { slack, model } = await open({ streaming: false });
  const talk = await ask(slack, 'what colour is it?');
  const typing = await model.next();
  typing.say('It is ');
  const release = slack.holdNext('chat.update');
  await slack.until(() => slack.calls('chat.update').length === 1, 'an edit');
  typing.say('blue.').end();
  // Longer than edits are kept apart.
  await new Promise((resolve) => setTimeout(resolve, 1_300));
  expect(slack.calls('chat.update')).toHaveLength(1);
  release();
  const answer = await talk.answer();
  expect(slack.calls('chat.update')).toHaveLength(2);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(wordsOf(answer)).toMatch(/^It is blue\.\n/);
  expect(buttonsOf(answer)).toContain('Retry');
});

test('nor does one that is late while somebody presses a button', async () => {
  const { slack, model } = await open({ streaming: false });
  const talk = await ask(slack, 'what colour is it?');
  (await model.next()).say('It is ');
  const status = await talk.status();
  const release = slack.holdNext('chat.update');
  await slack.until(() => slack.calls('chat.update').length === 1, 'an edit');
  await slack.press(status, 'Cancel', talk.user);
  await new Promise((resolve) => setTimeout(resolve, 1_300));
  expect(slack.calls('chat.update')).toHaveLength(1);
  release();
  expect(wordsOf(await talk.answer())).toContain('Cancelled by jane.');
  expect(slack.calls('chat.update')).toHaveLength(2);
});

test.each([
  [1, 1_000, 3],
  [1, 3_000, 1],
  [3, 1_000, 1],
])('many words a second are few edits: of %i at once, every %i ms', async (runs, updateIntervalMs, most) => {
  const { slack, model } = await open({ streaming: false, settings: { updateIntervalMs } });
  const talks = await Promise.all(Array.from({ length: runs }, (_, index) => ask(slack, 'count', { in: `c${index}` })));
  const typings = await Promise.all(talks.map(() => model.next()));
  const begunAt = Date.now();
  for (let i = 0; Date.now() - begunAt < 2_500; i++) {
    for (const typing of typings) typing.say(`word${i} `);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  for (const { channel } of talks) {
    const edits = slack.calls('chat.update').filter(({ args }) => args.channel === channel);
    expect(edits.length).toBeGreaterThan(0);
    expect(edits.length).toBeLessThanOrEqual(most);
  }
  for (const typing of typings) typing.say('end').end();
  for (const talk of talks) await talk.answer();
});
