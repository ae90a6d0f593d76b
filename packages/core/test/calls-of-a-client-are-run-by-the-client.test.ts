// The promise: a call of a tool that whoever asked runs ends the session with everything that is needed to run it; the results go on with it, and nothing is done or counted twice.

import {
  type Agent,
  asTool,
  type ClientAnswer,
  clientTool,
  conversationsOf,
  defineTool,
  inProcess,
  type JsonObject,
  journaled,
  ledgerOf,
  MemoryCache,
  MemoryJournal,
  MemoryPauses,
  type Message,
  type ModelRequest,
  type NeedsClientTools,
  type Outcome,
} from '@ai-agent/core';
import { FakeClock, fakePorts, scriptedModel, strict } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { agent, factTypes, inItsTime, nextTick, start, walk } from './support/walk.ts';

const weather = clientTool({ name: 'weather', description: 'd', inputSchema: { type: 'object', required: ['city'] } });
const tools = [weather];

const call = (name: string, input: object = {}, id?: string) => ({ name, input, ...(id ? { id } : {}) });

const resultsIn = ({ messages }: Pick<ModelRequest, 'messages'>) => {
  const last = messages.at(-1);
  return last?.role === 'tool'
    ? last.content.map(({ id, text, isError }) => `${id}: ${isError ? '!' : ''}${text}`)
    : [];
};

type Waiting = Extract<Outcome, NeedsClientTools>;

function waiting(outcome: Outcome): Waiting {
  expect(outcome.status).toBe('needs_client_tools');
  return outcome as Waiting;
}

/** What came of all of its calls. */
function resultsOf({ calls }: Waiting, more: Partial<ClientAnswer> = {}): JsonObject {
  const results = calls.map(({ id, name }) => ({ id, text: `result of ${name}` }));
  return { results, ...more } as unknown as JsonObject;
}

/** A house whose sessions share what waits. */
function house() {
  const pauses = new MemoryPauses();
  const clock = new FakeClock();
  const ports = fakePorts({ clock, pauses });
  const options = { ports, tools };
  return {
    pauses,
    clock,
    options,
    begin: (lead: Agent, more: object = {}) => walk(lead, 'go', { ...options, sessionId: 'a', ...more }),
    goOn: (lead: Agent, prompt: JsonObject, more: object = {}) =>
      walk(lead, prompt, { ...options, sessionId: 'b', resume: 'a', ...more }),
  };
}

/** Calls the client once with all of these, then says what it heard. */
function caller(calls: readonly object[], more: Partial<Agent> = {}) {
  return agent(
    'lead',
    (request) => {
      const results = resultsIn(request);
      return results.length > 0 ? results.join('\n') : { text: 'Let me see.', calls: calls as never };
    },
    more,
  );
}

test('the session ends with the calls as the model made them, and goes on with what came of them', async () => {
  const { begin, goOn } = house();
  const lead = caller([
    call('weather', { city: 'Θήβα' }, 'x'),
    call('weather', { town: 1 }, 'y'),
    call('weather', {}, 'z'),
  ]);
  const first = await begin(lead);
  expect(waiting(first.outcome)).toMatchObject({
    text: 'Let me see.',
    resume: 'a',
    // Its schema is the client's own business.
    calls: [
      { id: 'x', name: 'weather', input: '{"city":"Θήβα"}' },
      { id: 'y', name: 'weather', input: '{"town":1}' },
      { id: 'z', name: 'weather', input: '{}' },
    ],
  });
  expect(factTypes(first.events)).toEqual([
    'session-start',
    'turn-start',
    'model-start',
    'model-end',
    'turn-end',
    'session-end',
  ]);
  const second = await goOn(lead, {
    results: [
      { id: 'z', text: 'three' },
      { id: 'x', text: 'one' },
      { id: 'y', text: 'two', isError: true },
    ],
  });
  expect(second.outcome).toMatchObject({ status: 'completed', text: 'x: one\ny: !two\nz: three' });
  const told = ['tool-start', 'tool-start', 'tool-start', 'tool-end', 'tool-end', 'tool-end'];
  expect(factTypes(second.events)).toEqual([
    'session-start',
    'turn-start',
    ...told,
    'turn-end',
    ...['turn-start', 'model-start', 'model-end', 'turn-end'],
    'session-end',
  ]);
  expect(conversationsOf(second.events).b).toEqual(second.outcome.conversations.b);
});

