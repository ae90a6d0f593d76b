// The promise: where Slack refuses an answer, be it to edit a message or to take the answer at all, the thread has it all the same, once.

import { defineAgent } from '@ai-agent/core';
import { scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { buttonsOf, wordsOf } from './support/answers.ts';
import { openSlackHouse } from './support/slack-house.ts';
import { askToTheEnd } from './support/talk.ts';
import type { Message } from './support/workspace.ts';

async function answered(answer: string, prepare: readonly (readonly [method: string, word: string])[]) {
  const model = scriptedModel(() => answer);
  const agent = defineAgent({ name: 'desk', model, instructions: 'Answer.' });
  const { slack, told } = await openSlackHouse([agent], { settings: { streaming: 'edits' } });
  for (const [method, word] of prepare) slack.failNext(method, word);
  const asked = { channel: slack.channel('general'), user: slack.person('jane'), text: 'hello' };
  const { ts, messages } = await askToTheEnd(slack, asked);
  return { slack, told, ts, messages, channel: asked.channel };
}

test.each(['invalid_blocks', 'invalid_attachments', 'too_many_attachments', 'no_text'])(
  'as a file, with its buttons, where Slack says %s',
  async (word) => {
    const { slack, told, ts, messages } = await answered('Forty-two.', [['chat.update', word]]);
    const [message] = messages as [Message];
    expect(wordsOf(message)).toContain('the whole of it is in the file');
    expect(buttonsOf(message)).toEqual(['Retry', 'Details', 'Download JSON']);
    await slack.until(() => slack.uploads.length === 1, 'a file');
    expect(slack.uploads[0]).toMatchObject({ name: 'answer.md', text: 'Forty-two.', threadTs: ts });
    expect(told).toEqual([expect.stringContaining(`Slack refused chat.update: ${word}.`)]);
  },
);

test('in a new message, and in no other, where the old one cannot be edited', async () => {
  const { slack, channel, ts } = await answered('Forty-two.', [['chat.update', 'edit_window_closed']]);
  const ours = () => slack.thread(channel, ts).slice(1);
  await slack.until(() => ours().length === 1 && ours()[0]?.text === 'Forty-two.', 'the answer alone');
  expect(slack.uploads).toEqual([]);
});

test('where the file is refused too, the thread says so, and which scope is missing', async () => {
  const { slack, channel, ts, told } = await answered('Forty-two.', [
    ['chat.update', 'invalid_blocks'],
    ['files.getUploadURLExternal', 'missing_scope'],
  ]);
  const last = () => wordsOf(slack.thread(channel, ts).at(-1));
  await slack.until(() => last().startsWith('Slack did not take the file answer.md'), 'word of it');
  expect(last()).toMatch(/All of it is kept in the session\.$/);
  expect(told).toHaveLength(2);
});
