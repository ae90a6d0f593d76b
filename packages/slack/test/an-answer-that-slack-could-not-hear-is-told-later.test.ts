// The promise: what a run came to while Slack could not be reached is in its thread when that is there again, once.

import { setTimeout } from 'node:timers/promises';
import { defineAgent } from '@ai-agent/core';
import { scriptedModel } from '@ai-agent/core/testing';
import { expect, onTestFinished, test } from 'vitest';
import { wordsOf } from './support/answers.ts';
import { openKept } from './support/kept.ts';
import { openSlackHouse } from './support/slack-house.ts';
import { startSlack } from './support/slack-stand-in.ts';
import { whenEnded } from './support/talk.ts';

async function openCut() {
  const slack = await startSlack();
  onTestFinished(() => slack.close());
  const store = await openKept();
  const { promise: isTold, resolve: answer } = Promise.withResolvers<void>();
  const model = scriptedModel((_, call) => (call === 1 ? { text: 'It was the gardener.', until: isTold } : 'Again.'));
  const agent = defineAgent({ name: 'sleuth', model, instructions: 'Find out.' });
  const [channel, user] = [slack.channel('crimes'), slack.person('jane')];
  const first = await openSlackHouse([agent], { slack, store });
  const { ts } = await slack.say({ channel, user, text: `<@${slack.bot}> who was it?` });
  await slack.until(() => model.requests.length === 1 && slack.thread(channel, ts).length === 2);
  slack.failNext('chat.update', 500, 3);
  answer();
  await slack.until(() => slack.calls('chat.update').length > 0, 'a try to tell it');
  return { slack, store, agent, channel, user, ts, first };
}

test('after a restart', async () => {
  const { slack, store, agent, channel, ts, first } = await openCut();
  await first.stop(200);
  expect(JSON.stringify(slack.thread(channel, ts))).not.toContain('the gardener');
  // A process takes longer to start.
  await setTimeout(1_000);
  const { headend } = await openSlackHouse([agent], { slack, store });
  await slack.until(() => JSON.stringify(slack.thread(channel, ts)).includes('the gardener'), 'the answer');
  const messages = await whenEnded(slack, { channel, ts });
  expect(messages.map(wordsOf)).toEqual([expect.stringContaining('It was the gardener.')]);
  expect(headend.running).toBe(0);
});
