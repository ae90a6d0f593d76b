// The promise: the official client of OpenAI gets responses of agents as it does of models, goes on from them, and finds them again.

import OpenAI from 'openai';
import { ResponsesToolRunner, runnerFunction } from 'openai/helpers/responses-tool-runner';
import { zodResponsesFunction, zodTextFormat } from 'openai/helpers/zod';
import { toResponseInputItems } from 'openai/lib/responses/ResponseInputItems';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { cast, knowledge, ownKnowledge } from './cast.ts';
import { serve } from './served.ts';

const house = await serve(cast());

function connect() {
  const watched = house.watch();
  return { watched, client: new OpenAI({ apiKey: 'any', baseURL: `${house.url}/v1`, fetch: watched.fetch }) };
}

const City = z.object({ city: z.string(), people: z.number().int() });
const Place = z.object({ city: z.string() });

function sessionOf(response: object): string {
  return (response as { ai_agent: { session_id: string } }).ai_agent.session_id;
}

test('an answer, with what it has used and the session it is of', async () => {
  const { client, watched } = connect();
  const response = await client.responses.create({ model: 'teller', input: 'Go.', instructions: 'Be short.' });
  expect([response.status, response.output_text]).toEqual(['completed', 'Message 1: Go.']);
  expect(response.usage).toMatchObject({
    input_tokens: 100,
    input_tokens_details: { cached_tokens: 64 },
    output_tokens: 20,
    total_tokens: 120,
  });
  expect(sessionOf(response)).toBe(watched.sessions[0]);
  expect(response._request_id).toBe(watched.sessions[0]);
});

test('the helper for streams puts it together, event after event', async () => {
  const { client } = connect();
  const pieces: string[] = [];
  const types: string[] = [];
  const numbers: number[] = [];
  const stream = client.responses
    .stream({ model: 'teller', input: 'Go.' })
    .on('response.output_text.delta', ({ delta }) => pieces.push(delta))
    .on('event', ({ type, sequence_number: number }) => {
      types.push(type);
      numbers.push(number);
    });
  const response = await stream.finalResponse();
  expect([response.status, response.output_text]).toEqual(['completed', 'Message 1: Go.']);
  expect([pieces.length > 1, pieces.join('')]).toEqual([true, 'Message 1: Go.']);
  expect([types[0], types.at(-1)]).toEqual(['response.created', 'response.completed']);
  expect(numbers).toEqual(numbers.map((_, i) => i));
  expect(response.usage?.total_tokens).toBe(120);
});

test('work with tools and agents of its own is one answer, and all of it is counted', async () => {
  const { client } = connect();
  const response = await client.responses.create({ model: 'lead', input: 'Go.' });
  expect([response.output_text, response.usage?.input_tokens]).toEqual([ownKnowledge, 40]);
  const streamed = await client.responses.stream({ model: 'lead', input: 'Go.' }).finalResponse();
  expect(streamed.output_text).toBe(ownKnowledge);
});

test('reasoning is an item of its own, at once and in pieces', async () => {
  const { client } = connect();
  const thoughts: string[] = [];
  const asked = { model: 'thinker', input: 'Go.', reasoning: { effort: 'low', summary: 'auto' } } as const;
  const stream = client.responses.stream(asked);
  stream.on('response.reasoning_summary_text.delta', ({ delta }) => thoughts.push(delta));
  for (const response of [await client.responses.create(asked), await stream.finalResponse()]) {
    expect(response.output.map(({ type }) => type)).toEqual(['reasoning', 'message']);
    expect(response.output[0]).toMatchObject({ summary: [{ type: 'summary_text', text: 'Six times seven, hm.' }] });
    expect(response.output_text).toBe('Forty-two.');
    expect(response.usage?.output_tokens_details.reasoning_tokens).toBe(7);
  }
  expect(thoughts.join('')).toBe('Six times seven, hm.');
});

test('a reply that was cut is incomplete', async () => {
  const { client } = connect();
  const response = await client.responses.create({ model: 'windbag', input: 'Go.' });
  expect([response.status, response.incomplete_details]).toEqual(['incomplete', { reason: 'max_output_tokens' }]);
});

