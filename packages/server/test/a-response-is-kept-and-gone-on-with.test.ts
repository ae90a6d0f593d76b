// The promise: a response is kept for whoever asked for it, bounded and for a day, and the next request can go on from it.

import type { Agent, ModelRequest } from '@ai-agent/core';
import { FakeClock, fakePorts } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { KeptResponses } from '../src/headends/openai/responses/kept-responses.ts';
import { hashOf, Keys } from '../src/index.ts';
import { agentOf, lastResult } from './contract/people.ts';
import { hallOf } from './support/house.ts';
import { readRefusal, requestsOf } from './support/openai-app.ts';
import { responsesApp } from './support/responses-app.ts';

const hear = (agent: Agent, at = -1) => said(requestsOf(agent).at(at) as ModelRequest);

/** Who said what, without the agent's own words. */
function said({ messages }: ModelRequest): readonly unknown[] {
  return messages.map((message) => [
    message.role,
    ...('content' in message ? message.content.map((part) => ('text' in part ? part.text : part.type)) : []),
  ]);
}

const systemOf = (agent: Agent) => requestsOf(agent).at(-1)?.system;

const weather = { type: 'function', name: 'weather', parameters: { type: 'object' } };

test('the next request goes on from it, streamed or not, as often as one likes', async () => {
  const agent = agentOf('teller', ['Hello Ann.', 'Ann.', 'Ann again.']);
  const { respond, stream } = responsesApp([agent]);
  const first = await respond({ model: 'teller', input: 'I am Ann.' });
  const events = await stream({ model: 'teller', input: 'Who am I?', previous_response_id: first.id });
  const second = events.at(-1).response;
  expect(second.previous_response_id).toBe(first.id);
  expect(hear(agent)).toEqual([
    ['user', 'I am Ann.'],
    ['assistant', 'Hello Ann.'],
    ['user', 'Who am I?'],
  ]);
  await respond({ model: 'teller', input: 'Once more?', previous_response_id: second.id });
  expect(hear(agent)).toHaveLength(5);
  expect(hear(agent).slice(2)).toEqual([
    ['user', 'Who am I?'],
    ['assistant', 'Ann.'],
    ['user', 'Once more?'],
  ]);
});

test('instructions hold for one response; what was said as a rule among the items holds for all', async () => {
  const agent = agentOf('teller', ['A.', 'B.']);
  const { respond } = responsesApp([agent]);
  const input = [
    { role: 'developer', content: 'Rhyme.' },
    { role: 'user', content: 'Go.' },
  ];
  const { id } = await respond({ model: 'teller', instructions: 'Whisper.', input });
  expect(systemOf(agent)).toMatch(/Whisper\.[\s\S]*Rhyme\./);
  await respond({ model: 'teller', instructions: 'Shout.', input: 'Again.', previous_response_id: id });
  expect(systemOf(agent)).toMatch(/Shout\.[\s\S]*Rhyme\./);
  expect(systemOf(agent)).not.toContain('Whisper.');
});

test('results of tools are enough to go on with: the calls are kept', async () => {
  const agent = agentOf('teller', [{ calls: [{ name: 'weather', input: { city: 'Rome' } }] }, 'Sunny.']);
  const { respond } = responsesApp([agent]);
  const { id, output, ai_agent: before } = await respond({ model: 'teller', input: 'Go.', tools: [weather] });
  const [{ call_id }] = output;
  const result = { type: 'function_call_output', call_id, output: '21 degrees' };
  const after = await respond({ model: 'teller', previous_response_id: id, input: [result], tools: [weather] });
  expect(after.output).toMatchObject([{ type: 'message', content: [{ text: 'Sunny.' }] }]);
  // The very session that asked for it.
  expect(after.ai_agent.session_id).toBe(before.session_id);
  expect(hear(agent)).toEqual([
    ['user', 'Go.'],
    ['assistant', 'tool-call'],
    ['tool', '21 degrees'],
  ]);
});

test.each(['as it is kept', 'as it was sent back'])('a question is answered by what comes next, %s', async (how) => {
  const question = { name: 'ask_user', input: { question: 'Which year?' } };
  const agent = agentOf('teller', (request) => (lastResult(request) ? 'Then it is so.' : { calls: [question] }), {
    ask: 'person',
  });
  const { respond } = responsesApp([agent]);
  const asked = await respond({ model: 'teller', input: 'When?' });
  expect([asked.status, asked.output[0].content[0].text]).toEqual(['completed', 'Which year?']);
  const user = (content: string) => ({ role: 'user', content });
  const next =
    how === 'as it is kept'
      ? { input: '1999', previous_response_id: asked.id }
      : { input: [user('When?'), ...asked.output, user('1999')] };
  const answered = await respond({ model: 'teller', ...next });
  expect(answered.output[0].content[0].text).toBe('Then it is so.');
  expect(answered.ai_agent.session_id).toBe(asked.ai_agent.session_id);
  expect(answered.id).not.toBe(asked.id);
});

