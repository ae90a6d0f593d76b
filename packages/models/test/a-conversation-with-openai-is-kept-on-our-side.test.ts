// The promise: OpenAI keeps nothing, and still reads its own reasoning again, before the calls it led to.

import { type AssistantMessage, callsOf, type Message, type ModelRequest, userMessage } from '@ai-agent/core';
import { describe, expect, test } from 'vitest';
import { requestOf, ways } from './support/calling.ts';
import { openaiChat } from './support/wires/openai-chat.ts';
import { openaiResponses, toEvent } from './support/wires/openai-responses.ts';
import { type Served, serveWire } from './support/wires/serve-wire.ts';
import type { Wire, WireReply } from './support/wires/wire.ts';

const tools: ModelRequest['tools'] = [
  { name: 'weather', description: 'The weather.', inputSchema: { type: 'object', properties: { city: {} } } },
];
const calls = [
  { id: 'call_a', name: 'weather', input: { city: 'Rome' } },
  { id: 'call_b', name: 'weather', input: { city: 'Oslo' } },
];
const thought = { text: 'Both cities, at once.', signature: 'gAAAA-encrypted' };

type Item = Readonly<Record<string, unknown>>;

/** Asks, answers the calls, and asks again. */
async function secondInput(served: Served, context: () => Parameters<Served['model']['call']>[1]) {
  const first = await served.model.call(requestOf({ tools }), context());
  await served.model.call(requestOf({ tools, messages: conversationOf(first.message) }), context());
  return served.requests[1]?.body.input as readonly Item[];
}

function conversationOf(message: AssistantMessage): Message[] {
  const content = callsOf(message).map(({ id, name }) => ({
    type: 'tool-result' as const,
    id,
    name,
    text: `Sunny (${id}).`,
    isError: false,
  }));
  return [userMessage('Say something.'), message, { role: 'tool', content }];
}

async function secondItems(reply: WireReply, context: () => Parameters<Served['model']['call']>[1]) {
  const served = await serveWire(openaiResponses, [reply, { text: 'Sunny.' }]);
  return { items: (await secondInput(served, context)).slice(2), served };
}

describe.each(ways)('%s', (_, context) => {
  test('reasoning goes back encrypted, before its calls', async () => {
    const { items, served } = await secondItems({ reasoning: thought, text: 'Wait.', calls }, context);
    expect(items).toEqual([
      {
        type: 'reasoning',
        id: 'rs_1',
        encrypted_content: 'gAAAA-encrypted',
        summary: [{ type: 'summary_text', text: 'Both cities, at once.' }],
      },
      { role: 'assistant', content: 'Wait.' },
      { type: 'function_call', call_id: 'call_a', name: 'weather', arguments: '{"city":"Rome"}' },
      { type: 'function_call', call_id: 'call_b', name: 'weather', arguments: '{"city":"Oslo"}' },
      { type: 'function_call_output', call_id: 'call_a', output: 'Sunny (call_a).' },
      { type: 'function_call_output', call_id: 'call_b', output: 'Sunny (call_b).' },
    ]);
    for (const { body } of served.requests)
      expect(body).toMatchObject({ store: false, include: ['reasoning.encrypted_content'] });
  });

  test('also when it has no words', async () => {
    const { items } = await secondItems({ reasoning: { ...thought, text: '' }, calls }, context);
    expect(items[0]).toEqual({ type: 'reasoning', id: 'rs_1', encrypted_content: 'gAAAA-encrypted', summary: [] });
  });

  test('what is not encrypted nobody could read: it stays here', async () => {
    const { items } = await secondItems({ reasoning: { text: 'Hm.' }, calls }, context);
    expect(items.map(({ type }) => type)).toEqual([
      'function_call',
      'function_call',
      'function_call_output',
      'function_call_output',
    ]);
  });

  test('reasoning that led to nothing is refused, so it stays here too', async () => {
    const { items } = await secondItems({ reasoning: thought, finish: 'length' }, context);
    expect(items).toEqual([]);
  });

  test('after a fallback, nothing is left of what was bound', async () => {
    const first = await serveWire(openaiResponses, [{ reasoning: thought, text: 'Wait.', calls }], { name: 'one' });
    const { message } = await first.model.call(requestOf({ tools }), context());
    for (const [name, model] of [
      ['two', 'gpt-5.4'],
      ['one', 'gpt-5'],
    ] as const) {
      const other = await serveWire(openaiResponses, [{ text: 'Sunny.' }], { name, model });
      await other.model.call(requestOf({ tools, messages: conversationOf(message) }), context());
      const sent = JSON.stringify(other.requests[0]?.body);
      for (const own of ['rs_1', 'msg_1', 'fc_1', 'gAAAA', 'item_reference', thought.text])
        expect(sent).not.toContain(own);
      expect(other.requests[0]?.messages[1]).toMatchObject({ text: 'Wait.', calls });
    }
  });

  test('an answer goes back in its own words, not by its id', async () => {
    const { items } = await secondItems({ reasoning: thought, text: 'Sunny.' }, context);
    expect(items.map(({ type, content }) => type ?? content)).toEqual(['reasoning', 'Sunny.']);
  });
});

