// The promise: whoever is impatient and presses Retry again gets one answer, and is told why there is no second.

import { defineAgent } from '@ai-agent/core';
import { scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { openSlackHouse } from './support/slack-house.ts';
import { askToTheEnd, whenEnded } from './support/talk.ts';
import type { Message } from './support/workspace.ts';

test('Retry pressed twice runs it again once', async () => {
  const model = scriptedModel((_, call) => `Answer ${call}.`);
  const { slack } = await openSlackHouse([defineAgent({ name: 'desk', model, instructions: 'Answer.' })]);
  const channel = slack.channel('general');
  const user = slack.person('jane');
  const { ts, messages } = await askToTheEnd(slack, { channel, user, text: 'hello' });
  const answer = messages[0] as Message;
  await Promise.all([slack.press(answer, 'Retry', user), slack.press(answer, 'Retry', user)]);
  await slack.until(() => slack.ephemerals.length === 1, 'word of it');
  expect(slack.ephemerals[0]?.text).toContain('tried again already');
  expect((await whenEnded(slack, { channel, ts })).map(({ text }) => text)).toEqual(['Answer 1.', 'Answer 2.']);
  expect(model.requests).toHaveLength(2);
});
