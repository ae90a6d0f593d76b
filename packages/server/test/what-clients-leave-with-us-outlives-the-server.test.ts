// The promise: what the next request of a client needs is there after a restart of the server, and on another server with the same
// store: sessions that wait for its results, responses, threads. Nobody is told of it before it is kept.

import { type Agent, defineTool, type Json, MemoryPauses, type NoteStore } from '@ai-agent/core';
import { fakePorts } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { anthropic, createApp, Hall, MemorySessions, openai } from '../src/index.ts';
import { mostNoteBytes } from '../src/talk/noted.ts';
import { TalkMemory } from '../src/talk/talk-memory.ts';
import { anybody } from '../src/visitor.ts';
import { agentOf, lastResult } from './contract/people.ts';
import { type Sending, textOf } from './contract/wires.ts';
import { hallOf } from './support/house.ts';
import { type LastingHouse, lastingHouse } from './support/lasting-house.ts';
import { readEvents, requestsOf } from './support/openai-app.ts';
import { notesIn } from './support/stores.ts';
import { linesOf } from './support/talk-client.ts';

// What was JSON, read.
type Read = ReturnType<typeof JSON.parse>;

const schema = { type: 'object', properties: {} };
const user = (content: unknown) => ({ role: 'user', content });

async function houseWith(agents: readonly Agent[]) {
  const house = await lastingHouse();
  await house.open(agents);
  return { house, ...clientOf(house) };
}

