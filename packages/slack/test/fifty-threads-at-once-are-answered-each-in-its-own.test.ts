// The promise: many ask at once in many channels: each has the answer to its own question in its own thread, within what Slack allows.

import { defineAgent } from '@ai-agent/core';
import { scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { wordsOf } from './support/answers.ts';
import { openSlackHouse } from './support/slack-house.ts';
import { ask } from './support/talk.ts';

const [channels, each] = [10, 5];

test('each is answered in its own thread, about its own question', async () => {
  const model = scriptedModel(({ messages }) => {
    const [, number] = /question (\d+)/.exec(JSON.stringify(messages)) ?? [];
    return `Answer ${number}.`;
  });
  const agent = defineAgent({ name: 'desk', model, instructions: 'Answer.' });
  const { slack, headend, hall, told } = await openSlackHouse([agent]);
  const begunAt = Date.now();
  const all = Array.from({ length: channels * each }, (_, i) => i);
  const talks = await Promise.all(
    all.map((i) => ask(slack, `question ${i}`, { in: `channel-${i % channels}`, by: `person-${i}` })),
  );
  const answers = await Promise.all(talks.map((talk) => talk.answer()));
  expect(answers.map((answer) => wordsOf(answer).split('\n')[0])).toEqual(all.map((i) => `Answer ${i}.`));
  expect(talks.map((talk) => talk.ours().length)).toEqual(all.map(() => 1));
  expect(Date.now() - begunAt).toBeLessThan(15_000);
  await slack.until(() => headend.running === 0, 'the end of all');
  expect(model.requests).toHaveLength(all.length);
  expect(slack.calls().filter(({ error }) => error !== undefined)).toEqual([]);
  expect(hall.running).toBe(0);
  expect(told).toEqual([]);
});
