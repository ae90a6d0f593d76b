// The promise: what one person may use in Slack is bounded, in runs, tokens and places, and nobody else is hit by it.

import { defineAgent, defineTool } from '@ai-agent/core';
import { scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { buttonsOf, wordsOf } from './support/answers.ts';
import { openSlackHouse, type SlackHouseOptions } from './support/slack-house.ts';
import { askToTheEnd, whenEnded } from './support/talk.ts';

async function openFor(
  perUser: SlackHouseOptions['perUser'],
  model = scriptedModel(() => ({ text: 'Done.', usage: { inputTokens: 60_000, outputTokens: 10 } })),
) {
  const { slack } = await openSlackHouse([defineAgent({ name: 'desk', model, instructions: 'Answer.' })], { perUser });
  const channel = slack.channel('general');
  const ask = async (name: string) => {
    const { messages } = await askToTheEnd(slack, { channel, user: slack.person(name), text: 'hello' });
    return messages.map(wordsOf).join('\n');
  };
  return { slack, channel, model, ask };
}

test('so many requests a minute: then in words when to come again, and nobody else is hit', async () => {
  const { ask, model } = await openFor({ requestsPerMinute: 1 });
  expect(await ask('jane')).toContain('Done.');
  expect(await ask('jane')).toMatch(/^You may start .* a minute, and that many were started\.\nAsk again in 1 m\.$/);
  expect(await ask('joe')).toContain('Done.');
  expect(model.requests).toHaveLength(2);
});

test('so many tokens a day', async () => {
  const { ask, model } = await openFor({ allowance: { tokens: 50_000, per: 'day' } });
  await ask('jane');
  expect(await ask('jane')).toMatch(/^What you may use in one day is spent/);
  await ask('joe');
  expect(model.requests).toHaveLength(2);
});

test('so many runs at once: the next waits, and those of others do not', async () => {
  const gate = Promise.withResolvers<void>();
  const model = scriptedModel((_, call) => (call === 1 ? { text: 'First.', until: gate.promise } : `Run ${call}.`));
  const { slack, channel, ask } = await openFor({ concurrency: 1 }, model);
  const jane = slack.person('jane');
  const first = await slack.say({ channel, user: jane, text: `<@${slack.bot}> one` });
  await slack.until(() => model.requests.length === 1);
  const second = await slack.say({ channel, user: jane, text: `<@${slack.bot}> two` });
  await slack.until(() => JSON.stringify(slack.thread(channel, second.ts)).includes('waits for a place'), 'a wait');
  expect(await ask('joe')).toContain('Run 2.');
  gate.resolve();
  await whenEnded(slack, { channel, ts: first.ts });
  const [answer] = await whenEnded(slack, { channel, ts: second.ts });
  expect(answer?.text).toBe('Run 3.');
});

test('so much for each run: what ends it is told in words, beside what was done', async () => {
  const model = scriptedModel((_, call) =>
    call === 1
      ? { text: 'Begun.', calls: [{ name: 'note', input: {} }], usage: { inputTokens: 60_000, outputTokens: 10 } }
      : 'Further.',
  );
  const note = defineTool({
    name: 'note',
    description: 'Notes.',
    inputSchema: { type: 'object' },
    execute: () => 'Noted.',
  });
  const agent = defineAgent({ name: 'desk', model, instructions: 'Answer.', tools: [note] });
  const { slack } = await openSlackHouse([agent], { perUser: { budget: { tokens: 61_000 } } });
  const channel = slack.channel('general');
  const { messages } = await askToTheEnd(slack, { channel, user: slack.person('jane'), text: 'hello' });
  expect(messages.map(wordsOf).join('\n')).toContain('Cut short by its limit of tokens: this is what it had.');
  expect(messages.flatMap(buttonsOf)).toContain('Retry');
});
