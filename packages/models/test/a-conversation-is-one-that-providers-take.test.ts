// Whatever is in a conversation, a request is one that can be read: every call with its result, safe names, whole letters.

import { callsOf, type Message, userMessage } from '@ai-agent/core';
import { describe, expect, test } from 'vitest';
import { contextOf, requestOf } from './support/calling.ts';
import { wires } from './support/wires/index.ts';
import { serveWire } from './support/wires/serve-wire.ts';

const tools = [{ name: 'look', description: 'looks', inputSchema: { type: 'object', properties: {} } }];
const calls = (...ids: string[]): Message => ({
  role: 'assistant',
  content: ids.map((id) => ({ type: 'tool-call', id, name: 'look', input: '{}' })),
});
const results = (...ids: string[]): Message => ({
  role: 'tool',
  content: ids.map((id) => ({ type: 'tool-result', id, name: 'look', text: `seen ${id}`, isError: false })),
});

describe.each(wires.map((wire) => [wire.label, wire] as const))('%s', (_, wire) => {
  async function sent(messages: readonly Message[]) {
    const { model, requests } = await serveWire(wire, [{ text: 'done' }]);
    await model.call(requestOf({ messages, tools }), contextOf());
    return requests[0] ?? expect.fail();
  }

  test.each([
    ['a result that never came', [userMessage('go'), calls('a', 'b'), results('b')], ['not there', 'seen b']],
    ['calls at the very end', [userMessage('go'), calls('a')], ['not there']],
    ['results in another order', [userMessage('go'), calls('a', 'b'), results('b', 'a')], ['seen a', 'seen b']],
    ['results after other words', [userMessage('go'), calls('a'), userMessage('and'), results('a')], ['seen a']],
  ])('%s', async (__, messages, expected) => {
    const { messages: read } = await sent(messages);
    const at = read.findIndex((message) => message.calls.length > 0);
    expect(read[at + 1]?.results.map(({ text }) => text)).toEqual(
      expected.map((text) => expect.stringContaining(text)),
    );
    expect(read[at + 1]?.results).toHaveLength(callsOf(messages[1] as never).length);
  });

  test('a result that nobody asked for is told in words', async () => {
    const { messages: read } = await sent([userMessage('go'), results('x'), userMessage('on')]);
    expect(read.flatMap((message) => message.results)).toEqual([]);
    expect(read.map(({ text }) => text).join(' ')).toContain('look: seen x');
  });

  test('a name that a model made up is one that can be sent', async () => {
    const odd = ['repo.search', 'look files <|x|>', ''];
    const messages: Message[] = [
      userMessage('go'),
      { role: 'assistant', content: odd.map((name, i) => ({ type: 'tool-call', id: `c${i}`, name, input: '{}' })) },
      {
        role: 'tool',
        content: odd.map((name, i) => ({
          type: 'tool-result',
          id: `c${i}`,
          name,
          text: 'No such tool.',
          isError: true,
        })),
      },
    ];
    const { messages: read } = await sent(messages);
    const names = read.flatMap((message) => message.calls.map(({ name }) => name));
    expect(names).toHaveLength(3);
    for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
  });

  test('half a letter is not sent', async () => {
    const half = '\ud83d';
    const { model, requests } = await serveWire(wire, [{ text: 'done' }]);
    const messages: Message[] = [
      userMessage(`cut ${half}`),
      {
        role: 'assistant',
        content: [
          { type: 'text', text: `so ${half}` },
          { type: 'tool-call', id: 'a', name: 'look', input: '{"at":"\\ud83d"}' },
        ],
      },
      { role: 'tool', content: [{ type: 'tool-result', id: 'a', name: 'look', text: `x${half}`, isError: false }] },
    ];
    await model.call(requestOf({ system: `You ${half}.`, messages, tools }), contextOf());
    expect(JSON.stringify(requests[0]?.body)).not.toMatch(/\\ud83d/i);
    expect(JSON.stringify(requests[0]?.body)).toContain('\ufffd');
  });
});
