// The promise: a streamed message is told by the events of Anthropic's API, each in its place and with all of its fields.

import type { ModelRequest } from '@ai-agent/core';
import { FakeClock, fakePorts } from '@ai-agent/core/testing';
import { describe, expect, test, vi } from 'vitest';
import { signatureOf } from '../src/headends/anthropic/message-reply.ts';
import { MessageWriter } from '../src/headends/anthropic/message-writer.ts';
import { SseStream } from '../src/sse.ts';
import { agentOf, lastResult, lookUp } from './contract/people.ts';
import { anthropicApp, eventsIn, type Read } from './support/anthropic-app.ts';
import { gate } from './support/house.ts';

const asks = { messages: [{ role: 'user', content: 'Hello?' }] };
const weather = { name: 'weather', description: 'tells the weather', input_schema: { type: 'object' } };

/** Each event in a word, with its index and what it is about. */
function shortly(events: readonly Read[]): readonly string[] {
  return events.map(({ type, index, content_block: block, delta }) => {
    const about = [index, block?.type, delta?.type, delta?.text ?? delta?.thinking ?? delta?.partial_json];
    return [type, ...about.filter((word) => word !== undefined)].join(' ');
  });
}

test('an answer in pieces', async () => {
  const app = anthropicApp([agentOf('teller', ['one two six'])]);
  const events = await app.events(asks);
  expect(shortly(events)).toEqual([
    'message_start',
    'ping',
    'content_block_start 0 text',
    'content_block_delta 0 text_delta one ',
    'content_block_delta 0 text_delta two ',
    'content_block_delta 0 text_delta six',
    'content_block_stop 0',
    'message_delta',
    'message_stop',
  ]);
  const [start] = events;
  expect(start.message).toMatchObject({ model: 'teller', role: 'assistant', content: [], stop_reason: null });
  // An estimate: some clients look nowhere else.
  expect(start.message.usage.input_tokens).toBeGreaterThan(0);
  expect(start.message.usage.output_tokens).toBe(0);
  expect(events.at(-2)).toMatchObject({
    delta: { stop_reason: 'end_turn', stop_sequence: null, stop_details: null, container: null },
    usage: { input_tokens: 10, output_tokens: 5, output_tokens_details: { thinking_tokens: 0 } },
    ai_agent: { session_id: 's1', status: 'completed' },
  });
});

test('thinking is a block of its own, and is signed', async () => {
  const app = anthropicApp([agentOf('teller', [{ text: 'Hi.', reasoning: 'Hm.' }], {}, { pieces: 1 })]);
  const events = await app.events({ ...asks, thinking: { type: 'adaptive' } });
  expect(shortly(events).slice(2, -2)).toEqual([
    'content_block_start 0 thinking',
    'content_block_delta 0 thinking_delta Hm.',
    'content_block_delta 0 signature_delta',
    'content_block_stop 0',
    'content_block_start 1 text',
    'content_block_delta 1 text_delta Hi.',
    'content_block_stop 1',
  ]);
  const whole = anthropicApp([agentOf('teller', [{ text: 'Hi.', reasoning: 'Hm.' }])]);
  const { content } = await whole.message({ ...asks, thinking: { type: 'enabled', budget_tokens: 1024 } });
  expect(events[4].delta.signature).toBe(content[0].signature);
});

test.each([[{}], [{ thinking: { type: 'disabled' } }]])(
  'who does not ask for thoughts is told none: %o',
  async (more) => {
    const app = anthropicApp([agentOf('teller', [{ text: 'Hi.', reasoning: 'Hm.' }], {}, { pieces: 1 })]);
    const events = await app.events({ ...asks, ...more });
    expect(shortly(events).slice(2, -2)).toEqual([
      'content_block_start 0 text',
      'content_block_delta 0 text_delta Hi.',
      'content_block_stop 0',
    ]);
  },
);

test('calls for the client come last, each with its whole input', async () => {
  const calls = [
    { name: 'weather', input: { city: 'Athens' } },
    { name: 'weather', input: {} },
  ];
  const script = (request: ModelRequest) => (lastResult(request) === undefined ? { text: 'I look.', calls } : 'Done.');
  const events = await anthropicApp([agentOf('teller', script)]).events({ ...asks, tools: [weather] });
  expect(shortly(events).filter((line) => !line.includes('text_delta'))).toEqual([
    'message_start',
    'ping',
    'content_block_start 0 text',
    'content_block_stop 0',
    'content_block_start 1 tool_use',
    'content_block_delta 1 input_json_delta {"city":"Athens"}',
    'content_block_stop 1',
    'content_block_start 2 tool_use',
    'content_block_delta 2 input_json_delta {}',
    'content_block_stop 2',
    'message_delta',
    'message_stop',
  ]);
  expect(events.at(-2)).toMatchObject({ delta: { stop_reason: 'tool_use' } });
});

