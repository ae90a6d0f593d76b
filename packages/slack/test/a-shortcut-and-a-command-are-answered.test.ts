// The promise: what is called on a message or by a slash command is acknowledged at once, and answered in a thread; where that cannot be, who called it is told.

import { defineAgent } from '@ai-agent/core';
import { scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { wordsOf } from './support/answers.ts';
import { openSlackHouse } from './support/slack-house.ts';
import { whenEnded } from './support/talk.ts';

async function openDesk(settings = {}) {
  const model = scriptedModel(() => 'Here it is.');
  const house = await openSlackHouse([defineAgent({ name: 'desk', model, instructions: 'Answer.' })], { settings });
  return { ...house, model, jane: house.slack.person('jane') };
}

test('a shortcut is answered in the thread of its message', async () => {
  const { slack, model, jane } = await openDesk();
  const channel = slack.channel('general');
  const { ts } = await slack.say({ channel, user: slack.person('joe'), text: 'the printer burns' });
  await slack.shortcut({ channel, ts, callbackId: 'ask_bot', user: jane });
  const [answer] = await whenEnded(slack, { channel, ts });
  expect(answer?.text).toBe('Here it is.');
  expect(JSON.stringify(model.requests[0]?.messages)).toContain(
    'A message by joe, handed on by jane:\\nthe printer burns',
  );
});

test('both are acknowledged before anything else is done', async () => {
  const { slack, jane, model } = await openDesk();
  const channel = slack.channel('general');
  const { ts } = await slack.say({ channel, user: jane, text: 'the printer burns' });
  const releases = [slack.holdNext('chat.postMessage'), slack.holdNext('chat.postMessage')];
  await slack.shortcut({ channel, ts, callbackId: 'ask_bot', user: jane });
  await slack.command({ command: '/ask', text: 'where is it?', channel, user: jane });
  expect(model.requests).toEqual([]);
  for (const release of releases) release();
  await slack.until(() => model.requests.length === 2, 'both');
});

test('a shortcut where we may not write says so to who called it', async () => {
  const { slack, model, jane } = await openDesk();
  const channel = slack.channel('elsewhere', { bot: false });
  const { ts } = slack.workspace.post({ channel, user: jane, text: 'the printer burns' });
  await slack.shortcut({ channel, ts, callbackId: 'ask_bot', user: jane });
  await slack.until(() => slack.ephemerals.length === 1);
  expect(slack.ephemerals[0]?.text).toContain('invite me');
  expect(model.requests).toEqual([]);
});

test('a command is acknowledged at once, and answered under a message that says what was asked', async () => {
  const { slack, jane } = await openDesk();
  const channel = slack.channel('general');
  const begunAt = performance.now();
  await slack.command({ command: '/ask', text: 'where is it?', channel, user: jane });
  expect(performance.now() - begunAt).toBeLessThan(1_000);
  await slack.until(() => slack.messages(channel).length > 0);
  const [question] = slack.messages(channel);
  expect(question?.text).toBe('jane asks: where is it?');
  const [answer] = await whenEnded(slack, { channel, ts: question?.ts ?? '' });
  expect(answer?.text).toBe('Here it is.');
  expect(slack.ephemerals).toEqual([]);
});

test('where we are not in the channel it is answered in a direct message, by the rules of the channel, and the person is told', async () => {
  const { slack, jane, model } = await openDesk({ dms: false });
  const channel = slack.channel('elsewhere', { bot: false });
  await slack.command({ command: '/ask', text: 'where is it?', channel, user: jane });
  const direct = slack.dm(jane);
  await slack.until(() => slack.messages(direct).length > 0);
  const [answer] = await whenEnded(slack, { channel: direct, ts: slack.messages(direct)[0]?.ts ?? '' });
  expect(wordsOf(answer ?? { blocks: [] })).toContain('Here it is.');
  expect(slack.ephemerals.map(({ text }) => text)).toEqual([
    'I am not in this channel: the answer is in our direct messages.',
  ]);
  expect(model.requests).toHaveLength(1);
});

test('an empty command says how it is used', async () => {
  const { slack, model, jane } = await openDesk();
  const ack = await slack.command({ command: '/ask', text: '  ', channel: slack.channel('general'), user: jane });
  expect(ack.ackPayload).toMatchObject({ response_type: 'ephemeral', text: expect.stringContaining('/ask what is') });
  expect(model.requests).toEqual([]);
});
