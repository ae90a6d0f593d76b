// The promise: a streamed chat completion has every chunk of OpenAI's reference, in its order, and comes to what is said without a stream.

import type { JsonSchema } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { agentOf, call, lastResult, lookUp } from './contract/people.ts';
import { ask, openaiApp } from './support/openai-app.ts';

const answer = 'One thing after the other. ✓';
const include = { stream_options: { include_usage: true } };
const schema: JsonSchema = { type: 'object', properties: { city: { type: 'string' } } };
const weather = { type: 'function', function: { name: 'weather', parameters: schema } };
const shell = { type: 'custom', custom: { name: 'shell' } };

type Events = Awaited<ReturnType<ReturnType<typeof openaiApp>['stream']>>;

const deltas = (events: Events) =>
  events.flatMap((event) => event.choices?.map((one: { delta: object }) => one.delta) ?? []);
const joined = (events: Events, field: string) =>
  deltas(events)
    .map((delta) => delta[field] ?? '')
    .join('');

test('words: who speaks, the pieces, the end, and DONE', async () => {
  const teller = agentOf('teller', [answer], {}, { pieces: 6 });
  const events = await openaiApp([teller]).stream(ask('teller'));
  const [first, ...rest] = deltas(events);
  expect(first).toEqual({ role: 'assistant', content: '', refusal: null });
  expect(rest.at(-1)).toEqual({});
  expect(rest.slice(0, -1).every((delta) => Object.keys(delta).join() === 'content')).toBe(true);
  expect(rest.length).toBeGreaterThan(4);
  expect(joined(events, 'content')).toBe(answer);
  expect(events.slice(0, -1).map((event) => event.choices[0].finish_reason)).toEqual([...rest.map(() => null), 'stop']);
  expect(events.at(-1)).toBe('[DONE]');
});

test('every chunk has the same head, and none has usage when nobody asked for it', async () => {
  const events = (await openaiApp([agentOf('teller', [answer])]).stream(ask('teller'))).slice(0, -1);
  const heads = events.map(({ id, created, model, object }) => JSON.stringify({ id, created, model, object }));
  expect(new Set(heads).size).toBe(1);
  expect(events[0]).toMatchObject({ id: expect.stringMatching(/^chatcmpl-./), model: 'teller' });
  expect(events.filter((event) => 'usage' in event)).toEqual([]);
  expect(events.map((event) => 'ai_agent' in event)).toEqual([...events.slice(1).map(() => false), true]);
  expect(events.at(-1).ai_agent).toMatchObject({ session_id: 's1', status: 'completed' });
});

test('with include_usage: a last chunk without choices has it, all before have null', async () => {
  const events = (await openaiApp([agentOf('teller', [answer])]).stream({ ...ask('teller'), ...include })).slice(0, -1);
  const last = events.at(-1);
  expect(last.choices).toEqual([]);
  expect(last.usage).toMatchObject({ prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 });
  expect(last.ai_agent).toMatchObject({ session_id: 's1' });
  for (const event of events.slice(0, -1)) expect([event.usage, 'ai_agent' in event]).toEqual([null, false]);
  expect(events.at(-2).choices[0].finish_reason).toBe('stop');
});

test('reasoning comes in its own field, before the words', async () => {
  const thinker = agentOf('thinker', [{ reasoning: 'Hm, hm. So it is.', text: answer }], {}, { pieces: 4 });
  const events = await openaiApp([thinker]).stream(ask('thinker'));
  expect([joined(events, 'reasoning_content'), joined(events, 'content')]).toEqual(['Hm, hm. So it is.', answer]);
  const kinds = deltas(events)
    .slice(1, -1)
    .map((delta) => Object.keys(delta).join());
  expect(kinds).toEqual([...kinds].sort().reverse());
});

test('calls: each is named, then has its arguments, by its place in the list', async () => {
  const caller = agentOf('caller', [
    {
      text: 'I will look.',
      calls: [
        { name: 'weather', input: { city: 'Delphi' } },
        { name: 'shell', input: { input: 'ls' } },
      ],
    },
  ]);
  const events = await openaiApp([caller]).stream({ ...ask('caller'), tools: [weather, shell], ...include });
  const id = expect.stringMatching(/^call_./);
  expect(deltas(events).flatMap(({ tool_calls = [] }) => tool_calls)).toEqual([
    { index: 0, id, type: 'function', function: { name: 'weather', arguments: '' } },
    { index: 0, function: { arguments: '{"city":"Delphi"}' } },
    { index: 1, id, type: 'custom', custom: { name: 'shell', input: '' } },
    { index: 1, custom: { input: 'ls' } },
  ]);
  expect(joined(events, 'content')).toBe('I will look.');
  expect(events.at(-3).choices[0]).toMatchObject({ delta: {}, finish_reason: 'tool_calls' });
  expect(events.at(-2).ai_agent.status).toBe('needs_client_tools');
});

test('one function call, for clients that know one only', async () => {
  const caller = agentOf('caller', [{ calls: [{ name: 'weather', input: { city: 'Delphi' } }] }]);
  const events = await openaiApp([caller]).stream({ ...ask('caller'), functions: [weather.function] });
  expect(deltas(events).flatMap((delta) => delta.function_call ?? [])).toEqual([
    { name: 'weather', arguments: '' },
    { arguments: '{"city":"Delphi"}' },
  ]);
  expect(events.at(-2).choices[0].finish_reason).toBe('function_call');
});

test('what was said on the way to a tool of the agent is not the answer', async () => {
  const busy = agentOf(
    'busy',
    (request) => (lastResult(request) ? answer : { ...call('look_up', {}), text: 'Let me see.' }),
    { tools: [lookUp] },
  );
  expect(joined(await openaiApp([busy]).stream(ask('busy')), 'content')).toBe(answer);
});

test('JSON is not shown before it is known to be right', async () => {
  const talker = agentOf('talker', ['{"no":', '{"city":"Delphi"}']);
  const response_format = { type: 'json_schema', json_schema: { name: 'city', schema } };
  const events = await openaiApp([talker]).stream({ ...ask('talker'), response_format });
  expect(JSON.parse(joined(events, 'content'))).toEqual({ city: 'Delphi' });
});

test('a stream comes to what is said without one', async () => {
  const teller = () => agentOf('teller', [{ text: answer, reasoning: 'Hm.' }]);
  const whole = await openaiApp([teller()]).complete(ask('teller'));
  const events = await openaiApp([teller()]).stream({ ...ask('teller'), ...include });
  const { message, finish_reason } = whole.choices[0];
  expect([joined(events, 'content'), joined(events, 'reasoning_content')]).toEqual([
    message.content,
    message.reasoning_content,
  ]);
  expect([events.at(-2).usage, events.at(-3).choices[0].finish_reason]).toEqual([whole.usage, finish_reason]);
});
