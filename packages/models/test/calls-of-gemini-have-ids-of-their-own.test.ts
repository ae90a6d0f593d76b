// Every call of Gemini has an id that nobody else has in the conversation, whether the API gives one or not.

import { callsOf, type Message, type ModelReply, userMessage } from '@ai-agent/core';
import { describe, expect, test } from 'vitest';
import { requestOf, ways } from './support/calling.ts';
import { google } from './support/wires/google.ts';
import { serveWire } from './support/wires/serve-wire.ts';

describe.each(ways)('%s', (_, context) => {
  test('calls without ids differ, in a reply and between models that were opened apart', async () => {
    const calls = [
      { id: '', name: 'look', input: { at: 1 } },
      { id: '', name: 'look', input: { at: 2 } },
    ];
    const replies: ModelReply[] = [];
    for (let i = 0; i < 3; i++) {
      const { model } = await serveWire(google, [{ calls }]);
      replies.push(await model.call(requestOf(), context()), await model.call(requestOf(), context()));
    }
    const asked = replies.flatMap(({ message }) => callsOf(message));
    expect(asked.map(({ input }) => JSON.parse(input).at)).toEqual(Array.from({ length: 6 }, () => [1, 2]).flat());
    expect(new Set(asked.map(({ id }) => id)).size).toBe(12);
    expect(asked.every(({ id }) => /^call_\w{16}$/.test(id))).toBe(true);
  });

  test('an id that is given is kept, unless the conversation has it already', async () => {
    const { model } = await serveWire(google, [{ calls: [{ id: 'given-1', name: 'look', input: {} }] }]);
    const first = await model.call(requestOf(), context());
    expect(callsOf(first.message)[0]?.id).toBe('given-1');
    const result = { type: 'tool-result' as const, id: 'given-1', name: 'look', text: 'one', isError: false };
    const messages: readonly Message[] = [userMessage('Go.'), first.message, { role: 'tool', content: [result] }];
    const second = await model.call(requestOf({ messages }), context());
    expect(callsOf(second.message)[0]?.id).toMatch(/^call_\w{16}$/);
  });
});
