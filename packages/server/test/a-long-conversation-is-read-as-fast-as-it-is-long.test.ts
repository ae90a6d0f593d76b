// The promise: however a body is cut into messages, reading it takes as long as it is long, and keeps nobody else waiting.

import { expect, test } from 'vitest';
import { agentOf } from './contract/people.ts';
import { anthropicApp } from './support/anthropic-app.ts';
import { openaiApp, requestsOf } from './support/openai-app.ts';
import { responsesApp } from './support/responses-app.ts';

const many = 60_000;
const times = <T>(make: (index: number) => T): readonly T[] => Array.from({ length: many }, (_, index) => make(index));
const last = { role: 'user', content: 'Go.' };
const teller = () => agentOf('teller', () => 'Told.');

/** What takes as long as the square of it takes a minute, and all else far less than this, also on a machine that is busy. */
const timeout = 8_000;

test.each([
  ['messages of one role', [...times(() => ({ role: 'user', content: 'a' })), last]],
  ['answers after each other', [last, ...times(() => ({ role: 'assistant', content: 'a' })), last]],
  [
    'calls of one turn',
    [
      last,
      { role: 'assistant', content: times((i) => ({ type: 'tool_use', id: `t${i}`, name: 'look', input: {} })) },
      { role: 'user', content: times((i) => ({ type: 'tool_result', tool_use_id: `t${i}`, content: 'x' })) },
    ],
  ],
])('messages of Anthropic: %s', { timeout }, async (_name, messages) => {
  const { post } = anthropicApp([teller()]);
  expect((await post({ messages })).status).toBe(200);
});

test.each([
  ['rules between words', [...times((i) => ({ role: i % 2 ? 'user' : 'developer', content: 'a' })), last]],
  ['answers after each other', [...times(() => ({ role: 'assistant', content: 'a'.repeat(40) })), last]],
  ['rules between answers', [...times((i) => ({ role: i % 2 ? 'assistant' : 'developer', content: 'a' })), last]],
  [
    'calls of one turn',
    [
      ...times((i) => ({ type: 'function_call', call_id: `c${i}`, name: 'look', arguments: '{}' })),
      ...times((i) => ({ type: 'function_call_output', call_id: `c${i}`, output: 'x' })),
    ],
  ],
])('items of a response: %s', { timeout }, async (_name, input) => {
  const { request } = responsesApp([teller()]);
  expect((await request('POST', '/v1/responses', { body: { model: 'teller', input } })).status).toBe(200);
});

test.each([
  ['rules between words', [...times((i) => ({ role: i % 2 ? 'user' : 'developer', content: 'a' })), last]],
  ['answers after each other', [...times(() => ({ role: 'assistant', content: 'a' })), last]],
  [
    'calls of one turn',
    [
      {
        role: 'assistant',
        tool_calls: times((i) => ({ id: `c${i}`, type: 'function', function: { name: 'look', arguments: '{}' } })),
      },
      ...times((i) => ({ role: 'tool', tool_call_id: `c${i}`, content: 'x' })),
    ],
  ],
])('messages of a chat: %s', { timeout }, async (_name, messages) => {
  const { app } = openaiApp([teller()]);
  const body = JSON.stringify({ model: 'teller', messages });
  expect((await app.request('/v1/chat/completions', { method: 'POST', body })).status).toBe(200);
});

test('tools whose names are the same to a model', { timeout }, async () => {
  const signs = [...' !"#$%&()*+,./:;<=>?@[]^{|}~'];
  const [some, more] = [signs.length, signs.length ** 2];
  const tools = Array.from({ length: 6_000 }, (_, i) => {
    const name = `x${signs[i % some]}${signs[Math.floor(i / some) % some]}${signs[Math.floor(i / more)]}`;
    return { type: 'function', function: { name } };
  });
  const agent = teller();
  const { complete } = openaiApp([agent]);
  await complete({ model: 'teller', messages: [last], tools });
  expect(new Set(requestsOf(agent)[0]?.tools?.map(({ name }) => name)).size).toBe(tools.length);
});