test('items that are only named are read from what is kept; those that are not there any more are passed over', async () => {
  const agent = agentOf('teller', [{ text: 'Hello Ann.', reasoning: 'Hm.' }, 'Ann.']);
  const { respond } = responsesApp([agent]);
  const { output } = await respond({ model: 'teller', input: 'I am Ann.' });
  const named = output.map(({ id }: { id: string }) => ({ type: 'item_reference', id }));
  const user = (content: string) => ({ role: 'user', content });
  const lost = { type: 'item_reference', id: 'msg_lost' };
  await respond({ model: 'teller', input: [user('I am Ann.'), ...named, lost, user('Who am I?')] });
  expect(hear(agent)).toEqual([
    ['user', 'I am Ann.'],
    ['assistant', 'Hello Ann.'],
    ['user', 'Who am I?'],
  ]);
});

test('it can be read as it was, and its items a page at a time', async () => {
  const { respond, request } = responsesApp([agentOf('teller', ['A.'])]);
  const input = [1, 2, 3].map((n) => ({ role: 'user', content: `Go ${n}.` }));
  const response = await respond({ model: 'teller', input });
  expect(await (await request('GET', `/v1/responses/${response.id}`)).json()).toEqual(response);
  const items = async (query: string) =>
    JSON.parse(await (await request('GET', `/v1/responses/${response.id}/input_items${query}`)).text());
  const all = await items('?order=asc');
  expect(all).toMatchObject({ object: 'list', has_more: false, first_id: all.data[0].id, last_id: all.data[2].id });
  expect(all.data[0]).toEqual({
    id: expect.stringMatching(/^msg_/),
    type: 'message',
    role: 'user',
    status: 'completed',
    content: [{ type: 'input_text', text: 'Go 1.' }],
  });
  const ids = all.data.map(({ id }: { id: string }) => id);
  expect(await items('?limit=2')).toMatchObject({ has_more: true, first_id: ids[2], last_id: ids[1] });
  expect(await items(`?limit=2&after=${ids[1]}`)).toMatchObject({ has_more: false, data: [{ id: ids[0] }] });
  for (const query of ['?limit=0', '?limit=101', '?order=up'])
    expect((await request('GET', `/v1/responses/${response.id}/input_items${query}`)).status).toBe(400);
});

test('one that was deleted, or never to be kept, is not there', async () => {
  const { respond, request, refused } = responsesApp([agentOf('teller', ['A.', 'B.'])]);
  const { id } = await respond({ model: 'teller', input: 'Go.' });
  const deleted = await request('DELETE', `/v1/responses/${id}`);
  expect(await deleted.json()).toEqual({ id, object: 'response', deleted: true });
  const { id: passing, store } = await respond({ model: 'teller', input: 'Go.', store: false });
  expect(store).toBe(false);
  for (const gone of [id, passing, 'resp_never']) {
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['GET', '/input_items'],
      ['POST', '/cancel'],
    ] as const) {
      const { status, error } = await readRefusal(await request(method, `/v1/responses/${gone}${path}`));
      expect([status, error.type]).toEqual([404, 'invalid_request_error']);
      expect(error.message).toContain(gone);
    }
    const { status, error } = await refused({ model: 'teller', input: 'Go on.', previous_response_id: gone });
    expect([status, error.code, error.param]).toEqual([400, 'previous_response_not_found', 'previous_response_id']);
  }
});

test('nobody else learns that there is one', async () => {
  const settings = { ann: { hash: hashOf('key-of-ann-0123456789') }, bob: { hash: hashOf('key-of-bob-0123456789') } };
  const keys = new Keys(settings, new FakeClock());
  const { respond, request, refused } = responsesApp([agentOf('teller', ['A.', 'B.'])], { door: { keys } });
  const ann = { authorization: 'Bearer key-of-ann-0123456789' };
  const bob = { authorization: 'Bearer key-of-bob-0123456789' };
  const { id, output } = await respond({ model: 'teller', input: 'Secret.' }, ann);
  expect((await request('GET', `/v1/responses/${id}`, { headers: ann })).status).toBe(200);
  expect((await request('GET', `/v1/responses/${id}`, { headers: bob })).status).toBe(404);
  expect((await request('DELETE', `/v1/responses/${id}`, { headers: bob })).status).toBe(404);
  const other = await refused({ model: 'teller', input: 'Go.', previous_response_id: id }, bob);
  expect(other.error.code).toBe('previous_response_not_found');
  const named = [{ type: 'item_reference', id: output[0].id }];
  expect((await refused({ model: 'teller', input: named }, bob)).status).toBe(400);
  expect((await request('GET', `/v1/responses/${id}`, { headers: ann })).status).toBe(200);
});

