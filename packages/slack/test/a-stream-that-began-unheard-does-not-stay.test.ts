// The promise: a stream that Slack began, and of which we did not hear, is taken away when the answer stands.

import { defineAgent } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { TypingModel } from '../../web/test/support/page-server.ts';
import { wordsOf } from './support/answers.ts';
import { openSlackHouse } from './support/slack-house.ts';
import { ask } from './support/talk.ts';

test.each([
  ['with some of the words', 'It was the gardener, ', 'and nobody else.'],
  ['with all of them', 'It was the gardener, and nobody else. ', ''],
])('the line is cut when it begins, %s', async (_, first, rest) => {
  const model = new TypingModel();
  const { slack } = await openSlackHouse([defineAgent({ name: 'desk', model, instructions: 'Answer.' })]);
  slack.loseNext('chat.startStream');
  const { answer, ours } = await ask(slack, 'who?');
  const typing = await model.next();
  typing.say(first);
  await slack.until(() => ours().some(({ isStreaming }) => isStreaming), 'a stream');
  typing.say(rest).end();
  await answer();
  await slack.until(() => ours().length === 1, 'nothing else');
  expect(ours().map(wordsOf)).toEqual([expect.stringContaining('It was the gardener, and nobody else.')]);
  expect(ours()[0]?.isStreaming).toBeFalsy();
});
