// However a conversation came about, Gemini gets one in the order that its API insists on, and nothing empty.

import { type AssistantMessage, type Message, userMessage } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { contextOf, requestOf } from './support/calling.ts';
import { google } from './support/wires/google.ts';
import { type Served, serveWire } from './support/wires/serve-wire.ts';

const result = (id: string, text = `result ${id}`) => ({
  type: 'tool-result' as const,
  id,
  name: 'look',
  text,
  isError: false,
});
const results = (...ids: readonly string[]): Message => ({ role: 'tool', content: ids.map((id) => result(id)) });
const said = (text: string): AssistantMessage => ({ role: 'assistant', content: [{ type: 'text', text }] });
const asked = (...ids: readonly string[]): AssistantMessage => ({
  role: 'assistant',
  content: ids.map((id) => ({ type: 'tool-call', id, name: 'look', input: '{}' })),
});

const cases: readonly (readonly [string, readonly Message[], readonly string[]])[] = [
  ['a usual one', [userMessage('Go.'), asked('1'), results('1')], ['user: Go.', 'model: 1', 'user: =1']],
  [
    'results in another order than their calls',
    [userMessage('Go.'), asked('1', '2', '3'), results('3', '1', '2')],
    ['user: Go.', 'model: 1 2 3', 'user: =1 =2 =3'],
  ],
  [
    'results in several messages',
    [userMessage('Go.'), asked('1', '2'), results('2'), results('1')],
    ['user: Go.', 'model: 1 2', 'user: =1 =2'],
  ],
  [
    'one side twice',
    [userMessage('A'), userMessage('B'), said('C'), asked('1'), results('1'), userMessage('D')],
    ['user: A B', 'model: C 1', 'user: =1', 'user: D'],
  ],
  [
    'empty words',
    [userMessage(''), userMessage('A'), said(''), { role: 'assistant', content: [] }, userMessage('B')],
    ['user: A B'],
  ],
  ['nothing but empty words', [userMessage('')], ['user: Begin.']],
  [
    'a beginning that is not a user',
    [asked('1'), results('1')],
    ['user: (The conversation so far.)', 'model: 1', 'user: =1'],
  ],
  ['results whose calls are gone', [results('1'), userMessage('Go.')], ['user: look: result 1 Go.']],
  [
    'a call whose result is gone',
    [userMessage('Go.'), asked('1', '2'), results('2'), asked('3'), userMessage('On.')],
    ['user: Go.', 'model: 1 2', 'user: !1 =2', 'model: 3', 'user: !3', 'user: On.'],
  ],
  [
    'words of the system in the middle',
    [userMessage('Go.'), said('A'), { role: 'system', text: 'Be brief.' }],
    ['user: Go.', 'model: A', 'user: Be brief.'],
  ],
];

test.each(cases)('%s', async (_, messages, expected) => {
  const { model, requests } = await serveWire(google, [{ text: 'Yes.' }]);
  await model.call(requestOf({ messages }), contextOf());
  expect(contentsOf(requests).map(({ role, parts }) => `${role}: ${parts.map(inShort).join(' ')}`)).toEqual(expected);
  expect(requests[0]?.body.systemInstruction).toEqual({ parts: [{ text: 'You answer.' }] });
});

test('a failed tool is told as an error', async () => {
  const { model, requests } = await serveWire(google, [{ text: 'Yes.' }]);
  const failed: Message = { role: 'tool', content: [{ ...result('1', 'no such place'), isError: true }] };
  await model.call(requestOf({ messages: [userMessage('Go.'), asked('1'), failed] }), contextOf());
  expect(contentsOf(requests).at(-1)?.parts).toEqual([
    { functionResponse: { id: '1', name: 'look', response: { name: 'look', error: 'no such place' } } },
  ]);
});

function contentsOf(requests: Served['requests']): readonly Content[] {
  return (requests[0]?.body.contents ?? []) as readonly Content[];
}

interface Content {
  readonly role: string;
  readonly parts: readonly {
    readonly text?: string;
    readonly functionCall?: { readonly id: string };
    readonly functionResponse?: { readonly id: string; readonly response: { readonly error?: string } };
  }[];
}

function inShort({ text, functionCall: call, functionResponse: response }: Content['parts'][number]): string {
  if (call) return call.id;
  if (response) return `${response.response.error === undefined ? '=' : '!'}${response.id}`;
  return text ?? '?';
}
