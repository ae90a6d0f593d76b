// The promise: where an answer can be put nowhere, what showed its run at work says that something went wrong, and has no buttons.

import { defineAgent } from '@ai-agent/core';
import { scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { buttonsOf, wordsOf } from './support/answers.ts';
import { openSlackHouse } from './support/slack-house.ts';
import { ask } from './support/talk.ts';

test('Slack refuses the edit and the post', async () => {
  const gate = Promise.withResolvers<void>();
  const model = scriptedModel(() => ({ text: 'Here it is.', until: gate.promise }));
  const agent = defineAgent({ name: 'desk', model, instructions: 'Answer.' });
  const { slack, told } = await openSlackHouse([agent], { streaming: false, settings: { updateIntervalMs: 60_000 } });
  const { status, ours } = await ask(slack, 'go');
  await status();
  // The next edit is the answer.
  await slack.until(() => slack.calls('chat.update').length === 1, 'an edit of the status');
  slack.failNext('chat.update', 'cant_update_message');
  slack.failNext('chat.postMessage', 'restricted_action');
  gate.resolve();
  await slack.until(() => !ours().flatMap(buttonsOf).includes('Cancel'), 'that nothing looks at work');
  expect(ours().map(wordsOf)).toEqual(['Something went wrong on our side. It was noted.']);
  await expect.poll(() => told).toEqual([expect.stringContaining('restricted_action')]);
});
