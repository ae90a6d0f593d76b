// The promise: however long Slack takes to say what a channel is called, or to take the message that a command becomes, what was said is answered once, by one server.

import { setTimeout } from 'node:timers/promises';
import { defineAgent, type Json } from '@ai-agent/core';
import { scriptedModel } from '@ai-agent/core/testing';
import { expect, onTestFinished, test } from 'vitest';
import { isAnswered } from './support/answers.ts';
import { newFile, openKept } from './support/kept.ts';
import { lookOften } from './support/look-often.ts';
import { openSlackHouse, type SlackHouse } from './support/slack-house.ts';
import { startSlack } from './support/slack-stand-in.ts';
import { ask } from './support/talk.ts';

const someLooksMs = 500;

const settings = { routing: { deny: [{ channels: ['#announcements'] }] } };

async function openServers(count: number) {
  const slack = await startSlack();
  onTestFinished(() => slack.close());
  const model = scriptedModel((_, call) => `Answer ${call}.`);
  const agent = defineAgent({ name: 'desk', model, instructions: 'Answer.' });
  const path = newFile();
  const open = async () => openSlackHouse([agent], { slack, settings, store: await openKept(path), clock: lookOften });
  const [first, ...others] = [await open(), ...(count > 1 ? [await open()] : [])];
  return { slack, model, open, houses: [first, ...others] as const };
}

/** As if it had been heard some time ago. */
async function makeOld({ hall: { notes } }: SlackHouse): Promise<void> {
  await expect.poll(() => notes.names('slack:unbegun:', 9)).toHaveLength(1);
  const [name = ''] = await notes.names('slack:unbegun:', 9);
  const note = (await notes.get(name)) as Record<string, Json>;
  await notes.put(name, { ...note, atMs: 0 }, Date.now() + 60_000);
}

test.each([1, 2])('a mention where the name of the channel decides; servers: %i', async (count) => {
  const { slack, model, houses } = await openServers(count);
  const release = slack.holdNext('conversations.info');
  const talk = await ask(slack, 'go');
  await makeOld(houses[0]);
  await setTimeout(someLooksMs);
  expect(model.requests).toHaveLength(0);
  release();
  await talk.answer();
  await setTimeout(someLooksMs);
  expect(talk.ours()).toHaveLength(1);
  expect(model.requests).toHaveLength(1);
});

test.each([1, 2])('a command whose message is on its way; servers: %i', async (count) => {
  const { slack, model, houses } = await openServers(count);
  const [channel, user] = [slack.channel('general'), slack.person('jane')];
  const release = slack.holdNext('chat.postMessage');
  await slack.command({ command: '/ask', text: 'one', channel, user });
  await makeOld(houses[0]);
  await setTimeout(someLooksMs);
  expect(slack.calls('chat.postMessage')).toHaveLength(1);
  release();
  const threads = () => slack.messages(channel).map(({ ts }) => slack.thread(channel, ts));
  await slack.until(() => threads().some((thread) => isAnswered(thread, 'Answer 1.')), 'an answer');
  await setTimeout(someLooksMs);
  expect(slack.messages(channel).filter(({ text }) => text.includes('asks:'))).toHaveLength(1);
  expect(model.requests).toHaveLength(1);
});

test('a server that stops meanwhile leaves it to the next one', async () => {
  const { slack, model, open, houses } = await openServers(1);
  slack.failNext('conversations.info', 503, 3);
  const talk = await ask(slack, 'go');
  await makeOld(houses[0]);
  await houses[0].stop();
  const { hall } = await open();
  await talk.answer();
  expect(model.requests).toHaveLength(1);
  expect(slack.ephemerals).toEqual([]);
  await expect.poll(() => hall.notes.names('slack:unbegun:', 9)).toEqual([]);
});
