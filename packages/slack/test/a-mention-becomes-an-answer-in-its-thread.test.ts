// The promise: who mentions the bot finds the answer in the thread of the message, with what it cost and what can be done with it.

import { defineAgent } from '@ai-agent/core';
import { scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { openSlackHouse } from './support/slack-house.ts';

test('a mention is answered in its thread, with a footer and buttons', async () => {
  const model = scriptedModel(['It is **blue**.']);
  const { slack, told } = await openSlackHouse([defineAgent({ name: 'desk', model, instructions: 'Answer.' })], {
    settings: { pageUrl: 'https://agents.example.com' },
  });
  const channel = slack.channel('general');
  const { ts } = await slack.say({ channel, user: slack.person('jane'), text: `<@${slack.bot}> what colour is it?` });
  await slack.until(() => JSON.stringify(slack.thread(channel, ts)).includes('Retry'), 'an answer');
  const [, answer] = slack.thread(channel, ts);
  const blocks = answer?.blocks ?? [];
  expect(blocks.map(({ type }) => type)).toEqual(['rich_text', 'context', 'actions']);
  expect(JSON.stringify(blocks[0])).toContain('"text":"blue","style":{"bold":true}');
  expect(JSON.stringify(blocks[1])).toMatch(
    /desk · .*15 tokens · .*<https:\/\/agents.example.com\/#\/s\/\w+\|Timeline>/,
  );
  expect(model.requests.map(({ messages }) => JSON.stringify(messages))).toEqual([
    expect.stringContaining('"what colour is it?"'),
  ]);
  expect(slack.messages(channel)).toHaveLength(2);
  expect(told).toEqual([]);
});
