// What Claude thought goes back to it word for word, signed, before the calls it led to; and to nobody else.

import type { Message, ModelReply } from '@ai-agent/core';
import { describe, expect, test } from 'vitest';
import { contextOf, requestOf, ways } from './support/calling.ts';
import { anthropic, type Block, event, type MessagesBody } from './support/wires/anthropic.ts';
import { chat } from './support/wires/chat.ts';
import { type Answer, serveWire } from './support/wires/serve-wire.ts';

const search = { name: 'search', description: 'Searches.', inputSchema: { type: 'object' } };
const settings = { reasoning: 'low', maxOutputTokens: 8000 } as const;
const first = {
  reasoning: { text: 'I have to look.', signature: 'c2lnbmVk' },
  text: 'Let me look.',
  calls: [{ id: 'toolu_1', name: 'search', input: { q: 'news' } }],
};
const replayed = [
  { type: 'thinking', thinking: 'I have to look.', signature: 'c2lnbmVk' },
  { type: 'text', text: 'Let me look.' },
  { type: 'tool_use', id: 'toolu_1', name: 'search', input: { q: 'news' } },
];

describe.each(ways)('%s', (_, context) => {
  test('a thought with its signature', async () => {
    const { model, requests } = await serveWire(anthropic, [first, { text: 'Nothing is new.' }]);
    const reply = await model.call(asked([]), context());
    expect(reply.message.content.map(({ type }) => type)).toEqual(['reasoning', 'text', 'tool-call']);
    await model.call(asked(answered(reply)), context());
    expect(assistantIn(requests[1]?.body)).toEqual(replayed);
    expect(requests[1]?.body.thinking).toMatchObject({ type: 'enabled' });
  });

  test('a thought that nobody can read, and one that is only a signature', async () => {
    const blocks = [
      { type: 'redacted_thinking', data: 'b3BhcXVl' },
      { type: 'thinking', thinking: '', signature: 'b25seQ==' },
      { type: 'tool_use', id: 'toolu_1', name: 'search', input: {} },
    ];
    const { model, requests } = await serveWire(anthropic, [answerOf(blocks), { text: 'Nothing is new.' }]);
    const reply = await model.call(asked([]), context());
    await model.call(asked(answered(reply)), context());
    expect(assistantIn(requests[1]?.body)).toEqual(blocks);
  });

  test('not to another model of the same provider', async () => {
    const { model } = await serveWire(anthropic, [first]);
    const reply = await model.call(asked([]), context());
    const other = await serveWire(anthropic, [{ text: 'Nothing is new.' }], { model: 'claude-opus-4-5' });
    await other.model.call(asked(answered(reply)), context());
    expect(assistantIn(other.requests[0]?.body)).toEqual(replayed.slice(1));
    expect(other.requests[0]?.body.thinking).toEqual({ type: 'disabled' });
  });

  test('not those of others to Claude', async () => {
    const { model } = await serveWire(chat, [{ ...first, calls: [{ ...first.calls[0], id: 'call:1' } as never] }]);
    const reply = await model.call(asked([]), context());
    const claude = await serveWire(anthropic, [{ text: 'Nothing is new.' }]);
    await claude.model.call(asked(answered(reply)), context());
    expect(assistantIn(claude.requests[0]?.body)).toEqual([
      replayed[1],
      { ...replayed[2], id: expect.stringMatching(/^[\w-]{1,64}$/) },
    ]);
  });
});

test.each([
  ['without anything', {}],
  ['with an empty signature', { bound: { 'mine/claude-sonnet-4-5': { anthropic: { signature: '' } } } }],
])('a thought %s stays at home', async (_, bound) => {
  const { model, requests } = await serveWire(anthropic, [{ text: 'Yes.' }]);
  const thought = { type: 'reasoning', text: 'Hm.', ...bound } as const;
  const said = { role: 'assistant', content: [thought, { type: 'text', text: 'Well.' }] } as const;
  await model.call(asked([said, { role: 'user', content: [{ type: 'text', text: 'And?' }] }]), contextOf());
  expect(assistantIn(requests[0]?.body)).toEqual([{ type: 'text', text: 'Well.' }]);
});

function asked(more: readonly Message[]) {
  return requestOf({ messages: [...requestOf().messages, ...more], tools: [search], settings });
}

function answered({ message }: ModelReply): readonly Message[] {
  const results = message.content.flatMap((part) =>
    part.type === 'tool-call'
      ? [{ type: 'tool-result' as const, id: part.id, name: part.name, text: 'found', isError: false }]
      : [],
  );
  return [message, { role: 'tool', content: results }];
}

function assistantIn(body: unknown): readonly Block[] {
  const { messages = [] } = (body ?? {}) as MessagesBody;
  return (messages.find(({ role }) => role === 'assistant')?.content ?? []) as readonly Block[];
}

/** These blocks, whole or each in one piece. */
function answerOf(blocks: readonly Block[]): Answer {
  const whole = JSON.parse(anthropic.whole({ calls: first.calls }));
  return (response, { isStreamed }) => {
    if (!isStreamed) {
      response.writeHead(200).end(JSON.stringify({ ...whole, content: blocks }));
      return;
    }
    const events = anthropic.stream({ calls: first.calls });
    const pieces = blocks.flatMap((block, index) => [
      event({ type: 'content_block_start', index, content_block: { ...block, signature: '' } }),
      ...(block.signature
        ? [
            event({
              type: 'content_block_delta',
              index,
              delta: { type: 'signature_delta', signature: block.signature },
            }),
          ]
        : []),
      event({ type: 'content_block_stop', index }),
    ]);
    response.writeHead(200, { 'content-type': anthropic.streamType });
    response.end([...events.slice(0, 2), ...pieces, ...events.slice(-2)].join(''));
  };
}