test('a schema of the client, and the contract of the agent, are parsed', async () => {
  const { client } = connect();
  const text = { format: zodTextFormat(City, 'city') };
  const parsed = await client.responses.parse({ model: 'scribe', input: 'Go.', text });
  expect(parsed.output_parsed).toEqual({ city: 'Thebes', people: 36_477 });
  const own = await client.responses.parse({ model: 'clerk', input: 'Go.', text });
  expect(own.output_parsed).toEqual({ city: 'Delphi', people: 767 });
  const streamed = await client.responses.stream({ model: 'scribe', input: 'Go.', text }).finalResponse();
  expect(streamed.output_parsed).toEqual({ city: 'Thebes', people: 36_477 });
});

test('the next request goes on from one before, or from all that was said', async () => {
  const { client } = connect();
  const first = await client.responses.create({ model: 'teller', input: 'One.' });
  const next = await client.responses.create({ model: 'teller', input: 'Two.', previous_response_id: first.id });
  expect([next.output_text, next.previous_response_id]).toEqual(['Message 3: Two.', first.id]);
  const sent = await client.responses.create({
    model: 'teller',
    store: false,
    input: [
      { role: 'user', content: 'One.' },
      ...toResponseInputItems(first.output),
      { role: 'user', content: 'Three.' },
    ],
  });
  expect(sent.output_text).toBe('Message 3: Three.');
});

test('a question is a message, and what is said next is the answer', async () => {
  const { client, watched } = connect();
  const asked = await client.responses.create({ model: 'curious', input: 'Go.' });
  expect(asked.output_text).toBe('Which year?\n\n- 1999\n- 2024');
  const next = { model: 'curious', input: '1999', previous_response_id: asked.id };
  const answered = await client.responses.stream(next).finalResponse();
  expect(answered.output_text).toBe('The year is 1999.');
  expect(watched.sessions[1]).toBe(watched.sessions[0]);
});

test('what was kept is found, with what was asked, and can be deleted', async () => {
  const { client } = connect();
  const { id } = await client.responses.create({
    model: 'teller',
    input: ['One.', 'Two.', 'Three.'].map((content) => ({ role: 'user' as const, content })),
  });
  expect((await client.responses.retrieve(id)).output_text).toBe('Message 3: Three.');
  const words: unknown[] = [];
  for await (const item of client.responses.inputItems.list(id, { limit: 2, order: 'asc' }))
    if (item.type === 'message') words.push(item.content[0]);
  expect(words).toMatchObject([{ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' }]);
  await client.responses.delete(id);
  await expect(client.responses.retrieve(id)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  const { id: secret } = await client.responses.create({ model: 'teller', input: 'Go.', store: false });
  await expect(client.responses.retrieve(secret)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
});

const weather = zodResponsesFunction({
  name: 'weather',
  description: 'what it is like',
  parameters: Place,
  function: ({ city }) => `sun in ${city}`,
});
const people = zodResponsesFunction({ name: 'people', parameters: Place, function: () => '767' });
const known = knowledge(['sun in Delphi', 'sun in Thebes'], '767');

test.each(['from the response before', 'from all that was said'])(
  'functions are called in one session, and it is gone on with %s',
  async (how) => {
    const { client, watched } = connect();
    const input: OpenAI.Responses.ResponseInputItem[] = [{ role: 'user', content: 'Go.' }];
    const asked = { model: 'lead', tools: [weather, people] };
    let response = await client.responses.parse({ ...asked, input });
    for (;;) {
      const calls = response.output.filter((item) => item.type === 'function_call');
      if (calls.length === 0) break;
      const results = calls.map(({ call_id, name, parsed_arguments: { city } }) => ({
        type: 'function_call_output' as const,
        call_id,
        output: name === 'weather' ? `sun in ${city}` : '767',
      }));
      input.push(...toResponseInputItems(response.output), ...results);
      const next = how === 'from all that was said' ? { input } : { input: results, previous_response_id: response.id };
      response = await client.responses.parse({ ...asked, ...next });
    }
    expect(response.output_text).toBe(known);
    expect([watched.sessions.length, new Set(watched.sessions).size]).toEqual([3, 1]);
  },
);

test.each([false, true])('the runner of the client runs them; in pieces: %s', async (stream) => {
  const { client, watched } = connect();
  const runner = new ResponsesToolRunner({ functions: [runnerFunction(weather), runnerFunction(people)] });
  const response = await runner.run(client, { model: 'lead', input: 'Go.' }, { stream });
  expect(response.output_text).toBe(known);
  expect([watched.sessions.length, new Set(watched.sessions).size]).toEqual([3, 1]);
});