function clientOf({ connect }: Pick<LastingHouse, 'connect'>) {
  const send = async (path: string, sending: Sending) => {
    const arrived = await (await connect(undefined as never)).send(path, sending);
    const text = await textOf(arrived);
    const isJson = arrived.headers.get('content-type')?.includes('json');
    return { status: arrived.status, body: (isJson ? JSON.parse(text) : text) as Read };
  };
  const post = (path: string, body: object) =>
    send(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  return { send, post };
}

/** Looks something up by itself, asks the client for the weather, and says what it heard. */
function forecaster() {
  let looked = 0;
  const look = defineTool({ name: 'look', inputSchema: schema, execute: () => `hidden ${++looked}` });
  const agent = agentOf(
    'lead',
    (request) => {
      const results = linesOf(request).filter((line) => line.startsWith('result'));
      return results.length < 2
        ? { calls: [{ name: results.length === 0 ? 'look' : 'weather' }] }
        : `It is ${lastResult(request)}.`;
    },
    { tools: [look] },
  );
  return { agent, looked: () => looked };
}

/** Asks a person, and says what it heard. */
function asker(name = 'lead') {
  const ask = { name: 'ask_user', input: { question: 'Which year?' } };
  return agentOf(name, (request) => lastResult(request) ?? { calls: [ask] }, { ask: 'person' });
}

interface Rounds {
  readonly path: string;
  readonly ask: object;
  bring(said: Read): object;
}

const chat: Rounds = {
  path: '/v1/chat/completions',
  ask: { messages: [user('Go.')], tools: [{ type: 'function', function: { name: 'weather', parameters: schema } }] },
  bring: ({ choices: [{ message }] }) => ({
    messages: [user('Go.'), message, { role: 'tool', tool_call_id: message.tool_calls[0].id, content: 'sunny' }],
  }),
};

const responses: Rounds = {
  path: '/v1/responses',
  ask: { input: 'Go.', tools: [{ type: 'function', name: 'weather', parameters: schema }] },
  bring: ({ id, output: [{ call_id }] }) => ({
    previous_response_id: id,
    input: [{ type: 'function_call_output', call_id, output: 'sunny' }],
  }),
};

const messages: Rounds = {
  path: '/v1/messages',
  ask: { max_tokens: 100, messages: [user('Go.')], tools: [{ name: 'weather', input_schema: schema }] },
  bring: ({ content }) => ({
    messages: [
      user('Go.'),
      { role: 'assistant', content },
      user([{ type: 'tool_result', tool_use_id: content[0].id, content: 'sunny' }]),
    ],
  }),
};

const threads: Rounds = {
  path: '/v1/messages',
  ask: { ...messages.ask, thread: { type: 'create' } },
  bring: ({ id, content }) => ({
    thread: { type: 'continue', previous_message_id: id },
    messages: [user([{ type: 'tool_result', tool_use_id: content[0].id, content: 'sunny' }])],
  }),
};

test.each(Object.entries({ chat, responses, messages, threads }))(
  'results of calls that a client has run go on with the very session: %s',
  async (_, { path, ask, bring }) => {
    const [before, after] = [forecaster(), forecaster()];
    const { house, post } = await houseWith([before.agent]);
    const { body: asks } = await post(path, { model: 'lead', ...ask });
    expect(asks.ai_agent.status).toBe('needs_client_tools');
    await house.open([after.agent]);
    const { body: ends } = await post(path, { model: 'lead', ...ask, ...bring(asks) });
    expect([ends.ai_agent.status, ends.ai_agent.session_id]).toEqual(['completed', asks.ai_agent.session_id]);
    expect(JSON.stringify(ends)).toContain('It is sunny.');
    expect(requestsOf(after.agent).map(linesOf)).toEqual([
      ['user Go.', 'calls look', 'result look hidden 1', 'calls weather', 'result weather sunny'],
    ]);
    expect([before.looked(), after.looked()]).toEqual([1, 0]);
  },
);

test('the same where all of it is streamed', async () => {
  const [before, after] = [forecaster(), forecaster()];
  const { house, post } = await houseWith([before.agent]);
  const { body: told } = await post(chat.path, { model: 'lead', ...chat.ask, stream: true });
  const events = readEvents(told).slice(0, -1);
  const calls = events.flatMap(({ choices }) => choices.flatMap(({ delta }: Read) => delta.tool_calls ?? []));
  const [{ id }] = calls;
  const message = { role: 'assistant', tool_calls: [{ id, type: 'function', function: { name: 'weather' } }] };
  await house.open([after.agent]);
  const bring = chat.bring({ choices: [{ message }] });
  const { body } = await post(chat.path, { model: 'lead', ...chat.ask, ...bring, stream: true });
  const last = readEvents(body).at(-2);
  expect(last.ai_agent.session_id).toBe(events.at(-1).ai_agent.session_id);
  expect(requestsOf(after.agent)).toHaveLength(1);
});

describe('a response', () => {
  test('is read, gone on from, and its items are named', async () => {
    const [one, other] = [agentOf('lead', ['Hello Ann.']), agentOf('lead', ['Ann.', 'Ann again.'])];
    const { house, post, send } = await houseWith([one]);
    const { body: first } = await post('/v1/responses', { model: 'lead', input: [user('I am Ann.')] });
    await house.open([other]);
    expect((await send(`/v1/responses/${first.id}`, {})).body).toEqual(first);
    const { body: items } = await send(`/v1/responses/${first.id}/input_items`, {});
    expect(items.data).toMatchObject([{ role: 'user', content: [{ text: 'I am Ann.' }] }]);
    await post('/v1/responses', { model: 'lead', input: 'Who?', previous_response_id: first.id });
    const named = [items.data[0].id, first.output[0].id].map((id) => ({ type: 'item_reference', id }));
    await post('/v1/responses', { model: 'lead', input: [...named, user('Who?')] });
    const heard = ['user I am Ann.', 'assistant Hello Ann.', 'user Who?'];
    expect(requestsOf(other).map(linesOf)).toEqual([heard, heard]);
  });

  test('that was deleted is gone on every server', async () => {
    const { house, post, send } = await houseWith([agentOf('lead', ['Hello.'])]);
    const first = clientOf({ connect: house.fixed() });
    const { id } = (await post('/v1/responses', { model: 'lead', input: 'Go.' })).body;
    await house.open([agentOf('lead', ['Hello.'])]);
    expect((await first.send(`/v1/responses/${id}`, {})).status).toBe(200);
    expect((await send(`/v1/responses/${id}`, { method: 'DELETE' })).body.deleted).toBe(true);
    expect((await first.send(`/v1/responses/${id}`, {})).status).toBe(404);
  });

  test('that is larger than a note may be is there until the server ends', async () => {
    const { house, post, send } = await houseWith([agentOf('lead', ['Hello.'])]);
    const input = 'x'.repeat(mostNoteBytes);
    const { id } = (await post('/v1/responses', { model: 'lead', input })).body;
    expect((await send(`/v1/responses/${id}`, {})).status).toBe(200);
    await house.open([agentOf('lead', ['Hello.'])]);
    const { status, body } = await post('/v1/responses', { model: 'lead', input: 'On.', previous_response_id: id });
    expect([status, body.error.code]).toEqual([400, 'previous_response_not_found']);
  });
});

test('of two servers that are given the same answer one goes on, and the other answers all the same', async () => {
  const { house, post } = await houseWith([asker()]);
  const first = clientOf({ connect: house.fixed() });
  const path = '/v1/chat/completions';
  const { body: asked } = await post(path, { model: 'lead', messages: [user('When?')] });
  await house.open([asker()]);
  const said = [user('When?'), asked.choices[0].message, user('1999')];
  const both = await Promise.all([first, { post }].map((one) => one.post(path, { model: 'lead', messages: said })));
  expect(both.map(({ status }) => status)).toEqual([200, 200]);
  const ids = both.map(({ body }) => body.ai_agent.session_id);
  expect(ids.filter((id) => id === asked.ai_agent.session_id)).toHaveLength(1);
});

test('what waits is that of a key and of the user whom it asks for', async () => {
  const memory = new TalkMemory(hallOf([]));
  const said = [{ role: 'assistant', content: [{ type: 'text', text: 'Which year?' }] }] as const;
  const ann = { ...anybody, key: 'one', user: 'ann' };
  await memory.keepQuestion({ agent: 'lead', owner: 'one', user: 'ann' }, said, { sessionId: 's', answeredBefore: 0 });
  const head = { id: 's', agent: 'lead', owner: 'one', user: 'ann', resumptions: 0 } as never;
  const calls = [{ id: 'theirs', name: 'weather', input: '{}' }];
  const [told] = await memory.keepCalls(head, { calls, resume: 's' }, 'call_');
  for (const [visitor, isFound] of [
    [ann, true],
    [{ ...ann, user: 'bob' }, false],
    [{ ...ann, user: undefined }, false],
    [{ ...ann, key: 'two' }, false],
  ] as const) {
    const found = [
      await memory.findQuestion('lead', visitor, said),
      await memory.findCalls([told?.id ?? ''], 'lead', visitor),
    ];
    expect(found.map((one) => one !== undefined)).toEqual([isFound, isFound]);
  }
});

describe('nobody is told before it is kept', () => {
  /** A store that keeps notes of one kind not before it is let. */
  function held(kind: string) {
    const gate = Promise.withResolvers<void>();
    const kept = new Map<string, Json>();
    const notes: NoteStore = {
      ...notesIn(kept),
      put: (name, value) =>
        (name.startsWith(`${kind}:`) ? gate.promise : Promise.resolve()).then(() => void kept.set(name, value)),
    };
    return { gate, kept, notes };
  }

  const asks: Readonly<Record<string, readonly [string, object]>> = {
    'client-calls': [chat.path, chat.ask],
    'question-in-talk': [chat.path, { model: 'asker', messages: [user('When?')] }],
    response: [responses.path, responses.ask],
    thread: [threads.path, threads.ask],
  };

  const hows = Object.entries(asks).flatMap(([kind, ask]) => [false, true].map((stream) => ({ kind, ask, stream })));

  test.each(hows)('$kind, streamed: $stream', async ({ kind, ask: [path, ask], stream }) => {
    const { gate, kept, notes } = held(kind);
    const store = Object.assign(new MemorySessions(), { notes, pauses: new MemoryPauses() });
    const served = [forecaster().agent, asker('asker')].map((agent) => ({ name: agent.name, agent }));
    const hall = new Hall({ agents: () => served, ports: fakePorts(), store });
    const app = createApp(hall, [openai(), anthropic()]);
    const body = JSON.stringify({ model: 'lead', ...ask, stream });
    const headers = { 'content-type': 'application/json' };
    let isOver = false;
    const reply = Promise.resolve(app.request(path, { method: 'POST', headers, body }))
      .then((response) => response.text())
      .finally(() => {
        isOver = true;
      });
    await expect.poll(() => hall.running).toBe(0);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(isOver).toBe(false);
    gate.resolve();
    expect(await reply).toMatch(/weather|Which year/);
    expect([...kept.keys()].some((name) => name.startsWith(`${kind}:`))).toBe(true);
  });
});