test('each model call and each tool call is counted once over both', async () => {
  const { begin, goOn } = house();
  const look = defineTool({ name: 'look', inputSchema: { type: 'object' }, execute: () => 'seen' });
  const lead = caller([call('look'), call('weather'), call('weather')], { tools: [look] });
  const first = await begin(lead);
  const second = await goOn(lead, resultsOf(waiting(first.outcome)));
  const { total } = ledgerOf([...first.events, ...second.events].filter((one) => one.kind === 'fact'));
  expect(total).toMatchObject({ modelCalls: 2, toolCalls: 3, failedCalls: 0, inputTokens: 20, outputTokens: 10 });
  expect([first.outcome.usage.toolCalls, second.outcome.usage.toolCalls]).toEqual([1, 2]);
});

describe('beside them', () => {
  test('own calls and sessions below run first, once, and all results come in the order of the calls', async () => {
    const { begin, goOn } = house();
    const performed: string[] = [];
    const look = defineTool({
      name: 'look',
      inputSchema: { type: 'object' },
      execute: () => {
        performed.push('look');
        return 'seen';
      },
    });
    const child = agent('child', ['child done']);
    const lead = caller(
      [
        call('weather', {}, 'c1'),
        call('look', {}, 'l'),
        call('weather', {}, 'c2'),
        call('child', { text: 'x', reason: 'r' }, 's'),
      ],
      { tools: [look, asTool(child)] },
    );
    const first = await begin(lead);
    expect([performed, child.model.requests.length]).toEqual([['look'], 1]);
    const second = await goOn(lead, resultsOf(waiting(first.outcome)));
    expect(second.outcome.text.split('\n').map((line) => line.slice(0, line.indexOf(':')))).toEqual([
      'c1',
      'l',
      'c2',
      's',
    ]);
    expect(second.outcome.text).toContain('child done');
    expect([performed, child.model.requests.length]).toEqual([['look'], 1]);
  });

  test('a question is asked before anything is handed out, and its answer is not lost', async () => {
    const { begin, goOn, pauses } = house();
    const lead = caller([call('weather', {}, 'w'), call('ask_user', { question: 'Where?' }, 'q')], { ask: 'person' });
    const first = await begin(lead);
    expect(first.outcome).toMatchObject({ status: 'needs_user_input', question: { text: 'Where?' } });
    const second = await goOn(lead, 'here' as never);
    const calls = waiting(second.outcome);
    expect(calls.calls.map(({ id }) => id)).toEqual(['w']);
    const third = await goOn(lead, resultsOf(calls), { sessionId: 'c', resume: 'b' });
    expect(third.outcome.text).toBe('w: result of weather\nq: here');
    expect(
      [factTypes(second.events), factTypes(third.events)].flat().filter((type) => type === 'question-end'),
    ).toHaveLength(1);
    expect(['a', 'b', 'c'].map((handle) => pauses.get(handle))).toEqual([undefined, undefined, undefined]);
  });

  test('a question of a session below is asked before as well', async () => {
    const { begin, goOn } = house();
    const child = agent(
      'child',
      (request) => resultsIn(request)[0] ?? { calls: [call('ask_user', { question: 'Who?' })] },
      {
        ask: 'person',
      },
    );
    const lead = caller([call('weather', {}, 'w'), call('child', { text: 'x', reason: 'r' }, 's')], {
      tools: [asTool(child)],
    });
    expect((await begin(lead)).outcome).toMatchObject({ status: 'needs_user_input', question: { text: 'Who?' } });
    const second = await goOn(lead, 'me' as never);
    const third = await goOn(lead, resultsOf(waiting(second.outcome)), { sessionId: 'c', resume: 'b' });
    expect(third.outcome.text).toMatch(/^w: result of weather\ns: .*me/s);
    expect(child.model.requests).toHaveLength(2);
  });
});

