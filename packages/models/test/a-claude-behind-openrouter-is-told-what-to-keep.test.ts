// The promise: models that keep a conversation only where they are told to are told, unless the agent wants nothing kept.

import type { Message, ModelSettings } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { contextOf, requestOf } from './support/calling.ts';
import { openrouter } from './support/wires/openrouter.ts';
import { serveWire } from './support/wires/serve-wire.ts';

async function sent(
  messages: readonly Message[],
  options: { model?: string; settings?: ModelSettings; system?: string } = {},
) {
  const { model: name = 'anthropic/claude-sonnet-5', settings = {}, system = 'You answer.' } = options;
  const { model, requests } = await serveWire(openrouter, [{ text: 'So.' }], { model: name });
  await model.call(requestOf({ system, messages, settings }), contextOf());
  return requests[0]?.body.messages;
}

const cache_control = { type: 'ephemeral' };
const kept = (text: string) => [{ type: 'text', text, cache_control }];
const user = (...texts: string[]): Message => ({
  role: 'user',
  content: texts.map((text) => ({ type: 'text', text })),
});
const called: Message = {
  role: 'assistant',
  content: ['a', 'b'].map((id) => ({ type: 'tool-call', id, name: 'look', input: '{}' })),
};
const results: Message = {
  role: 'tool',
  content: ['a', 'b'].map((id) => ({ type: 'tool-result', id, name: 'look', text: `Seen ${id}.`, isError: false })),
};

test('the system prompt and the last message are marked', async () => {
  expect(
    await sent([user('One.'), { role: 'assistant', content: [{ type: 'text', text: 'So.' }] }, user('Two.')]),
  ).toEqual([
    { role: 'system', content: kept('You answer.') },
    { role: 'user', content: 'One.' },
    { role: 'assistant', content: 'So.' },
    { role: 'user', content: kept('Two.') },
  ]);
});

test('of several parts or results, the last', async () => {
  expect(await sent([user('One.', 'Two.')])).toMatchObject([
    {},
    { role: 'user', content: [{ type: 'text', text: 'One.' }, ...kept('Two.')] },
  ]);
  expect(await sent([user('One.'), called, results])).toMatchObject([
    {},
    { content: 'One.' },
    { role: 'assistant' },
    { role: 'tool', tool_call_id: 'a', content: 'Seen a.' },
    { role: 'tool', tool_call_id: 'b', content: kept('Seen b.') },
  ]);
});

test('without a system prompt, the last message alone', async () => {
  expect(await sent([user('One.')], { system: '' })).toEqual([{ role: 'user', content: kept('One.') }]);
});

test.each<[string, Parameters<typeof sent>[1]]>([
  ['an agent that wants nothing kept', { settings: { caching: 'none' } }],
  ['a model that keeps by itself', { model: 'openai/gpt-5.4' }],
])('nothing is marked for %s', async (_, options) => {
  expect(await sent([user('One.'), called, results], options)).toMatchObject([
    { role: 'system', content: 'You answer.' },
    { role: 'user', content: 'One.' },
    { role: 'assistant' },
    { content: 'Seen a.' },
    { content: 'Seen b.' },
  ]);
});