test('a report that is withheld until it is whole comes in one piece', async () => {
  const format = { type: 'json_schema', schema: { type: 'object', required: ['n'] } };
  const app = anthropicApp([agentOf('teller', ['{"n": 1}', '{"n": 1}'])]);
  const events = await app.events({ ...asks, output_config: { format } });
  expect(shortly(events).slice(2, -2)).toEqual([
    'content_block_start 0 text',
    'content_block_delta 0 text_delta {"n":1}',
    'content_block_stop 0',
  ]);
});

describe('thoughts between pieces of the answer', () => {
  test('each is a block of its own, under the next index', async () => {
    const stream = new SseStream({ onGone: () => {} });
    const head = { id: 'msg_1', model: 'teller', showsThinking: true, inputTokens: 3 };
    const writer = new MessageWriter(stream, head);
    writer.begin();
    writer.reasoning('a');
    writer.text('b');
    writer.text('');
    writer.reasoning('c');
    writer.reasoning('d');
    writer.text('e');
    stream.end();
    const events = await eventsIn(new Response(stream.body));
    expect(shortly(events).slice(2)).toEqual([
      'content_block_start 0 thinking',
      'content_block_delta 0 thinking_delta a',
      'content_block_delta 0 signature_delta',
      'content_block_stop 0',
      'content_block_start 1 text',
      'content_block_delta 1 text_delta b',
      'content_block_stop 1',
      'content_block_start 2 thinking',
      'content_block_delta 2 thinking_delta c',
      'content_block_delta 2 thinking_delta d',
      'content_block_delta 2 signature_delta',
      'content_block_stop 2',
      'content_block_start 3 text',
      'content_block_delta 3 text_delta e',
    ]);
    const signed = events.flatMap(({ delta }) => delta?.signature ?? []);
    expect(signed).toEqual([signatureOf('a'), signatureOf('cd')]);
  });
});

test('while nothing comes, a ping says that the run goes on', async () => {
  const clock = new FakeClock();
  const { opened, open } = gate();
  const agent = agentOf('slow', [{ text: 'At last.', until: opened }], {}, { pieces: 1 });
  const app = anthropicApp([agent], { ports: fakePorts({ clock }) });
  const asked = app.post({ ...asks, stream: true });
  // It begins when nothing has come for a while.
  await vi.waitFor(() => expect(clock.timers).toBeGreaterThan(0));
  clock.advance(6_000);
  const response = await asked;
  clock.advance(31_000);
  open();
  expect(shortly(await eventsIn(response)).slice(0, 5)).toEqual([
    'message_start',
    'ping',
    'ping',
    'ping',
    'content_block_start 0 text',
  ]);
});

test('what goes wrong on the way is an event, the last', async () => {
  const steps = [
    { reasoning: 'Hm.', calls: [{ name: 'look_up', input: {} }] },
    { fail: { code: 'model-auth' as const } },
  ];
  const app = anthropicApp([agentOf('ill', steps, { tools: [lookUp] })]);
  const response = await app.post({ ...asks, stream: true });
  expect(response.status).toBe(200);
  expect(response.headers.get('request-id')).toBe('s1');
  const events = await eventsIn(response);
  expect(shortly(events).at(-1)).toBe('error');
  expect(events.at(-1)).toMatchObject({
    error: { type: 'api_error', ai_agent: { class: 'auth', code: 'model-auth', session_id: 's1' } },
    request_id: 's1',
  });
});

test('what goes wrong before anything was said is no stream', async () => {
  const app = anthropicApp([agentOf('ill', [{ fail: { code: 'model-auth', message: 'No such key.' } }])]);
  const response = await app.post({ ...asks, stream: true });
  expect([response.status, response.headers.get('request-id')]).toEqual([500, 's1']);
  expect(response.headers.get('x-should-retry')).toBe('false');
  expect(await response.json()).toMatchObject({ error: { type: 'api_error', ai_agent: { class: 'auth' } } });
});

test('what is wrong with the request is no stream', async () => {
  const response = await anthropicApp([agentOf('teller', ['Hi.'])]).post({ messages: [], stream: true });
  expect([response.status, response.headers.get('content-type')]).toEqual([400, 'application/json; charset=utf-8']);
});
