// The promise: what a deny rule shuts out is not answered, however it is said or pressed; rules, templates and the default say who answers the rest.

import { defineAgent } from '@ai-agent/core';
import { scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import type { SlackRouting, SlackSettings } from '../src/index.ts';
import { newFile, openKept } from './support/kept.ts';
import { openSlackHouse } from './support/slack-house.ts';
import { askToTheEnd, whenEnded } from './support/talk.ts';
import type { Message } from './support/workspace.ts';

async function openWith(routing: SlackRouting, settings: Partial<SlackSettings> = {}) {
  const model = scriptedModel(() => 'First.');
  const second = scriptedModel(() => 'Second.');
  const house = await openSlackHouse(
    [
      defineAgent({ name: 'first', model, instructions: 'Answer.' }),
      defineAgent({ name: 'second', model: second, instructions: 'Answer.' }),
    ],
    { settings: { routing, ...settings } },
  );
  return { ...house, model, second, jane: house.slack.person('jane') };
}

const refusal = 'I do not answer here.';

test('a mention, a shortcut, a command and a direct message are refused to who asked alone; a post in silence', async () => {
  const { slack, model, jane } = await openWith({
    deny: [{ channels: ['*'] }],
    rules: [{ channels: ['*'], agent: 'first' }],
  });
  const channel = slack.channel('secret');
  const { ts } = await slack.say({ channel, user: jane, text: 'a post' });
  await slack.say({ channel, user: jane, text: `<@${slack.bot}> hello` });
  await slack.until(() => slack.ephemerals.length === 1);
  await slack.shortcut({ channel, ts, callbackId: 'ask_bot', user: jane });
  await slack.until(() => slack.ephemerals.length === 2);
  await slack.command({ command: '/ask', text: 'hello', channel, user: jane });
  await slack.until(() => slack.ephemerals.length === 3);
  await slack.say({ channel: slack.dm(jane), user: jane, text: 'hello' });
  await slack.until(() => slack.ephemerals.length === 4);
  // Where we are no member nothing but the answer to the call reaches anybody.
  await slack.command({
    command: '/ask',
    text: 'hello',
    channel: slack.channel('elsewhere', { bot: false }),
    user: jane,
  });
  await slack.until(() => slack.ephemerals.length === 5);
  expect(slack.ephemerals.map(({ text, ephemeralFor }) => [text, ephemeralFor])).toEqual(
    Array(5).fill([refusal, jane]),
  );
  expect(model.requests).toEqual([]);
  expect(slack.calls('chat.postMessage')).toEqual([]);
});

test('a button that was there before the rule is refused to who presses it', async () => {
  const store = await openKept(newFile());
  const model = scriptedModel(() => 'Done.');
  const agents = [defineAgent({ name: 'desk', model, instructions: 'Answer.' })];
  const before = await openSlackHouse(agents, { store });
  const { slack } = before;
  const asked = { channel: slack.channel('general'), user: slack.person('jane'), text: 'hello' };
  const { messages } = await askToTheEnd(slack, asked);
  await before.stop();
  await openSlackHouse(agents, { slack, store, settings: { routing: { deny: [{ channels: ['#general'] }] } } });
  for (const button of ['Retry', 'Details', 'Download JSON'])
    await slack.press(messages[0] as Message, button, asked.user);
  await slack.until(() => slack.ephemerals.length === 3);
  for (const said of slack.ephemerals) expect(said).toMatchObject({ text: refusal, ephemeralFor: asked.user });
  expect([slack.views, slack.uploads]).toEqual([[], []]);
  expect(model.requests).toHaveLength(1);
});

test('a deny rule by name holds where the name cannot be found', async () => {
  const { slack, model, jane } = await openWith({ deny: [{ channels: ['#secret'] }] });
  slack.failNext('conversations.info', 'missing_scope', 5);
  await slack.say({ channel: slack.channel('open'), user: jane, text: `<@${slack.bot}> hello` });
  await slack.until(() => slack.ephemerals.length === 1);
  expect(slack.ephemerals[0]?.text).toBe(refusal);
  expect(model.requests).toEqual([]);
});

test('a rule chooses the agent by name, id and glob, and fills its template', async () => {
  const { slack, model, second, jane } = await openWith({
    deny: [{ channels: ['#help-secret'] }],
    rules: [
      {
        channels: ['#help-*'],
        agent: 'second',
        promptTemplates: { channelPost: 'In #{channel.name}, {user.label}: {text}' },
      },
    ],
  });
  const help = slack.channel('help-desk');
  const post = await slack.say({ channel: help, user: jane, text: 'It is broken.' });
  const [answer] = await whenEnded(slack, { channel: help, ts: post.ts });
  expect(answer?.thread_ts).toBe(post.ts);
  expect(answer?.text).toBe('Second.');
  expect(JSON.stringify(second.requests[0]?.messages)).toContain('In #help-desk, jane: It is broken.');
  const { messages } = await askToTheEnd(slack, { channel: slack.channel('general'), user: jane, text: 'hello' });
  expect(messages[0]?.text).toBe('First.');
  await slack.say({ channel: slack.channel('help-secret'), user: jane, text: `<@${slack.bot}> hello` });
  await slack.until(() => slack.ephemerals.length === 1);
  expect([model.requests.length, second.requests.length]).toEqual([1, 1]);
});

test('mentions and direct messages are switched off, and the default says what it engages in', async () => {
  const off = await openWith({}, { mentions: false, dms: false });
  await off.slack.say({ channel: off.slack.channel('general'), user: off.jane, text: `<@${off.slack.bot}> hello` });
  await off.slack.say({ channel: off.slack.dm(off.jane), user: off.jane, text: 'hello' });
  await off.slack.until(() => off.slack.ephemerals.length === 2);
  expect(off.model.requests).toEqual([]);
  const posts = await openWith({ default: { engage: ['channel-posts'] } });
  const channel = posts.slack.channel('general');
  await posts.slack.say({ channel, user: posts.jane, text: `<@${posts.slack.bot}> hello` });
  await posts.slack.until(() => posts.slack.ephemerals.length === 1);
  const { ts } = await posts.slack.say({ channel, user: posts.jane, text: 'a post' });
  const [answer] = await whenEnded(posts.slack, { channel, ts });
  expect(answer?.text).toBe('First.');
});