test('a call inside a batch is refused, and what stands beside it in the batch is not', async () => {
  const { begin } = house();
  const look = defineTool({ name: 'look', inputSchema: { type: 'object' }, execute: () => 'seen' });
  const calls = [
    { id: 'one', tool: 'look', parameters: {} },
    { id: 'two', tool: 'weather', parameters: {} },
  ];
  const { outcome } = await begin(caller([call('agent__batch', { calls }, 'b')], { batch: true, tools: [look] }));
  expect(outcome.status).toBe('completed');
  expect(outcome.text).toContain('seen');
  expect(outcome.text).toContain('weather cannot be part of a batch: call it by itself.');
});

test('below the root there is nobody to run it', async () => {
  const child = caller([call('weather', {}, 'w')], { name: 'child', tools });
  const lead = agent(
    'lead',
    (request) => resultsIn(request)[0] ?? { calls: [call('child', { text: 'x', reason: 'r' })] },
    {
      tools: [asTool({ ...child, name: 'child' })],
    },
  );
  const { outcome } = await walk(lead, 'go', { ports: fakePorts({ pauses: new MemoryPauses() }) });
  expect(outcome.status).toBe('completed');
  expect(outcome.text).toContain('weather is run by whoever asked the first agent');
});

test('a session that is told to stop while its own calls run waits for nobody', async () => {
  const { options, clock, pauses } = house();
  const running = Promise.withResolvers<void>();
  const slow = defineTool({
    name: 'slow',
    inputSchema: { type: 'object' },
    execute: (_args, { signal }) =>
      new Promise<string>((_resolve, reject) => {
        running.resolve();
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      }),
  });
  const lead = agent(
    'lead',
    (_request, turn) => (turn === 1 ? { calls: [call('weather'), call('slow')] } : 'As far as I got.'),
    {
      tools: [slow],
    },
  );
  const run = start(lead, 'go', { ...options, sessionId: 'a' });
  await running.promise;
  run.stop();
  const outcome = await inItsTime(clock, run.outcome);
  expect(outcome).toMatchObject({ status: 'partial', limit: 'stop', text: 'As far as I got.' });
  expect(pauses.get('a')).toBeUndefined();
  // A model never sees a call without its result.
  const results = lead.model.requests[1]?.messages.flatMap((message) =>
    message.role === 'tool' ? message.content : [],
  );
  expect(results?.map(({ name, isError }) => [name, isError])).toEqual([
    ['weather', true],
    ['slow', true],
  ]);
});

test('values that must be kept are struck from the arguments; what only looks like a key is handed over', async () => {
  const key = 'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD';
  const value = 'correct-horse-battery';
  const { begin } = house();
  const lead = caller([call('weather', { city: value, key }, 'w')]);
  const { outcome, events } = await begin(lead, { envOverlay: { SERVICE_PASSWORD: value } });
  const [one] = waiting(outcome).calls;
  expect(one?.input).not.toContain(value);
  expect(JSON.parse(one?.input ?? '')).toMatchObject({ key });
  expect(JSON.stringify(events)).not.toContain(value);
  expect(JSON.stringify(events)).not.toContain(key);
});

describe('results that are not there', () => {
  const wrong: readonly (readonly [string, unknown])[] = [
    ['of one call', { results: [{ id: 'x', text: 'one' }] }],
    ['at all', {}],
    ['but are no list', { results: 'one' }],
    ['but have no text', { results: [{ id: 'x' }, { id: 'y', text: 'two' }] }],
    ['but words', 'one and two'],
  ];
  test.each(wrong)('%s: it is said, and the calls stay open', async (_, answer) => {
    const { begin, goOn, pauses } = house();
    const lead = caller([call('weather', {}, 'x'), call('weather', {}, 'y')]);
    const first = await begin(lead);
    const refused = await goOn(lead, answer as JsonObject);
    expect(refused.outcome).toMatchObject({ status: 'failed', failure: { class: 'usage', code: 'answer-invalid' } });
    expect([lead.model.requests.length, pauses.get('a') !== undefined]).toEqual([1, true]);
    const second = await goOn(lead, resultsOf(waiting(first.outcome)), { sessionId: 'c' });
    expect(second.outcome.text).toBe('x: result of weather\ny: result of weather');
  });

  test('a second who brings them comes too late', async () => {
    const { begin, goOn } = house();
    const lead = caller([call('weather', {}, 'x')]);
    const results = resultsOf(waiting((await begin(lead)).outcome));
    await goOn(lead, results);
    const late = await goOn(lead, results, { sessionId: 'c' });
    expect(late.outcome).toMatchObject({ status: 'failed', failure: { code: 'question-unknown' } });
  });
});

