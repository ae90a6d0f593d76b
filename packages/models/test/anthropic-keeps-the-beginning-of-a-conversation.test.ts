// Prompt caching: markers where a conversation is stable, so that the next request finds what this one left; or none at all.

import type { Message, ModelRequest } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { contextOf, requestOf, ways } from './support/calling.ts';
import { anthropic, type Block, type MessagesBody } from './support/wires/anthropic.ts';
import { serveWire } from './support/wires/serve-wire.ts';

const search = { name: 'search', description: 'Searches.', inputSchema: { type: 'object' } };
const ephemeral = { type: 'ephemeral' };

test.each(ways)('%s: a first request is marked after the system prompt and after the question', async (_, context) => {
  expect(await markedIn({ tools: [search] }, context())).toEqual(['system 0', 'user 0.0']);
});

test('a later one also where the request before it ended, results included', async () => {
  const messages = [user('One.'), calls(3), results(3), calls(2), results(2)];
  expect(await markedIn({ messages, tools: [search] })).toEqual(['system 0', 'user 2.2', 'user 4.1']);
});

test('that is also where a turn with more than twenty blocks finds what was kept', async () => {
  const messages = [user('One.'), calls(25), results(25), user('And?')];
  const marked = await markedIn({ messages, tools: [search] });
  expect(marked).toEqual(['system 0', 'user 0.0', 'user 2.25']);
});

test('every marker of a request but the last is where an earlier one had ended', async () => {
  const messages = [user('One.'), calls(1), results(1), calls(1), results(1), calls(1), results(1)];
  const ends = await Promise.all(
    [1, 3, 5, 7].map((end) => markedIn({ messages: messages.slice(0, end), tools: [search] })),
  );
  for (const [i, marked] of ends.entries()) {
    expect(marked.length).toBeLessThanOrEqual(4);
    if (i > 0) expect(marked.at(-2)).toBe(ends[i - 1]?.at(-1));
  }
});

test('without a system prompt the tools are kept by themselves', async () => {
  expect(await markedIn({ system: '', tools: [search, { ...search, name: 'find' }] })).toEqual(['tool 1', 'user 0.0']);
});

test('none means none', async () => {
  const messages = [user('One.'), calls(2), results(2)];
  expect(await markedIn({ messages, tools: [search], settings: { caching: 'none' } })).toEqual([]);
});

test('full is what it is when nobody says', async () => {
  const messages = [user('One.'), calls(2), results(2)];
  const said = await markedIn({ messages, settings: { caching: 'full' } });
  expect(await markedIn({ messages })).toEqual(said);
  expect(said).toHaveLength(3);
});

test('what was read from the cache and written to it is part of the input', async () => {
  const usage = { input: 1000, output: 5, cacheRead: 700, cacheWrite: 200 };
  const { model } = await serveWire(anthropic, [{ text: 'Hello.', usage }]);
  for (const [, context] of ways) {
    const reply = await model.call(requestOf(), context());
    expect(reply.usage).toEqual({ inputTokens: 1000, outputTokens: 5, cacheReadTokens: 700, cacheWriteTokens: 200 });
  }
});

test('a cache nobody speaks of stays unknown', async () => {
  const { model } = await serveWire(anthropic, [{ text: 'Hello.' }]);
  for (const [, context] of ways) {
    const reply = await model.call(requestOf(), context());
    expect(reply.usage).toEqual({ inputTokens: 10, outputTokens: 5 });
  }
});

function user(text: string): Message {
  return { role: 'user', content: [{ type: 'text', text }] };
}

function calls(count: number): Message {
  return {
    role: 'assistant',
    content: Array.from({ length: count }, (_, i) => ({ type: 'tool-call', id: `c${i}`, name: 'search', input: '{}' })),
  };
}

function results(count: number): Message {
  return {
    role: 'tool',
    content: Array.from({ length: count }, (_, i) => ({
      type: 'tool-result',
      id: `c${i}`,
      name: 'search',
      text: i % 2 === 0 ? 'found' : '',
      isError: false,
    })),
  };
}

/** Where a marker stands: `role message.block`. */
async function markedIn(fields: Partial<ModelRequest>, context = contextOf()): Promise<readonly string[]> {
  const { model, requests } = await serveWire(anthropic, [{ text: 'Hello.' }]);
  await model.call(requestOf(fields), context);
  const { system = [], messages = [], tools = [] } = (requests[0]?.body ?? {}) as MessagesBody;
  const blocks = (list: string | readonly Block[]) => (typeof list === 'string' ? [] : list);
  const all = [
    ...tools.map((tool, i) => [`tool ${i}`, tool as unknown as Block] as const),
    ...blocks(system).map((block, i) => [`system ${i}`, block] as const),
    ...messages.flatMap(({ role, content }, i) =>
      blocks(content).map((block, j) => [`${role} ${i}.${j}`, block] as const),
    ),
  ];
  const marked = all.filter(([, block]) => 'cache_control' in block);
  for (const [, block] of marked) expect(block.cache_control).toEqual(ephemeral);
  expect(JSON.stringify(requests[0]?.body).split('cache_control').length - 1).toBe(marked.length);
  return marked.map(([place]) => place);
}
