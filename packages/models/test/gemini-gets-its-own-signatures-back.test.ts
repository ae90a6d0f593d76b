// What Gemini signs goes back to the same model as it came, whole or streamed; what others have said goes without.

import type { AssistantMessage, Message } from '@ai-agent/core';
import { userMessage } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { contextOf, requestOf, ways } from './support/calling.ts';
import { google } from './support/wires/google.ts';
import { type Answer, type Served, serveWire } from './support/wires/serve-wire.ts';

const signed = [
  { text: 'Let me think.', thought: true, thoughtSignature: 'of-the-thought' },
  { text: 'I look it up.', thoughtSignature: 'of-the-text' },
  { functionCall: { name: 'look', args: { at: 'one' } }, thoughtSignature: 'of-the-call' },
  { functionCall: { name: 'look', args: { at: 'two' } } },
];

test.each(ways)('signatures of thoughts, texts and calls go back (%s)', async (_, context) => {
  const served = await serveWire(google, [sending(signed), { text: 'Done.' }]);
  const { message } = await served.model.call(requestOf(), context());
  await served.model.call(requestOf({ messages: afterwards(message) }), contextOf());
  const ids = message.content.flatMap((part) => (part.type === 'tool-call' ? part.id : []));
  expect(contentsOf(served)).toEqual([
    { role: 'user', parts: [{ text: 'Say something.' }] },
    {
      role: 'model',
      parts: [
        { text: 'Let me think.', thought: true, thoughtSignature: 'of-the-thought' },
        { text: 'I look it up.', thoughtSignature: 'of-the-text' },
        { functionCall: { id: ids[0], name: 'look', args: { at: 'one' } }, thoughtSignature: 'of-the-call' },
        // One signature is for all calls of a turn.
        { functionCall: { id: ids[1], name: 'look', args: { at: 'two' } } },
      ],
    },
    {
      role: 'user',
      parts: ids.map((id) => ({
        functionResponse: { id, name: 'look', response: { name: 'look', content: `result of ${id}` } },
      })),
    },
  ]);
});

test('a signature that comes alone, at the end of a stream, goes back in its place', async () => {
  const parts = [{ text: 'Done.' }, { text: '', thoughtSignature: 'of-the-end' }];
  const served = await serveWire(google, [sending(parts), { text: 'Again.' }]);
  const { message } = await served.model.call(requestOf(), contextOf({ onDelta: () => {} }));
  await served.model.call(requestOf({ messages: [userMessage('One'), message, userMessage('Two')] }), contextOf());
  expect(contentsOf(served)[1]).toEqual({
    role: 'model',
    parts: [{ text: 'Done.', thoughtSignature: 'of-the-end' }],
  });
});

test('another model of the same provider gets none of them', async () => {
  const first = await serveWire(google, [sending(signed)]);
  const { message } = await first.model.call(requestOf(), contextOf());
  const second = await serveWire(google, [{ text: 'Done.' }], { model: 'gemini-2.5-flash' });
  await second.model.call(requestOf({ messages: afterwards(message) }), contextOf());
  const body = JSON.stringify(second.requests[0]?.body);
  expect(body).not.toContain('of-the-');
  expect(body).not.toContain('Let me think.');
  expect(body).toContain('I look it up.');
});

test('a newer model, which insists on signatures, is told that those of another provider are not there', async () => {
  const served = await serveWire(google, [{ text: 'Done.' }]);
  const message: AssistantMessage = {
    role: 'assistant',
    content: [
      { type: 'reasoning', text: 'Hm.', bound: { 'other/model': { anthropic: { signature: 'theirs' } } } },
      { type: 'tool-call', id: 'toolu_1', name: 'look', input: '{}', bound: { 'other/model': { openai: {} } } },
    ],
  };
  await served.model.call(requestOf({ messages: afterwards(message) }), contextOf());
  expect(contentsOf(served)[1]).toEqual({
    role: 'model',
    parts: [
      {
        functionCall: { id: 'toolu_1', name: 'look', args: {} },
        thoughtSignature: 'skip_thought_signature_validator',
      },
    ],
  });
});

function sending(parts: readonly object[]): Answer {
  const candidate = (some: readonly object[], fields: object) =>
    JSON.stringify({ candidates: [{ content: { role: 'model', parts: some }, ...fields }] });
  return (response, { isStreamed }) => {
    if (!isStreamed) return response.end(candidate(parts, { finishReason: 'STOP' }));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const part of parts) response.write(`data: ${candidate([part], {})}\r\n\r\n`);
    return response.end(`data: ${candidate([{ text: '' }], { finishReason: 'STOP' })}\r\n\r\n`);
  };
}

function afterwards(message: AssistantMessage): readonly Message[] {
  const results = message.content.flatMap((part) =>
    part.type === 'tool-call'
      ? [{ type: 'tool-result' as const, id: part.id, name: part.name, text: `result of ${part.id}`, isError: false }]
      : [],
  );
  return [userMessage('Say something.'), message, { role: 'tool', content: results }];
}

function contentsOf({ requests }: Served): readonly unknown[] {
  return requests.at(-1)?.body.contents as readonly unknown[];
}
