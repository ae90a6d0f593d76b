// The promise: a file of an answer that could not be brought is brought later, also where its thread has gone on meanwhile.

import { defineAgent } from '@ai-agent/core';
import { scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { isAnswered } from './support/answers.ts';
import { lookOften } from './support/look-often.ts';
import { openSlackHouse } from './support/slack-house.ts';
import { ask, askToTheEnd } from './support/talk.ts';

const long = 'Words and words. '.repeat(15_000);

test('once, and nothing of what came after it is touched', { timeout: 40_000 }, async () => {
  let laterMs = 0;
  const clock = { ...lookOften, now: () => lookOften.now() + laterMs };
  const model = scriptedModel((_, call) => (call === 1 ? long : `Answer ${call}.`));
  const agent = defineAgent({ name: 'desk', model, instructions: 'Answer.' });
  const { slack, hall } = await openSlackHouse([agent], { clock });
  slack.failUploads(true);
  const { channel, user, ts } = await ask(slack, 'all of it');
  const isTried = () => slack.calls('files.getUploadURLExternal').length > 0;
  await expect.poll(isTried, { timeout: 30_000 }).toBe(true);
  await expect.poll(() => hall.notes.names('slack:hold:', 9)).toEqual([]);
  await askToTheEnd(slack, { channel, user, text: 'go on', threadTs: ts });
  await slack.until(() => isAnswered(slack.thread(channel, ts), 'Answer 2.'));
  const told = slack.thread(channel, ts).map((message) => message.ts);
  expect(slack.uploads).toHaveLength(0);
  slack.failUploads(false);
  laterMs = 60 * 60_000;
  await slack.until(() => slack.uploads.length > 0, 'the file');
  await expect.poll(() => hall.notes.names('slack:run:', 9)).toEqual([]);
  expect(slack.uploads.map(({ text }) => text.trim())).toEqual([long.trim()]);
  const standing = slack.thread(channel, ts).map((message) => message.ts);
  expect(standing.filter((one) => told.includes(one))).toEqual(told);
});
