// An answer in Slack from which the work of a sub-agent is missing says so in its footer, and the details say why.

import { type Agent, asTool, defineAgent } from '@ai-agent/core';
import { scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { wordsOf } from './support/answers.ts';
import { openSlackHouse } from './support/slack-house.ts';
import { askToTheEnd } from './support/talk.ts';
import type { Message } from './support/workspace.ts';

const broken = (name: string) =>
  defineAgent({
    name,
    description: 'Looks.',
    instructions: 'Look.',
    model: scriptedModel(() => ({ fail: { code: 'model-auth', message: 'The provider does not know <this> key.' } })),
  });

async function answered(children: readonly Agent[]) {
  const calls = children.map(({ name }) => ({ name, input: { prompt: 'look', reason: `Asks *${name}*` } }));
  const model = scriptedModel((_, call) => (call === 1 ? { calls } : 'There it is.'));
  const desk = defineAgent({ name: 'desk', model, instructions: 'Answer.', tools: children.map((one) => asTool(one)) });
  const { slack } = await openSlackHouse([desk]);
  const jane = slack.person('jane');
  const { messages } = await askToTheEnd(slack, { channel: slack.channel('general'), user: jane, text: 'What is it?' });
  const answer = messages[0] as Message;
  return { slack, jane, answer, words: wordsOf(answer) };
}

test('one: the footer names it, and the details have the code of the reason', async () => {
  const { slack, jane, answer, words } = await answered([broken('scout')]);
  expect(words).toMatch(/^There it is\./);
  expect(words).toContain(' · 1 sub-agent · incomplete: scout failed');
  await slack.press(answer, 'Details', jane);
  await slack.until(() => slack.calls('views.update').length === 1);
  const details = wordsOf({ blocks: [...(slack.views[0]?.blocks ?? [])] });
  const missing = details.slice(details.indexOf('Missing from the answer'), details.indexOf('Ledger'));
  expect(missing).toContain('scout  Asks *scout*  failed (model-auth)');
  expect(missing).not.toContain('does not know');
});

test('several: the footer counts them', async () => {
  const { words } = await answered([broken('scout'), broken('guide')]);
  expect(words).toContain(' · 2 sub-agents · incomplete: 2 sub-agents');
});

test('none: neither has a word of it', async () => {
  const sound = { ...broken('scout'), model: scriptedModel(() => 'Seen.') };
  const { slack, jane, answer, words } = await answered([sound]);
  expect(words).not.toContain('incomplete');
  await slack.press(answer, 'Details', jane);
  await slack.until(() => slack.calls('views.update').length === 1);
  expect(wordsOf({ blocks: [...(slack.views[0]?.blocks ?? [])] })).not.toContain('Missing from the answer');
});
