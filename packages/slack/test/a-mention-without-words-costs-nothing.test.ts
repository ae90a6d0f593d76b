// The promise: who mentions us and says nothing, where nothing was said before, is told so, and no model is asked.

import { defineAgent } from '@ai-agent/core';
import { scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { wordsOf } from './support/answers.ts';
import { openSlackHouse } from './support/slack-house.ts';
import { askToTheEnd } from './support/talk.ts';
import type { Message } from './support/workspace.ts';

test.each([undefined, 'Question: {text}'])(
  'a mention alone is a reason to ask what is wanted; in a thread it is about what was said there: %s',
  async (mention) => {
    const model = scriptedModel(() => 'Blue.');
    const agent = defineAgent({ name: 'desk', model, instructions: 'Answer.' });
    const routing = { default: { ...(mention && { promptTemplates: { mention } }) } };
    const { slack, told } = await openSlackHouse([agent], { settings: { historyLimit: 10, routing } });
    const [channel, user] = [slack.channel('general'), slack.person('jane')];
    const { ts, messages } = await askToTheEnd(slack, { channel, user, text: '' });
    expect(wordsOf(messages[0] as Message)).toMatch(/There are no words in it\.\nSay what you want to know\./);
    expect(model.requests).toHaveLength(0);
    await slack.say({ channel, user, text: 'Which colour has the sky?', threadTs: ts });
    const { messages: then } = await askToTheEnd(slack, { channel, user, text: '', threadTs: ts });
    expect(then.at(-1)?.text).toBe('Blue.');
    expect(JSON.stringify(model.requests[0]?.messages)).toContain('Which colour has the sky?');
    expect(told).toEqual([]);
  },
);