test('one that failed can be read, and not gone on from', async () => {
  const broken = agentOf('teller', [{ fail: { code: 'model-failed' } }, 'B.'], { limits: { maxRetries: 1 } });
  const { stream, request, refused } = responsesApp([broken]);
  const { response } = (await stream({ model: 'teller', input: 'Go.' })).at(-1);
  expect(await (await request('GET', `/v1/responses/${response.id}`)).json()).toEqual(response);
  const { error } = await refused({ model: 'teller', input: 'Go on.', previous_response_id: response.id });
  expect(error.code).toBe('previous_response_not_found');
});

test('one that has ended cannot be cancelled, or streamed again; other methods are refused', async () => {
  const { respond, request } = responsesApp([agentOf('teller', ['A.'])]);
  const { id } = await respond({ model: 'teller', input: 'Go.' });
  expect((await readRefusal(await request('POST', `/v1/responses/${id}/cancel`))).status).toBe(400);
  expect((await readRefusal(await request('GET', `/v1/responses/${id}?stream=true`))).error.param).toBe('stream');
  for (const [method, path, allowed] of [
    ['GET', '', 'POST'],
    ['POST', `/${id}`, 'GET, HEAD, DELETE'],
    ['DELETE', `/${id}/input_items`, 'GET, HEAD'],
    ['GET', `/${id}/cancel`, 'POST'],
  ] as const) {
    const { status, headers } = await readRefusal(await request(method, `/v1/responses${path}`));
    expect([status, headers.get('allow')]).toEqual([405, allowed]);
  }
});

test('a day later it is gone', async () => {
  const clock = new FakeClock();
  const { respond, request } = responsesApp([agentOf('teller', ['A.'])], { ports: { ...fakePorts(), clock } });
  const { id } = await respond({ model: 'teller', input: 'Go.' });
  clock.advance(24 * 60 * 60_000 - 1);
  expect((await request('GET', `/v1/responses/${id}`)).status).toBe(200);
  clock.advance(1);
  expect((await request('GET', `/v1/responses/${id}`)).status).toBe(404);
});

test('of too many, or of too much, the oldest go first, with their items; the newest stays', async () => {
  const keep = (kept: KeptResponses, id: string, letters = 0) => {
    const input = [{ id: `msg_${id}`, text: 'a'.repeat(letters) }];
    return kept.keep({ whose: 'me', response: { id, output: [] } as never, input, conversed: undefined });
  };
  const left = async (kept: KeptResponses) => {
    const all = await Promise.all(['a', 'b', 'c', 'd'].map((id) => kept.find(id, 'me')));
    return all.flatMap((one) => one?.response.id ?? []);
  };
  const few = new KeptResponses(hallOf([]), { maxResponses: 2 });
  for (const id of ['a', 'b', 'c']) await keep(few, id);
  expect(await left(few)).toEqual(['b', 'c']);
  const items = await few.items(['msg_a', 'msg_b', 'msg_c'], 'me');
  expect([...items.keys()]).toEqual(['msg_b', 'msg_c']);
  const small = new KeptResponses(hallOf([]), { maxBytes: 10_000 });
  for (const id of ['a', 'b', 'c']) await keep(small, id, 4_000);
  expect(await left(small)).toEqual(['b', 'c']);
  await keep(small, 'd', 40_000);
  expect(await left(small)).toEqual(['d']);
});

test('an item that is named without a type is the one that is kept, and not that of another key with the same id', async () => {
  const agent = agentOf('teller', () => 'Told.');
  const keys = new Keys({ ann: { hash: hashOf('ann') }, bob: { hash: hashOf('bob') } }, new FakeClock());
  const { respond } = responsesApp([agent], { door: { keys } });
  const say = (key: string, content: string) =>
    respond({ model: 'teller', input: [{ role: 'user', id: 'msg_1', content }] }, { authorization: `Bearer ${key}` });
  await say('ann', 'I am Ann.');
  await say('bob', 'I am Bob.');
  for (const type of ['item_reference', null, undefined]) {
    const input = [
      { type, id: 'msg_1' },
      { role: 'user', content: 'Who?' },
    ];
    await respond({ model: 'teller', input, store: false }, { authorization: 'Bearer ann' });
    expect(hear(agent)).toEqual([
      ['user', 'I am Ann.'],
      ['user', 'Who?'],
    ]);
  }
});
