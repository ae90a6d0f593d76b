// The promise: what a provider would not take as a name goes under another, in tools and in the history, and comes back.

import type { JsonSchema, Message } from '@ai-agent/core';
import { userMessage } from '@ai-agent/core';
import { describe, expect, test } from 'vitest';
import { requestOf, ways } from './support/calling.ts';
import { anthropic } from './support/wires/anthropic.ts';
import { google } from './support/wires/google.ts';
import { serveWire } from './support/wires/serve-wire.ts';

const toolOf = (name: string, inputSchema: JsonSchema = { type: 'object', properties: {} }) => ({
  name,
  description: 'Acts.',
  inputSchema,
});
const called = (name: string, input: object): readonly Message[] => [
  userMessage('Go.'),
  { role: 'assistant', content: [{ type: 'tool-call', id: 'call_1', name, input: JSON.stringify(input) }] },
  { role: 'tool', content: [{ type: 'tool-result', id: 'call_1', name, text: 'Done.', isError: false }] },
];

describe.each(ways)('asked %s', (_, context) => {
  describe('arguments of a tool, at Anthropic', () => {
    const long = 'x'.repeat(70);
    const properties = {
      'filter[id]': {},
      filter_id_: {},
      $top: {},
      'a b': { properties: { 'c d': {} } },
      [long]: {},
      good: {},
    };
    const list = toolOf('list', { type: 'object', properties, required: ['$top', 'good'] });
    const other = toolOf('other', { type: 'object', properties: { _top: {} } });

    test('have names that it takes, each its own', async () => {
      const { model, requests } = await serveWire(anthropic, [{ text: 'Hello' }]);
      await model.call(requestOf({ tools: [list, other] }), context());
      const tools = requests[0]?.body.tools as readonly { readonly input_schema: object }[];
      expect(tools.map((tool) => tool.input_schema)).toEqual([
        {
          type: 'object',
          properties: {
            filter_id_: {},
            filter_id__2: {},
            _top: {},
            a_b: { properties: { 'c d': {} } },
            [long.slice(0, 64)]: {},
            good: {},
          },
          required: ['_top', 'good'],
        },
        other.inputSchema,
      ]);
    });

    test('come back under their own, also those of the history go out under others', async () => {
      const input = { 'filter[id]': 1, filter_id_: 2, $top: { 'a b': 3 }, good: 4, unknown: 5 };
      const sent = { filter_id__2: 1, filter_id_: 2, _top: { 'a b': 3 }, good: 4, unknown: 5 };
      const calls = [
        { id: 'toolu_1', name: 'list', input: sent },
        { id: 'toolu_2', name: 'other', input: { _top: 1 } },
      ];
      const { model, requests } = await serveWire(anthropic, [{ calls }]);
      const reply = await model.call(requestOf({ tools: [list, other], messages: called('list', input) }), context());
      expect(requests[0]?.messages.flatMap((message) => message.calls)).toMatchObject([{ name: 'list', input: sent }]);
      const inputs = reply.message.content.map((part) => (part.type === 'tool-call' ? JSON.parse(part.input) : part));
      expect(inputs).toEqual([input, { _top: 1 }]);
    });
  });

  test('functions of Gemini whose names begin with a digit or a dash', async () => {
    const names = ['3d_render', '-dash', '_3d_render', 'plain'];
    const sent = ['_3d_render_2', '_-dash', '_3d_render', 'plain'];
    const { model, requests } = await serveWire(google, [
      { calls: sent.map((name, index) => ({ id: `${index}`, name, input: { n: index } })) },
    ]);
    const tools = names.map((name) => toolOf(name));
    const reply = await model.call(requestOf({ tools, messages: called('3d_render', { n: 1 }) }), context());
    expect(requests[0]?.tools).toEqual(sent);
    const parts = requests[0]?.messages.flatMap(({ calls, results }) => [...calls, ...results]);
    expect(parts?.map(({ name }) => name)).toEqual(['_3d_render_2', '_3d_render_2']);
    expect(reply.message.content.map((part) => (part.type === 'tool-call' ? part.name : part))).toEqual(names);
  });

  test('also one that only the history of Gemini speaks of', async () => {
    const { model, requests } = await serveWire(google, [{ text: 'Hello' }]);
    await model.call(requestOf({ messages: called('7z', {}) }), context());
    expect(JSON.stringify(requests[0]?.body)).not.toContain('"7z"');
    expect(JSON.stringify(requests[0]?.body)).toContain('"_7z"');
  });
});
