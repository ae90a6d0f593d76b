// What models of Mistral, DeepSeek, Kimi and Claude insist on, whoever serves them, and how xAI counts.

import { type Message, userMessage } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { contextOf, requestOf } from './support/calling.ts';
import { chat } from './support/wires/chat.ts';
import { serveWire } from './support/wires/serve-wire.ts';

const look = { name: 'look', description: 'looks', inputSchema: { type: 'object', properties: {} } };
const called: Message[] = [
  userMessage('go'),
  { role: 'assistant', content: [{ type: 'tool-call', id: 'abcdefghi', name: 'look', input: '{}' }] },
  { role: 'tool', content: [{ type: 'tool-result', id: 'abcdefghi', name: 'look', text: 'seen', isError: false }] },
];

async function sent(model: string, messages: readonly Message[], withheld = [look]) {
  const { model: opened, requests } = await serveWire(chat, [{ text: 'done' }], { model });
  await opened.call(requestOf({ messages, withheld, system: '' }), contextOf());
  const body = requests[0]?.body as { messages: Record<string, unknown>[]; tools?: unknown[]; tool_choice?: unknown };
  return body;
}

test('Mistral: no user right after a result or another user', async () => {
  const messages = [...called, userMessage('Answer now.'), userMessage('Please.')];
  const roles = async (model: string) => (await sent(model, messages)).messages.map(({ role }) => role);
  expect(await roles('mistral-large-latest')).toEqual(['user', 'assistant', 'tool', 'assistant', 'user']);
  expect(await roles('some-model')).toEqual(['user', 'assistant', 'tool', 'user', 'user']);
});

test.each(['deepseek-reasoner', 'kimi-k2-thinking'])(
  '%s: a call of another model comes with a thought',
  async (model) => {
    expect((await sent(model, called)).messages[1]).toMatchObject({ role: 'assistant', reasoning_content: ' ' });
    expect((await sent('some-model', called)).messages[1]).not.toHaveProperty('reasoning_content');
  },
);

test('Claude behind a gateway: tools that are withheld are named and forbidden', async () => {
  expect(await sent('claude-sonnet-5', called)).toMatchObject({ tools: [{}], tool_choice: 'none' });
  expect(await sent('some-model', called)).not.toHaveProperty('tools');
  expect(await sent('claude-sonnet-5', called, [])).not.toHaveProperty('tools');
});

test('xAI: what was thought is counted beside the completion', async () => {
  const usage = (total: number) => ({
    prompt_tokens: 100,
    completion_tokens: 9,
    total_tokens: total,
    completion_tokens_details: { reasoning_tokens: 256 },
  });
  const choices = [{ index: 0, message: { role: 'assistant', content: 'done' }, finish_reason: 'stop' }];
  const counted = async (total: number) => {
    const { model } = await serveWire(chat, [
      (response) => response.end(JSON.stringify({ choices, usage: usage(total) })),
    ]);
    return (await model.call(requestOf(), contextOf())).usage;
  };
  expect(await counted(365)).toMatchObject({ outputTokens: 265, reasoningTokens: 256 });
  expect(await counted(109)).toMatchObject({ outputTokens: 9, reasoningTokens: 256 });
});

test('a report that is a list is not asked for as an object', async () => {
  const { model, requests } = await serveWire(chat, [{ text: '[]' }]);
  for (const type of ['array', 'object'])
    await model.call(requestOf({ output: { format: 'json', schema: { type } } }), contextOf());
  expect(requests.map(({ body }) => 'response_format' in body)).toEqual([false, true]);
});
