// The promise: an answer that comes to nothing, because its run may not begin, leaves the question as it was: open, and with its buttons.

import { defineAgent } from '@ai-agent/core';
import { scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { buttonsOf, isAnswered, wordsOf } from './support/answers.ts';
import { openSlackHouse } from './support/slack-house.ts';
import { ask } from './support/talk.ts';

test('where a rate is used up, and by another who may', async () => {
  const input = { question: 'Which colour?', choices: ['red', 'blue'] };
  const model = scriptedModel((request) =>
    request.messages.at(-1)?.role === 'tool' ? 'Thank you.' : { calls: [{ name: 'ask_user', input }] },
  );
  const agent = defineAgent({ name: 'desk', model, instructions: 'Ask.', ask: 'person' });
  const admins: string[] = [];
  const perUser = { requestsPerMinute: 1 };
  const { slack } = await openSlackHouse([agent], { perUser, settings: { admins } });
  const talk = await ask(slack, 'go');
  const root = slack.person('root');
  admins.push(root);
  const find = () => talk.ours().find((message) => buttonsOf(message).includes('blue'));
  await slack.until(() => find() !== undefined, 'a question');
  const question = find();
  await slack.press({ channel: talk.channel, ts: question?.ts ?? '' }, 'blue', talk.user);
  await slack.until(
    () => talk.ours().some((one) => wordsOf(one).startsWith('You may start 1 run a minute')),
    'a refusal',
  );
  expect(buttonsOf(find())).toContain('blue');
  await slack.press({ channel: talk.channel, ts: question?.ts ?? '' }, 'blue', root);
  await slack.until(() => isAnswered(slack.thread(talk.channel, talk.ts), 'Thank you.'), 'the end');
  await slack.until(() => find() === undefined, 'that it is settled');
});