test('what is said beside the results is heard once, after them', async () => {
  const { begin, goOn } = house();
  const lead = agent('lead', (_request, turn) =>
    turn === 1 || turn === 2 ? { calls: [call('weather', {}, `w${turn}`)] } : 'Done.',
  );
  const first = waiting((await begin(lead)).outcome);
  const second = waiting((await goOn(lead, resultsOf(first, { say: 'Be quick.' }))).outcome);
  await goOn(lead, resultsOf(second), { sessionId: 'c', resume: 'b' });
  const roles = lead.model.requests.map(({ messages }) => messages.map(({ role }) => role).join(' '));
  expect(roles).toEqual(['user', 'user assistant tool user', 'user assistant tool user assistant tool']);
  expect(JSON.stringify(lead.model.requests[2]?.messages).match(/Be quick\./g)).toHaveLength(1);
});

test('a tool that is not there any more, or another of its name, changes nothing about a call that was made', async () => {
  const { begin, goOn } = house();
  const lead = caller([call('weather', {}, 'x')]);
  const results = resultsOf(waiting((await begin(lead)).outcome));
  expect((await goOn(lead, results, { tools: [] })).outcome.text).toBe('x: result of weather');
  const own = defineTool({
    name: 'weather',
    inputSchema: { type: 'object', required: ['city'] },
    execute: () => 'own',
  });
  const again = waiting((await begin(lead, { sessionId: 'd' })).outcome);
  const { outcome } = await goOn({ ...lead, tools: [own] }, resultsOf(again), {
    tools: [],
    sessionId: 'e',
    resume: 'd',
  });
  expect(outcome.text).toBe('x: result of weather');
});

test('what was spent before the calls is spent: one budget for all of it', async () => {
  const { begin, goOn } = house();
  const lead = caller([call('weather', {}, 'x')]);
  const budget = { toolCalls: 5, turns: 4, tokens: 100_000 };
  const first = waiting((await begin(lead, { budget })).outcome);
  const tight = await goOn(lead, resultsOf(first), { budget: { ...budget, turns: 1 } });
  expect(tight.outcome).toMatchObject({ status: 'partial', limit: 'turns' });
});

test('who has no words after the results is not given those of an earlier conversation', async () => {
  const history: readonly Message[] = [
    { role: 'user', content: [{ type: 'text', text: 'How was it?' }] },
    { role: 'assistant', content: [{ type: 'text', text: 'It rained.' }] },
  ];
  const { begin, goOn } = house();
  const lead = agent('lead', [{ calls: [call('weather')] }, ''], { limits: { maxTurns: 2 } });
  const first = waiting((await begin(lead, { history })).outcome);
  expect((await goOn(lead, resultsOf(first))).outcome).toMatchObject({ status: 'partial', text: '' });
});

