// The promise: whatever goes wrong is said where it was asked, with what to do about it.

import { type Agent, AgentError, defineAgent } from '@ai-agent/core';
import { scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { buttonsOf, wordsOf } from './support/answers.ts';
import { openSlackHouse } from './support/slack-house.ts';
import { askToTheEnd, whenEnded } from './support/talk.ts';
import type { Message } from './support/workspace.ts';

test('a model that fails: what happened, what to do, and a Retry that works', async () => {
  const model = scriptedModel((_, call) =>
    call === 1 ? { fail: { code: 'model-auth', message: 'The provider does not know this key.' } } : 'It works.',
  );
  const { slack, told } = await openSlackHouse([defineAgent({ name: 'desk', model, instructions: 'Answer.' })]);
  const channel = slack.channel('general');
  const user = slack.person('jane');
  const { ts, messages } = await askToTheEnd(slack, { channel, user, text: 'hello' });
  const failed = messages[0] as Message;
  expect(wordsOf(failed)).toContain('The provider does not know this key.');
  expect(wordsOf(failed)).toContain('Failed (model-auth)');
  expect(buttonsOf(failed)).toContain('Retry');
  await slack.press(failed, 'Retry', user);
  await slack.until(() => slack.thread(channel, ts).length === 3);
  expect((await whenEnded(slack, { channel, ts })).at(-1)?.text).toBe('It works.');
  expect(told).toEqual([]);
});

test('an agent of a rule that is not served is told in the thread', async () => {
  const model = scriptedModel([]);
  const routing = { rules: [{ channels: ['*'], agent: 'gone' }] };
  const { slack, told } = await openSlackHouse([defineAgent({ name: 'desk', model, instructions: 'Answer.' })], {
    settings: { routing },
  });
  const { messages } = await askToTheEnd(slack, {
    channel: slack.channel('general'),
    user: slack.person('jane'),
    text: 'hello',
  });
  expect(wordsOf(messages[0] as Message)).toMatch(/gone is not served here\.\nWhoever runs the server/);
  expect(told).toEqual([]);
});

test('an agent whose definition is wrong is told in the thread', async () => {
  const model = scriptedModel([]);
  const wrong = { ...defineAgent({ name: 'desk', model, instructions: 'Answer.' }), parallel: 13 } as Agent;
  const { slack } = await openSlackHouse([wrong]);
  const asked = { channel: slack.channel('general'), user: slack.person('jane'), text: 'hello' };
  const { messages } = await askToTheEnd(slack, asked);
  expect(messages.map(wordsOf)).toEqual([
    expect.stringMatching(/^agent desk: parallel is not known;.*\nCorrect the agent definition/),
  ]);
});

test('where a thread cannot be looked up, who asked is told, and who pressed', async () => {
  const model = scriptedModel(() => 'Done.');
  const { slack, hall, told } = await openSlackHouse([defineAgent({ name: 'desk', model, instructions: 'Answer.' })]);
  const channel = slack.channel('general');
  const user = slack.person('jane');
  const { ts, messages } = await askToTheEnd(slack, { channel, user, text: 'hello' });
  hall.session = async () => {
    throw new AgentError('store-unreachable', 'The store has not answered for 2 seconds.');
  };
  await slack.say({ channel, user, threadTs: ts, text: `<@${slack.bot}> and now?` });
  await slack.until(() => slack.ephemerals.length === 1, 'word of it');
  for (const button of ['Retry', 'Download JSON']) await slack.press(messages[0] as Message, button, user);
  await slack.until(() => slack.ephemerals.length === 3, 'word of it');
  for (const said of slack.ephemerals)
    expect(said).toMatchObject({ ephemeralFor: user, text: 'The store has not answered for 2 seconds.' });
  expect(told).toHaveLength(3);
});

test('a server that stops takes nothing up, and says so', async () => {
  const model = scriptedModel([]);
  const { slack, hall } = await openSlackHouse([defineAgent({ name: 'desk', model, instructions: 'Answer.' })]);
  await hall.stop(0);
  const { messages } = await askToTheEnd(slack, {
    channel: slack.channel('general'),
    user: slack.person('jane'),
    text: 'hello',
  });
  expect(wordsOf(messages[0] as Message)).toMatch(/stop/i);
});

test('a server that is full says so, and when to come again', async () => {
  const gate = Promise.withResolvers<void>();
  const model = scriptedModel(() => ({ text: 'Done.', until: gate.promise }));
  const { slack } = await openSlackHouse([defineAgent({ name: 'desk', model, instructions: 'Answer.' })], {
    places: { slack: { running: 1, waiting: 0 } },
  });
  const channel = slack.channel('general');
  const first = await slack.say({ channel, user: slack.person('jane'), text: `<@${slack.bot}> one` });
  await slack.until(() => model.requests.length === 1);
  const { messages } = await askToTheEnd(slack, { channel, user: slack.person('joe'), text: 'two' });
  expect(wordsOf(messages[0] as Message)).toMatch(/The one place is taken, and none may wait\./);
  expect(buttonsOf(messages[0] as Message)).toEqual([]);
  gate.resolve();
  expect((await whenEnded(slack, { channel, ts: first.ts }))[0]?.text).toBe('Done.');
});
