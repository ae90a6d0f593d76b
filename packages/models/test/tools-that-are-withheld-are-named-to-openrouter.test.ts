// The promise: once there were calls, OpenRouter is told which tools there are, also while none of them may be called.

import { type Message, type ModelRequest, userMessage } from '@ai-agent/core';
import type { ProviderConfig } from '@ai-agent/models';
import { expect, test } from 'vitest';
import { contextOf, requestOf } from './support/calling.ts';
import { openrouter } from './support/wires/openrouter.ts';
import { serveWire } from './support/wires/serve-wire.ts';

const look = { name: 'look', description: 'Looks', inputSchema: { type: 'object', properties: {} } };
const calls: Message[] = [
  userMessage('So?'),
  { role: 'assistant', content: [{ type: 'tool-call', id: 'a', name: 'look', input: '{}' }] },
  { role: 'tool', content: [{ type: 'tool-result', id: 'a', name: 'look', text: 'Seen.', isError: false }] },
];
const named = { type: 'function', function: { name: 'look', description: 'Looks', parameters: look.inputSchema } };

async function toolsIn(request: Partial<ModelRequest>, config: Partial<ProviderConfig> = {}) {
  const { model, requests } = await serveWire(openrouter, [{ text: 'So.' }], { config });
  await model.call(requestOf(request), contextOf());
  const { tools, tool_choice, response_format } = requests[0]?.body ?? {};
  return { tools, tool_choice, response_format };
}

test('they are named and forbidden', async () => {
  expect(await toolsIn({ messages: calls, withheld: [look] })).toEqual({ tools: [named], tool_choice: 'none' });
});

test('formats that are not to be sent are not', async () => {
  const properties = { at: { type: 'string', format: 'uri' } };
  const withheld = [{ ...look, inputSchema: { type: 'object', properties } }];
  const { tools } = await toolsIn({ messages: calls, withheld }, { stringSchemaFormatsDenied: 'uri' });
  expect(tools).toMatchObject([{ function: { parameters: { properties: { at: { type: 'string' } } } } }]);
  expect(JSON.stringify(tools)).not.toContain('uri');
});

test('no format beside them: those behind refuse one, and the report is validated on our side', async () => {
  expect(await toolsIn({ messages: calls, withheld: [look], output: { format: 'json' } })).toEqual({
    tools: [named],
    tool_choice: 'none',
  });
});

test('models that do without are told none, and keep the format', async () => {
  const { model, requests } = await serveWire(openrouter, [{ text: 'So.' }], { model: 'google/gemini-2.5-flash' });
  await model.call(requestOf({ messages: calls, withheld: [look], output: { format: 'json' } }), contextOf());
  expect(requests[0]?.body).toMatchObject({ response_format: { type: 'json_object' } });
  expect(requests[0]?.body).not.toHaveProperty('tools');
});

test.each<[string, Partial<ModelRequest>, object]>([
  ['before the first call', { withheld: [look] }, {}],
  ['where there are none', { messages: calls }, {}],
  ['beside those that may be called', { messages: calls, tools: [look], withheld: [look] }, { tools: [named] }],
])('not %s', async (_, request, expected) => {
  expect(await toolsIn(request)).toEqual(expected);
});
