// Ids of calls that a provider would refuse become others: the same for a call and its result, and each only once.

import type { Message } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { contextOf, requestOf } from './support/calling.ts';
import { anthropic } from './support/wires/anthropic.ts';
import { chat } from './support/wires/chat.ts';
import { openaiChat } from './support/wires/openai-chat.ts';
import { openaiResponses } from './support/wires/openai-responses.ts';
import { serveWire } from './support/wires/serve-wire.ts';

const ids = ['functions.look:0', 'call_1', 'x'.repeat(300), 'call_1', '漢'];
const tools = [{ name: 'look', description: 'looks', inputSchema: { type: 'object', properties: {} } }];

/** One turn after the other, each with a call of its own. */
const messages: Message[] = [
  { role: 'user', content: [{ type: 'text', text: 'go' }] },
  ...ids.flatMap((id, i): Message[] => [
    { role: 'assistant', content: [{ type: 'tool-call', id, name: 'look', input: `{"at":${i}}` }] },
    { role: 'tool', content: [{ type: 'tool-result', id, name: 'look', text: `result ${i}`, isError: false }] },
  ]),
];

test.each([
  ['anthropic', anthropic, anthropic.model, /^[\w-]{1,64}$/],
  ['openai', openaiResponses, openaiResponses.model, /^[\w-]{1,64}$/],
  ['openai, chat', openaiChat, openaiChat.model, /^[\w-]{1,40}$/],
  ['a chat server', chat, 'a-model', /^.{1,256}$/],
  ['a server of Mistral', chat, 'mistral-large-latest', /^[a-zA-Z0-9]{9}$/],
] as const)('%s', async (_, wire, model, form) => {
  const { model: opened, requests } = await serveWire(wire, [{ text: 'done' }], { model });
  await opened.call(requestOf({ messages, tools }), contextOf());
  await opened.call(requestOf({ messages: messages.slice(0, -2), tools }), contextOf());
  const [whole, before] = requests.map((request) => ({
    calls: request.messages.flatMap(({ calls }) => calls.map(({ id, input }) => [id, input.at])),
    results: request.messages.flatMap(({ results }) => results.map(({ id, text }) => [id, text])),
  }));
  const given = whole?.calls.map(([id]) => String(id)) ?? [];
  for (const id of given) expect(id).toMatch(form);
  expect(new Set(given).size).toBe(ids.length);
  expect(whole?.calls.map(([, at]) => at)).toEqual([0, 1, 2, 3, 4]);
  expect(whole?.results).toEqual(given.map((id, i) => [id, `result ${i}`]));
  // As before, so that what a provider has kept of the beginning still fits.
  expect(before?.calls).toEqual(whole?.calls.slice(0, -1));
});

test('ids that a provider takes are left alone', async () => {
  for (const wire of [anthropic, openaiResponses, openaiChat, chat]) {
    const { model, requests } = await serveWire(wire, [{ text: 'done' }]);
    const own: Message[] = JSON.parse(
      JSON.stringify(messages.slice(0, 3)).replaceAll('functions.look:0', 'toolu_01-A'),
    );
    await model.call(requestOf({ messages: own, tools }), contextOf());
    expect(requests[0]?.messages.flatMap(({ calls }) => calls.map(({ id }) => id))).toEqual(['toolu_01-A']);
  }
});