describe('a history that ends with results', () => {
  const history: readonly Message[] = [
    { role: 'user', content: [{ type: 'text', text: 'How is it?' }] },
    { role: 'assistant', content: [{ type: 'tool-call', id: 'x', name: 'weather', input: '{}' }] },
    { role: 'tool', content: [{ type: 'tool-result', id: 'x', name: 'weather', text: 'sunny', isError: false }] },
  ];

  test('is gone on with as it is, without a prompt', async () => {
    const lead = agent('lead', ['Sunny.']);
    const { outcome, events } = await walk(lead, '', { history });
    expect(outcome.text).toBe('Sunny.');
    expect(lead.model.requests[0]?.messages).toEqual(history);
    expect(conversationsOf(events)).toEqual(outcome.conversations);
  });

  test('and with a prompt, where there is one', async () => {
    const lead = agent('lead', ['Sunny.']);
    await walk(lead, 'And now?', { history });
    expect(lead.model.requests[0]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
  });

  test('any other history is no question by itself', async () => {
    const lead = agent('lead', ['What?']);
    await walk(lead, '', { history: history.slice(0, 1) });
    expect(lead.model.requests[0]?.messages).toHaveLength(2);
  });
});

describe('answers that are given again', () => {
  async function askTwice(first: object, second: object, cache: Agent['cache'] = { ttlMs: 60_000 }) {
    const clock = new FakeClock();
    const ports = fakePorts({ clock, cache: new MemoryCache(clock), pauses: new MemoryPauses() });
    const lead = agent('lead', (_request, turn) => `answer ${turn}`, { cache });
    const texts = [];
    for (const options of [first, second]) {
      texts.push((await walk(lead, 'go', { ports, ...options })).outcome.text);
      await nextTick();
    }
    return texts;
  }

  test.each([undefined, 'v1'])(
    'are those to the same words of the caller and the same tools alone (version %s)',
    async (version) => {
      const cache = { ttlMs: 60_000, ...(version ? { version } : {}) };
      const other = clientTool({ name: 'weather', description: 'another', inputSchema: {} });
      const same = ['answer 1', 'answer 1'];
      const another = ['answer 1', 'answer 2'];
      expect(await askTwice({ instructions: 'a', tools }, { instructions: 'a', tools }, cache)).toEqual(same);
      expect(await askTwice({ instructions: 'a' }, { instructions: 'b' }, cache)).toEqual(another);
      expect(await askTwice({}, { instructions: 'a' }, cache)).toEqual(another);
      expect(await askTwice({}, { tools }, cache)).toEqual(another);
      expect(await askTwice({ tools }, { tools: [other] }, cache)).toEqual(another);
    },
  );

  test('are never those that the client had a part in', async () => {
    const clock = new FakeClock();
    const pauses = new MemoryPauses();
    const ports = fakePorts({ clock, cache: new MemoryCache(clock), pauses });
    const lead = caller([call('weather', {}, 'x')], { cache: { ttlMs: 60_000 } });
    const first = waiting((await walk(lead, 'go', { ports, tools, sessionId: 'a' })).outcome);
    await walk(lead, resultsOf(first), { ports, tools, sessionId: 'b', resume: 'a' });
    await nextTick();
    waiting((await walk(lead, 'go', { ports, tools, sessionId: 'c' })).outcome);
  });
});

test('told again from any operation on, both runs come to the same, and nothing is done twice', async () => {
  const performed: string[] = [];
  const look = defineTool({
    name: 'look',
    inputSchema: { type: 'object' },
    execute: () => {
      performed.push('look');
      return 'seen';
    },
  });
  const run = async (journal: MemoryJournal, pauses: MemoryPauses, prompt: string | JsonObject, more: object) => {
    const model = scriptedModel((request) => {
      const results = resultsIn(request);
      return results.length > 0 ? results.join('\n') : { calls: [call('look', {}, 'l'), call('weather', {}, 'w')] };
    });
    const lead: Agent = { name: 'lead', instructions: 'i', tools: [look], model };
    const runtime = strict(journaled(inProcess, journal), { nextTick });
    const ports = fakePorts({ clock: new FakeClock(), pauses });
    return { ...(await walk(lead, prompt, { runtime, ports, tools, ...more })), asked: model.requests.length };
  };
  const journal = new MemoryJournal();
  const pauses = new MemoryPauses();
  const first = await run(journal, pauses, 'go', { sessionId: 'a' });
  const size = journal.entries.size;
  const results = resultsOf(waiting(first.outcome));
  const second = await run(journal, pauses, results, { sessionId: 'b', resume: 'a' });
  expect(second.outcome.text).toBe('l: seen\nw: result of weather');
  const entries = [...journal.entries];
  for (let count = 0; count <= entries.length; count++) {
    performed.length = 0;
    const again = new MemoryJournal(entries.slice(0, count));
    const kept = new MemoryPauses();
    const one = await run(again, kept, 'go', { sessionId: 'a' });
    expect([count, one.outcome]).toEqual([count, first.outcome]);
    const two = await run(again, kept, results, { sessionId: 'b', resume: 'a' });
    expect([count, two.outcome.text]).toEqual([count, second.outcome.text]);
    expect(JSON.stringify(conversationsOf(two.events))).toBe(JSON.stringify(two.outcome.conversations));
    if (count >= size) expect([one.asked, performed]).toEqual([0, []]);
    if (count === entries.length) expect(two.asked).toBe(0);
  }
});
