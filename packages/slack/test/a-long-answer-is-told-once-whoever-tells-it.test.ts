// The promise: an answer of many messages is in its thread once and in order, also when who began to tell it goes in the middle, and when several could go on.

import { setTimeout } from 'node:timers/promises';
import { defineAgent } from '@ai-agent/core';
import { scriptedModel } from '@ai-agent/core/testing';
import { expect, onTestFinished, test } from 'vitest';
import { isAnswered, wordsOf } from './support/answers.ts';
import { newFile, openKept } from './support/kept.ts';
import { openSlackHouse } from './support/slack-house.ts';
import { startSlack } from './support/slack-stand-in.ts';

/** So long that it takes six messages. */
const words = Array.from({ length: 10_000 }, (_, index) => `w${String(index).padStart(4, '0')}`);

async function openLong() {
  const slack = await startSlack();
  onTestFinished(() => slack.close());
  const model = scriptedModel((_, call) => (call === 1 ? words.join(' ') : 'Short.'));
  const agent = defineAgent({ name: 'desk', model, instructions: 'Answer.' });
  const path = newFile();
  const first = await openSlackHouse([agent], { slack, store: await openKept(path) });
  const [channel, user] = [slack.channel('general'), slack.person('jane')];
  const { ts } = await slack.say({ channel, user, text: `<@${slack.bot}> all of it` });
  const ours = () => slack.thread(channel, ts).filter((message) => message.user === slack.bot);
  const openAgain = async () => openSlackHouse([agent], { slack, store: await openKept(path) });
  /** Every word of the answer, as often and in the order in which it stands there. */
  const told = () => ours().flatMap((message) => wordsOf(message).match(/w\d{4}/g) ?? []);
  return { slack, first, channel, user, ts, ours, told, openAgain };
}

test('a server that goes in the middle leaves the rest to those that come after it, of whom one tells it', async () => {
  const { slack, first, ours, told, channel, ts, openAgain } = await openLong();
  await slack.until(() => ours().length >= 2, 'some of it');
  await first.stop(0);
  expect(told().length).toBeLessThan(words.length);
  // A process takes longer to start.
  await setTimeout(1_000);
  await Promise.all([openAgain(), openAgain()]);
  await slack.until(() => isAnswered(slack.thread(channel, ts), 'w9999'), 'all of it');
  expect(told()).toEqual(words);
});

test('who asks meanwhile has their answer after it', async () => {
  const { slack, first, ours, told, channel, user, ts, openAgain } = await openLong();
  await slack.until(() => ours().length >= 2, 'some of it');
  await first.stop(0);
  await setTimeout(1_000);
  await openAgain();
  await slack.say({ channel, user, text: `<@${slack.bot}> and in short?`, threadTs: ts });
  await slack.until(() => isAnswered(slack.thread(channel, ts), 'Short.'), 'both');
  expect(told()).toEqual(words);
  expect(wordsOf(ours().at(-1))).toContain('Short.');
});
