// The promise: of several servers with the same tokens and one store, whichever hears of a thread waits for the other that is at work there, and both mean the same session.

import { defineAgent } from '@ai-agent/core';
import { scriptedModel } from '@ai-agent/core/testing';
import { expect, onTestFinished, test } from 'vitest';
import { aboutOf, buttonsOf, findAnswer, isAnswered, saidTo } from './support/answers.ts';
import { newFile, openKept } from './support/kept.ts';
import { openSlackHouse, type SlackHouse, type SlackHouseOptions } from './support/slack-house.ts';
import { startSlack } from './support/slack-stand-in.ts';
import type { Message } from './support/workspace.ts';

async function openTwo(settings: SlackHouseOptions['settings'] = {}) {
  const slack = await startSlack();
  onTestFinished(() => slack.close());
  const gate = Promise.withResolvers<void>();
  const model = scriptedModel((_, call) => ({ text: `Answer ${call}.`, until: gate.promise }));
  const agent = defineAgent({ name: 'desk', model, instructions: 'Answer.' });
  const path = newFile();
  const houses = [1, 2].map(async () => openSlackHouse([agent], { slack, settings, store: await openKept(path) }));
  const [{ hall }] = (await Promise.all(houses)) as [SlackHouse, SlackHouse];
  const whenFree = () => expect.poll(() => hall.notes.names('slack:hold:', 1)).toEqual([]);
  expect(slack.sockets).toBe(2);
  const [channel, user] = [slack.channel('general'), slack.person('jane')];
  return { slack, model, channel, user, whenFree, open: gate.resolve };
}

test('two messages that begin a thread are one session, one after the other', async () => {
  const { slack, model, channel, user, open } = await openTwo();
  const { ts } = await slack.say({ channel, user, text: 'We paint the house.' });
  for (const [to, words] of ['one', 'two'].entries()) {
    const said = { channel, user, text: `<@${slack.bot}> ${words}`, threadTs: ts, silently: true };
    for (const event of (await slack.say(said)).events) await slack.deliver(event, { to });
  }
  await slack.until(() => model.requests.length === 1 && slack.ephemerals.length === 1, 'the first at work');
  expect(slack.ephemerals[0]).toMatchObject({ ephemeralFor: user, text: 'I am still at work here; yours is next.' });
  open();
  await slack.until(() => isAnswered(slack.thread(channel, ts), 'Answer 2.'), 'both answers');
  const [one, two] = ['Answer 1.', 'Answer 2.'].map((words) => findAnswer(slack.thread(channel, ts), words));
  expect(aboutOf(one)?.session).toBe(aboutOf(two)?.session);
  expect(model.requests.map(saidTo)[1]).toHaveLength(3);
});

test('a thread that goes on is theirs in turn too, also while one of them only prepares', async () => {
  const { slack, model, channel, user, open, whenFree } = await openTwo({ historyLimit: 10 });
  open();
  const { ts } = await slack.say({ channel, user, text: `<@${slack.bot}> zero` });
  await slack.until(() => isAnswered(slack.thread(channel, ts), 'Answer 1.'), 'the first answer');
  await whenFree();
  const release = slack.holdNext('conversations.replies');
  for (const [to, words] of ['one', 'two'].entries()) {
    const said = { channel, user, text: `<@${slack.bot}> ${words}`, threadTs: ts, silently: true };
    for (const event of (await slack.say(said)).events) await slack.deliver(event, { to });
    await slack.until(() => slack.calls('conversations.replies').length > 0, 'the first to read what was said');
  }
  await slack.until(() => slack.ephemerals.length === 1, 'that it waits');
  expect(slack.ephemerals[0]?.text).toBe('I am still at work here; yours is next.');
  release();
  await slack.until(() => isAnswered(slack.thread(channel, ts), 'Answer 3.'), 'both');
  expect(model.requests.map((request) => saidTo(request).at(-1))).toEqual([
    expect.stringContaining('zero'),
    expect.stringContaining('one'),
    expect.stringContaining('two'),
  ]);
});

test('what one of them began the other ends', async () => {
  const { slack, model, channel, user } = await openTwo();
  const { ts, events } = await slack.say({ channel, user, text: `<@${slack.bot}> go`, silently: true });
  for (const event of events) await slack.deliver(event, { to: 0 });
  const status = () => slack.thread(channel, ts).find((message) => buttonsOf(message).includes('Cancel'));
  await slack.until(() => status() !== undefined && model.requests.length === 1, 'a status');
  await slack.press(status() as Message, 'Cancel', user, { to: 1 });
  await slack.until(() => isAnswered(slack.thread(channel, ts), 'Cancelled'), 'the end');
});
