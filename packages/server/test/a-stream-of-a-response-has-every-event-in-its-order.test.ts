// The promise: a response in a stream is told item by item, each opened, filled and closed, and the whole of it at the end.

import { defineTool } from '@ai-agent/core';
import { FakeClock, fakePorts } from '@ai-agent/core/testing';
import { expect, test, vi } from 'vitest';
import { agentOf, call, lastResult, lookUp } from './contract/people.ts';
import { gate } from './support/house.ts';
import { requestsOf } from './support/openai-app.ts';
import { readResponseEvents, responsesApp, typesOf } from './support/responses-app.ts';

const ask = { model: 'teller', input: 'Go.' };
const whole = ['created', 'in_progress'];
const message = [
  ...['output_item.added', 'content_part.added', 'output_text.delta', 'output_text.done'],
  ...['content_part.done', 'output_item.done'],
];
const thought = [
  ...['output_item.added', 'reasoning_summary_part.added', 'reasoning_summary_text.delta'],
  ...['reasoning_summary_text.done', 'reasoning_summary_part.done', 'output_item.done'],
];

// Every event, as it was read.
type Events = Awaited<ReturnType<ReturnType<typeof responsesApp>['stream']>>;

const pieces = (events: Events, type: string) =>
  events.filter((event) => event.type === `response.${type}`).map(({ delta }) => delta);

test('a message: opened, in pieces, closed, and in the whole at the end as it was told', async () => {
  const events = await responsesApp([agentOf('teller', ['one two six'])]).stream(ask);
  expect(typesOf(events)).toEqual([...whole, ...message, 'completed']);
  expect(pieces(events, 'output_text.delta')).toEqual(['one ', 'two ', 'six']);
  const text = { type: 'output_text', text: 'one two six', annotations: [], logprobs: [] };
  const at = { item_id: events[2].item.id, output_index: 0, content_index: 0 };
  expect(events[2]).toMatchObject({ output_index: 0, item: { status: 'in_progress', content: [] } });
  expect(events[3]).toMatchObject({ ...at, part: { ...text, text: '' } });
  expect(events.slice(-4)).toMatchObject([
    { type: 'response.output_text.done', ...at, text: 'one two six' },
    { type: 'response.content_part.done', ...at, part: text },
    { type: 'response.output_item.done', item: { id: at.item_id, status: 'completed', content: [text] } },
    { type: 'response.completed', response: { output: [{ id: at.item_id, content: [text] }] } },
  ]);
});

test('it begins with nothing in it, and ends with all that is known', async () => {
  const events = await responsesApp([agentOf('teller', ['Yes.'])]).stream({ ...ask, metadata: { a: 'b' } });
  const [created, inProgress] = events;
  expect(created.response).toMatchObject({ output: [], usage: null, completed_at: null, metadata: { a: 'b' } });
  expect(created.response).not.toHaveProperty('ai_agent');
  expect(inProgress.response).toEqual(created.response);
  const { response } = events.at(-1);
  expect(response).toMatchObject({ id: created.response.id, usage: { total_tokens: 15 }, metadata: { a: 'b' } });
  expect(response.ai_agent).toMatchObject({ status: 'completed' });
  const { output, usage, status, completed_at: _at, ai_agent: _about, ...same } = response;
  expect(created.response).toMatchObject(same);
});

test('what is thought is an item before the message', async () => {
  const events = await responsesApp([agentOf('teller', [{ text: 'Yes.', reasoning: 'Hm.' }])]).stream(ask);
  expect(typesOf(events)).toEqual([...whole, ...thought, ...message, 'completed']);
  expect(pieces(events, 'reasoning_summary_text.delta').join('')).toBe('Hm.');
  expect(events.at(-1).response.output).toMatchObject([
    { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }] },
    { type: 'message', content: [{ text: 'Yes.' }] },
  ]);
  const indexes = events.map(({ output_index: index }) => index).filter((index) => index !== undefined);
  expect(new Set(indexes.slice(0, 6))).toEqual(new Set([0]));
  expect(new Set(indexes.slice(6))).toEqual(new Set([1]));
});

test('what goes on inside is thought too, for who asks for it', async () => {
  const busy = agentOf('teller', (request) => (lastResult(request) ? 'Done.' : call('look_up', {})), {
    tools: [lookUp],
  });
  const { stream } = responsesApp([busy]);
  const told = await stream({ ...ask, ai_agent: { activity: true } });
  expect(pieces(told, 'reasoning_summary_text.delta').join('')).toContain('look_up');
  expect(typesOf(await stream(ask))).toEqual([...whole, ...message, 'completed']);
});

