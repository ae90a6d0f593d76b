// The promise: a direct message is answered in its thread without a mention, and a reply there goes on; of several people together, who wants an answer mentions us.

import { defineAgent } from '@ai-agent/core';
import { scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { aboutOf, isAnswered, saidTo } from './support/answers.ts';
import { openSlackHouse } from './support/slack-house.ts';

function toDesk() {
  const model = scriptedModel((_, call) => `Answer ${call}.`);
  const agent = defineAgent({ name: 'desk', model, instructions: 'Answer.' });
  return { agent, said: () => model.requests.map(saidTo) };
}

test('it is answered in its thread, and a reply there goes on with the same session', async () => {
  const { agent, said } = toDesk();
  const { slack, headend, told } = await openSlackHouse([agent]);
  const user = slack.person('jane');
  const channel = slack.dm(user);
  const { ts } = await slack.say({ channel, user, text: 'What colour is it?' });
  await slack.until(() => isAnswered(slack.thread(channel, ts), 'Answer 1.'), 'an answer');
  // Who reads takes longer than Slack takes to tell us that the answer is there.
  await slack.until(() => headend.running === 0);
  await slack.say({ channel, user, text: 'And the roof?', threadTs: ts });
  await slack.until(() => isAnswered(slack.thread(channel, ts), 'Answer 2.'), 'a second answer');
  const [, first, , second] = slack.thread(channel, ts);
  expect(aboutOf(second)).toEqual({ ...aboutOf(first), round: 1 });
  expect(aboutOf(first)).toMatchObject({ round: 0, asker: user });
  expect(slack.messages(channel)).toHaveLength(4);
  expect(said()).toEqual([
    ['user: What colour is it?'],
    ['user: What colour is it?', 'assistant: Answer 1.', 'user: And the roof?'],
  ]);
  expect([told, slack.ephemerals]).toEqual([[], []]);
});

test('a second message beside the first is a session of its own', async () => {
  const { agent, said } = toDesk();
  const { slack } = await openSlackHouse([agent]);
  const user = slack.person('jane');
  const channel = slack.dm(user);
  const first = await slack.say({ channel, user, text: 'One?' });
  await slack.until(() => isAnswered(slack.thread(channel, first.ts), 'Answer 1.'));
  const second = await slack.say({ channel, user, text: 'Two?' });
  await slack.until(() => isAnswered(slack.thread(channel, second.ts), 'Answer 2.'));
  const sessions = [first, second].map(({ ts }) => aboutOf(slack.thread(channel, ts)[1])?.session);
  expect(new Set(sessions).size).toBe(2);
  expect(said()[1]).toEqual(['user: Two?']);
});

test('in a direct message of several, only a mention is answered', async () => {
  const { agent, said } = toDesk();
  const { slack } = await openSlackHouse([agent]);
  const [user, other] = [slack.person('jane'), slack.person('joe')];
  const channel = slack.channel('mpdm-jane-joe', { kind: 'mpim' });
  await slack.say({ channel, user: other, text: 'Shall we ask?' });
  const { ts } = await slack.say({ channel, user, text: `<@${slack.bot}> what colour is it?` });
  await slack.until(() => isAnswered(slack.thread(channel, ts), 'Answer 1.'));
  await slack.say({ channel, user: other, text: 'So it is.', threadTs: ts });
  await slack.say({ channel, user, text: `<@${slack.bot}> and the roof?`, threadTs: ts });
  await slack.until(() => isAnswered(slack.thread(channel, ts), 'Answer 2.'));
  expect(said().map((words) => words.at(-1))).toEqual(['user: what colour is it?', 'user: and the roof?']);
});

test('where direct messages are switched off, who writes one is told so', async () => {
  const { agent, said } = toDesk();
  const { slack } = await openSlackHouse([agent], { settings: { dms: false } });
  const user = slack.person('jane');
  const channel = slack.dm(user);
  await slack.say({ channel, user, text: 'What colour is it?' });
  await slack.until(() => slack.ephemerals.length === 1, 'a word');
  expect(slack.ephemerals[0]).toMatchObject({ text: 'I do not answer here.', ephemeralFor: user });
  expect(slack.messages(channel)).toHaveLength(1);
  expect(said()).toEqual([]);
});
