// A provider gets its reasoning back under the name it used, if it takes it back at all: other names are refused.

import { userMessage } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { modelAt, requestOf, ways } from './support/calling.ts';
import { serve } from './support/raw-server.ts';

const thoughts = [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }];

async function sentBack(message: object, context: (typeof ways)[number][1]) {
  const bodies: { messages: Record<string, unknown>[] }[] = [];
  const { baseUrl } = await serve((_, response, body) => {
    const asked = JSON.parse(body);
    bodies.push(asked);
    const choice = { index: 0, [asked.stream ? 'delta' : 'message']: message, finish_reason: 'stop' };
    const reply = JSON.stringify({ id: '1', choices: [choice] });
    response.end(asked.stream ? `data: ${reply}\n\n` : reply);
  });
  const model = await modelAt(baseUrl);
  const first = await model.call(requestOf(), context());
  expect(first.message.content).toContainEqual(expect.objectContaining({ type: 'reasoning', text: 'Hm.' }));
  await model.call(requestOf({ messages: [userMessage('One.'), first.message, userMessage('Two.')] }), context());
  return bodies[1]?.messages.slice(1);
}

test.each(ways)('reasoning_content comes back: %s', async (_, context) => {
  expect(await sentBack({ reasoning_content: 'Hm.', content: 'So.' }, context)).toMatchObject([
    { role: 'user' },
    { role: 'assistant', content: 'So.', reasoning_content: 'Hm.' },
    { role: 'user' },
  ]);
});

test.each(ways)('reasoning under both names comes back once: %s', async (_, context) => {
  const sent = await sentBack({ reasoning_content: 'Hm.', reasoning: 'Hm.', content: 'So.' }, context);
  expect(sent?.[1]).toMatchObject({ content: 'So.', reasoning_content: 'Hm.' });
});

test.each(ways)('reasoning does not: %s', async (_, context) => {
  const sent = await sentBack({ reasoning: 'Hm.', content: 'So.' }, context);
  expect(sent?.[1]).toEqual({ role: 'assistant', content: 'So.' });
});

test.each(ways)('nor do thoughts in the content: %s', async (_, context) => {
  const sent = await sentBack({ content: [...thoughts, { type: 'text', text: 'So.' }] }, context);
  expect(sent?.[1]).toEqual({ role: 'assistant', content: 'So.' });
});

test.each(ways)('a message of nothing else is left out: %s', async (_, context) => {
  expect(await sentBack({ reasoning: 'Hm.' }, context)).toMatchObject([{ role: 'user' }, { role: 'user' }]);
});