test('calls of functions, and of tools that take words as they are', async () => {
  const calls = [
    { name: 'weather', input: { city: 'Rome' } },
    { name: 'patch', input: { input: '*** Begin' } },
  ];
  const tools = [
    { type: 'function', name: 'weather' },
    { type: 'custom', name: 'patch', description: 'patches' },
  ];
  const events = await responsesApp([agentOf('teller', [{ calls }])]).stream({ ...ask, tools });
  const called = (kind: string) => ['output_item.added', `${kind}.delta`, `${kind}.done`, 'output_item.done'];
  expect(typesOf(events)).toEqual([
    ...whole,
    ...called('function_call_arguments'),
    ...called('custom_tool_call_input'),
    'completed',
  ]);
  const items = [
    { type: 'function_call', name: 'weather', arguments: '{"city":"Rome"}', status: 'completed' },
    { type: 'custom_tool_call', name: 'patch', input: '*** Begin', status: 'completed' },
  ];
  expect(events[2].item).toMatchObject({ ...items[0], arguments: '', status: 'in_progress' });
  expect(events[4]).toMatchObject({ arguments: '{"city":"Rome"}', item_id: events[2].item.id, output_index: 0 });
  expect(events[6].item).toMatchObject({ ...items[1], input: '', status: 'in_progress' });
  expect(events[8]).toMatchObject({ input: '*** Begin', item_id: events[6].item.id, output_index: 1 });
  expect(events.at(-1).response.output).toMatchObject(items);
});

test('what was cut off ends as incomplete', async () => {
  const cut = agentOf('teller', [{ text: 'Half of', finishReason: 'length' }]);
  const events = await responsesApp([cut]).stream(ask);
  expect(typesOf(events)).toEqual([...whole, ...message, 'incomplete']);
  expect(events.at(-2).item.status).toBe('incomplete');
  expect(events.at(-1).response).toMatchObject({ incomplete_details: { reason: 'max_output_tokens' } });
});

test('what fails on the way is told as an error, and as a response that failed', async () => {
  const broken = agentOf('teller', [{ fail: { code: 'model-failed', message: 'It would not.' } }], {
    limits: { maxRetries: 1 },
  });
  const events = await responsesApp([broken]).stream(ask);
  expect(typesOf(events)).toEqual([...whole, 'error', 'failed']);
  const [error, failed] = events.slice(-2);
  expect(error).toMatchObject({ param: null, error: { type: 'invalid_request_error', message: error.message } });
  expect(error.message).toContain('It would not.');
  expect(failed.response).toMatchObject({
    status: 'failed',
    output: [],
    usage: null,
    // The same would fail again.
    error: { code: 'invalid_prompt', message: error.message },
    ai_agent: { status: 'failed' },
  });
});

test('an answer that breaks off is closed before it is said to have failed', async () => {
  const broken = agentOf('teller', [{ text: 'one two six', cutAfter: 2 }], { limits: { maxRetries: 1 } });
  const events = await responsesApp([broken]).stream(ask);
  expect(typesOf(events)).toEqual([...whole, ...message, 'error', 'failed']);
  expect(events.at(-3).item).toMatchObject({ status: 'incomplete', content: [{ text: 'one two ' }] });
  expect(events.at(-1).response.output).toMatchObject([{ status: 'incomplete' }]);
});

test('where nothing comes for a while, it is said that it is still in progress', async () => {
  const clock = new FakeClock();
  const slow = gate();
  const agent = agentOf('teller', [{ text: 'Late.', until: slow.opened }]);
  const { request } = responsesApp([agent], { ports: { ...fakePorts(), clock } });
  const reply = await request('POST', '/v1/responses', { body: { ...ask, stream: true } });
  clock.advance(31_000);
  slow.open();
  const events = readResponseEvents(await reply.text());
  expect(events.map(({ type }) => type).slice(0, 4)).toEqual([
    'response.created',
    ...Array.from({ length: 3 }, () => 'response.in_progress'),
  ]);
  expect(events.at(-1).type).toBe('response.completed');
});

test('that is said with what has been told so far, so that clients can go on with it', async () => {
  const clock = new FakeClock();
  const slow = gate();
  const waits = defineTool({ ...lookUp, execute: () => slow.opened.then(() => 'forty-two') });
  const agent = agentOf(
    'teller',
    (request) => (lastResult(request) ? 'Done.' : { ...call('look_up', {}), reasoning: 'Hm.' }),
    { tools: [waits] },
  );
  const { request } = responsesApp([agent], { ports: { ...fakePorts(), clock } });
  const reply = await request('POST', '/v1/responses', { body: { ...ask, stream: true } });
  await vi.waitFor(() => expect(requestsOf(agent)).toHaveLength(1));
  clock.advance(16_000);
  slow.open();
  const events = readResponseEvents(await reply.text());
  const [, , again] = events.filter(({ response }) => response?.status === 'in_progress');
  expect(again.response.output).toMatchObject([{ status: 'in_progress', summary: [{ text: 'Hm.' }] }]);
  expect(again.response.output[0].id).toBe(events.at(-1).response.output[0].id);
});