test.each(ways)('what was thought in several parts is one again, %s', async (_, context) => {
  const summary = ['First.', 'Second.', 'Third.'].map((text) => ({ type: 'summary_text', text }));
  const item = { id: 'rs_1', type: 'reasoning', summary, encrypted_content: 'gAAAA-last' };
  const whole = JSON.parse(openaiResponses.whole({ text: 'Sunny.' }));
  const at = { item_id: 'rs_1', output_index: 0 };
  const begun = { ...item, summary: [], encrypted_content: 'gAAAA-first' };
  const stream = [
    { type: 'response.output_item.added', output_index: 0, item: begun },
    ...summary.flatMap((part, index) => [
      { type: 'response.reasoning_summary_part.added', ...at, summary_index: index, part },
      { type: 'response.reasoning_summary_text.delta', ...at, summary_index: index, delta: part.text },
      { type: 'response.reasoning_summary_part.done', ...at, summary_index: index, part },
    ]),
    { type: 'response.output_item.done', output_index: 0, item },
  ].map(toEvent);
  const [created = '', started = '', ...rest] = openaiResponses.stream({ text: 'Sunny.' });
  const served = await serveWire(openaiResponses, [
    (response, { isStreamed }) => {
      response.writeHead(200, { 'content-type': isStreamed ? 'text/event-stream' : 'application/json' });
      const body = JSON.stringify({ ...whole, output: [item, ...whole.output] });
      response.end(isStreamed ? [created, started, ...stream, ...rest].join('') : body);
    },
  ]);
  expect((await secondInput(served, context))[2]).toEqual(item);
});

test('where a configuration has it kept there, it is referred to', async () => {
  const config = { custom: { providerOptions: { store: true } } };
  const served = await serveWire(openaiResponses, [{ reasoning: thought, text: 'Sunny.' }], { config });
  const items = await secondInput(served, ways[0][1]);
  expect(items.slice(2)).toEqual([
    { type: 'item_reference', id: 'rs_1' },
    { type: 'item_reference', id: 'msg_1' },
  ]);
});

const odd = [
  ['an id that is long', 'x'.repeat(65)],
  ['an id that is odd', 'functions.weather:0 é'],
  ['no id at all', ''],
] as const;

describe.each<[string, Wire, number]>([
  ['responses', openaiResponses, 64],
  ['chat', openaiChat, 40],
])('calls of another provider, %s', (_, wire, longest) => {
  async function idsOf(...ids: string[]) {
    const message: AssistantMessage = {
      role: 'assistant',
      content: ids.map((id) => ({ type: 'tool-call', id, name: 'weather', input: '{}' })),
    };
    const { model, requests } = await serveWire(wire, [{ text: 'Sunny.' }]);
    await model.call(requestOf({ tools, messages: conversationOf(message) }), ways[0][1]());
    const [, asked, answered] = requests[0]?.messages ?? [];
    const sent = asked?.calls.map(({ id }) => id) ?? [];
    expect(answered?.results.map(({ id }) => id)).toEqual(sent);
    return sent;
  }

  test.each(odd)('%s becomes one that is accepted, the same for the call and its result', async (_, id) => {
    const [sent = '', other = ''] = await idsOf(id, `${id}!`);
    for (const one of [sent, other]) expect(one).toMatch(/^[\w-]+$/);
    expect(sent.length).toBeLessThanOrEqual(longest);
    expect(sent).not.toBe(other);
    expect(await idsOf(id)).toEqual([sent]);
  });

  test('one that is accepted stays', async () => {
    const ids = ['call_1', 'x'.repeat(longest)];
    expect(await idsOf(...ids)).toEqual(ids);
  });

  test('what went wrong is said in its own words', async () => {
    const { model, requests } = await serveWire(wire, [{ text: 'Sunny.' }]);
    const message = {
      role: 'assistant',
      content: [{ type: 'tool-call', id: 'a', name: 'weather', input: '{' }],
    } as const;
    const failed = { type: 'tool-result', id: 'a', name: 'weather', text: 'No "JSON".', isError: true } as const;
    const messages: Message[] = [userMessage('Hi'), message, { role: 'tool', content: [failed] }];
    await model.call(requestOf({ tools, messages }), ways[0][1]());
    expect(requests[0]?.messages[2]?.results).toEqual([{ id: 'a', text: 'No "JSON".' }]);
  });
});

test.each(ways)('chat has no place for reasoning, %s', async (_, context) => {
  const message: AssistantMessage = { role: 'assistant', content: [{ type: 'reasoning', text: 'Hm.' }] };
  const { model, requests } = await serveWire(openaiChat, [{ text: 'Sunny.' }]);
  await model.call(requestOf({ messages: [userMessage('a'), message, userMessage('b')] }), context());
  expect(requests[0]?.messages.map(({ role, text }) => [role, text])).toEqual([
    ['user', 'a'],
    ['user', 'b'],
  ]);
});
