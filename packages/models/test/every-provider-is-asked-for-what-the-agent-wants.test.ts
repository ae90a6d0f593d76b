// Instructions, conversation, tools and settings of an agent arrive at every provider, under its own names and no others.

import { userMessage } from '@ai-agent/core';
import { describe, expect, test } from 'vitest';
import { requestOf, ways } from './support/calling.ts';
import { turnsOf } from './support/wires/conversation.ts';
import { wires } from './support/wires/index.ts';
import { type ServedRequest, serveWire } from './support/wires/serve-wire.ts';

const key = 'a-key-0123456789-abcdef';
const tools = [
  {
    name: 'look-up_2',
    description: 'Looks a word up.',
    inputSchema: {
      type: 'object',
      properties: { word: { type: 'string', description: 'The word to look up.' }, depth: { type: 'integer' } },
      required: ['word'],
    },
  },
  { name: 'stop', description: 'Stops everything.', inputSchema: { type: 'object', properties: {} } },
];

/** Every place in the body where this value stands, by its path. */
function placesOf(value: unknown, wanted: unknown, path: readonly string[] = []): readonly string[] {
  if (value === wanted) return [path.join('.')];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, held]) => placesOf(held, wanted, [...path, name]));
}

describe.each(wires.map((wire) => [wire.label, wire] as const))('%s', (_, wire) => {
  describe.each(ways)('asked %s', (_, context) => {
    async function ask(fields: Parameters<typeof requestOf>[0]): Promise<ServedRequest> {
      const { model, requests } = await serveWire(wire, [{ text: 'Yes.' }], { apiKey: key });
      await model.call(requestOf(fields), context());
      const [request] = requests;
      return request ?? expect.fail('It was not asked.');
    }

    test('who asks, and what', async () => {
      const system = 'You are "brief" – knapp.\nSecond line.';
      const request = await ask({ system, messages: [userMessage('Wie geht’s? 🙂')] });
      const [header, value] = wire.auth(key);
      expect(request.headers[header]).toBe(value);
      expect(request.headers['content-type']).toContain('application/json');
      expect(request.system).toBe(system);
      expect(turnsOf(request)).toMatchObject([{ role: 'user', text: 'Wie geht’s? 🙂' }]);
      expect(request.tools).toEqual([]);
      expect(JSON.stringify(request.body) + request.path).toContain(wire.model);
      expect(request.body).not.toHaveProperty('tools');
    });

    test('without instructions there is no system prompt', async () => {
      const request = await ask({ system: '' });
      expect([request.system, turnsOf(request).length]).toEqual(['', 1]);
    });

    test('tools, with their descriptions and schemas', async () => {
      const request = await ask({ tools });
      expect(request.tools).toEqual(['look-up_2', 'stop']);
      const sent = JSON.stringify(request.body);
      for (const text of ['Looks a word up.', 'The word to look up.', 'Stops everything.', '"required":["word"]'])
        expect(sent).toContain(text);
      expect(sent.toLowerCase()).toMatch(/"depth":\{"type":"integer"/);
    });

    test('settings where this provider wants them, or not at all', async () => {
      const { body } = await ask({ settings: { temperature: 0.375, maxOutputTokens: 4321 } });
      const { temperature, maxOutputTokens } = wire.settings ?? {};
      expect(placesOf(body, 0.375)).toEqual(temperature === undefined ? [] : [temperature]);
      expect(placesOf(body, 4321)).toEqual(maxOutputTokens === undefined ? [] : [maxOutputTokens]);
    });

    test('a conversation of several turns, in its order', async () => {
      const calls = ['a', 'b'].map((id) => ({
        type: 'tool-call' as const,
        id: `call_${id}`,
        name: 'look-up_2',
        input: `{"word":"${id}"}`,
      }));
      const results = ['a', 'b'].map((id) => ({
        type: 'tool-result' as const,
        id: `call_${id}`,
        name: 'look-up_2',
        text: `${id} means ${id}`,
        isError: id === 'b',
      }));
      const request = await ask({
        tools,
        messages: [
          userMessage('One'),
          { role: 'assistant', content: [{ type: 'text', text: 'Looking.' }, ...calls] },
          { role: 'tool', content: results },
          { role: 'assistant', content: [{ type: 'text', text: 'Both found.' }] },
          userMessage('Two'),
        ],
      });
      const turns = turnsOf(request);
      expect(turns.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'user']);
      expect(turns.map(({ text }) => text)).toEqual(['One', 'Looking.', '', 'Both found.', 'Two']);
      expect(turns[1]?.calls.map(({ input }) => input)).toEqual([{ word: 'a' }, { word: 'b' }]);
      expect(turns[2]?.results.map(({ text }) => text)).toEqual([
        expect.stringContaining('a means a'),
        expect.stringContaining('b means b'),
      ]);
    });
  });
});
