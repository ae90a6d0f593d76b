// The promise: what a model says of its task is shown to whoever looks on; that it is done makes the next turn the last, and no limit.

import { type Agent, type AgentEvent, conversationsOf, createSlots, defineTool } from '@ai-agent/core';
import { FakeClock, fakePorts, type Step } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { endsInCallOrder } from './support/call-order.ts';
import { agent, nextTick, start, walk } from './support/walk.ts';

const look = defineTool({ name: 'look', inputSchema: { type: 'object' }, execute: () => 'seen' });

const tell = (input: unknown, name = 'agent__task_status') => ({ name, input });
const working = { status: 'in-progress', done: 'one', pending: 'two', now: 'Reading the log' };
const completed = { ...working, status: 'completed', now: 'Writing', need_to_run_more_tools: false };

const says = (...calls: object[]): Step => ({ calls: calls as never });

function lead(script: Parameters<typeof agent>[1], more: Partial<Agent> = {}) {
  return agent('lead', script, { tools: [look], ...more });
}

const hintsIn = (events: readonly AgentEvent[]) =>
  events.flatMap((event) => (event.type === 'task-status' ? [event] : []));
const endsIn = (events: readonly AgentEvent[]) => endsInCallOrder(events).map(({ result }) => result);
const namesOf = (one: ReturnType<typeof lead>, turn: number) =>
  one.model.requests[turn - 1]?.tools.map(({ name }) => name);

describe('progress', () => {
  test('it is told as a hint of its session, and the model reads a short sentence', async () => {
    const one = lead([says(tell(working), { name: 'look' }), 'done']);
    const { events, outcome } = await walk(one);
    expect(hintsIn(events)).toMatchObject([{ kind: 'hint', ...working, trace: { selfId: outcome.sessionId } }]);
    expect(endsIn(events).map(({ status, text }) => [status, text])).toEqual([
      ['ok', 'The status was shown.'],
      ['ok', 'seen'],
    ]);
    expect(outcome.status).toBe('completed');
  });

  test.each([
    ['only what is needed', { status: 'starting', now: 'x' }, { status: 'starting', now: 'x', done: '', pending: '' }],
    ['nothing at all', '', { status: 'in-progress', now: '' }],
    [
      'text for yes and no, and another spelling',
      { status: 'IN_PROGRESS', now: 'x', ready_for_final_report: 'no' },
      {},
    ],
    ['lists and numbers', { status: 'in-progress', now: 3, done: ['a', 'b'] }, { now: '3', done: 'a; b' }],
    ['more than there is', { ...working, mood: 'fine' }, { now: working.now }],
  ])('it is no error over details: %s', async (_what, input, told) => {
    const { events } = await walk(lead([says(tell(input)), 'done']));
    expect(endsIn(events).map(({ status }) => status)).toEqual(['ok']);
    expect(hintsIn(events)).toMatchObject([told]);
  });

  test('the conversation holds what the model said, and is the same from facts alone', async () => {
    const one = lead([says(tell({ status: 'going', now: 'x' }, 'task_status')), 'done']);
    const { events, outcome } = await walk(one);
    const said = one.model.requests[1]?.messages.find(({ role }) => role === 'assistant');
    expect(said).toMatchObject({ content: [{ name: 'task_status', input: '{"status":"going","now":"x"}' }] });
    expect(conversationsOf(events)).toEqual(outcome.conversations);
  });

  test('it waits for nobody: no place is taken, and no time of the budget', async () => {
    const clock = new FakeClock();
    const slots = createSlots({ tools: 1 });
    let end: (text: string) => void = () => {};
    const busy = defineTool({
      name: 'busy',
      inputSchema: { type: 'object' },
      execute: () => new Promise<string>((resolve) => (end = resolve)),
    });
    const one = agent('lead', [says({ name: 'busy' }, tell(working)), 'done'], { tools: [busy] });
    const { outcome, events } = start(one, 'go', { ports: { ...fakePorts({ clock }), slots } });
    for (let i = 0; i < 50 && hintsIn(events).length === 0; i++) await nextTick();
    expect(slots.tools?.isFull).toBe(true);
    expect(hintsIn(events)).toHaveLength(1);
    end('done');
    expect((await outcome).status).toBe('completed');
  });

  test('a tool of that name that is not ours waits like any other', async () => {
    const slots = createSlots({ tools: 1 });
    const counts: (number | undefined)[] = [];
    const execute = () => {
      counts.push(slots.tools?.holders);
      return 'done';
    };
    const own = defineTool({ name: 'agent__task_status', inputSchema: { type: 'object' }, execute });
    const one = agent('lead', [says({ name: own.name, input: {} }), 'done'], { tools: [own], progress: false });
    await walk(one, 'go', { ports: { ...fakePorts(), slots } });
    expect(counts).toEqual([1]);
  });
});

describe('the end', () => {
  test('completed makes the next turn the last: no tools, a sentence, and an answer that is whole', async () => {
    const one = lead([says(tell(completed), { name: 'look' }), 'the answer']);
    const { outcome } = await walk(one);
    expect(outcome).toMatchObject({ status: 'completed', text: 'the answer' });
    const [, last] = one.model.requests;
    expect(last?.tools).toEqual([]);
    expect(last?.withheld?.map(({ name }) => name)).toEqual(['look']);
    expect(last?.messages.at(-1)).toMatchObject({ content: [{ text: expect.stringContaining('completed') }] });
  });

  test('also when that is the last turn there is', async () => {
    const one = lead([says(tell(completed)), 'the answer'], { limits: { maxTurns: 2 } });
    expect((await walk(one)).outcome).toMatchObject({ status: 'completed', text: 'the answer' });
  });

  test('also inside a batch', async () => {
    const calls = [{ id: 's', tool: 'task_status', parameters: completed }];
    const one = lead([says({ name: 'agent__batch', input: { calls } }), 'the answer'], { batch: true });
    expect((await walk(one)).outcome.status).toBe('completed');
    expect(namesOf(one, 2)).toEqual([]);
  });

  test('not while more tools are to be run, nor when the call is refused', async () => {
    const more = lead([says(tell({ ...completed, need_to_run_more_tools: 'true' })), 'the answer']);
    await walk(more);
    expect(namesOf(more, 2)).toEqual(['look']);
    const refused = lead([says({ name: 'look' }, tell(completed)), 'the answer'], {
      limits: { maxToolCallsPerTurn: 1 },
    });
    await walk(refused);
    expect(namesOf(refused, 2)).toEqual(['look']);
  });

  test('a model that calls on all the same is told once more, until its turns are over', async () => {
    const one = lead((_request, call) => (call < 4 ? says(call === 1 ? tell(completed) : { name: 'look' }) : 'so'));
    const { outcome, events } = await walk(one);
    expect(outcome).toMatchObject({ status: 'completed', text: 'so' });
    expect(endsIn(events).map(({ failure }) => failure?.code)).toEqual([undefined, 'tool-unknown', 'tool-unknown']);
  });

  test('a contract holds for it as for any answer', async () => {
    const one = lead([says(tell(completed)), 'no JSON', '{"a":1}'], { output: { format: 'json' } });
    expect((await walk(one)).outcome).toMatchObject({ status: 'completed', report: { a: 1 } });
  });

  test('five turns in a row of nothing but status are the same, and are told so', async () => {
    const one = lead((_request, call) => (call <= 5 ? says(tell(working)) : 'the answer'));
    const { outcome } = await walk(one);
    expect(outcome).toMatchObject({ status: 'completed', text: 'the answer' });
    expect(namesOf(one, 5)).toEqual(['look']);
    expect(namesOf(one, 6)).toEqual([]);
    expect(one.model.requests[5]?.messages.at(-1)).toMatchObject({
      content: [{ text: expect.stringContaining('For 5 turns you have only told your status') }],
    });
  });

  test('work in between begins the count again', async () => {
    const one = lead(
      (_request, call) => (call > 9 ? 'the answer' : says(call === 5 ? { name: 'look' } : tell(working))),
      { limits: { maxTurns: 20 } },
    );
    await walk(one);
    expect(namesOf(one, 10)).toEqual(['look']);
  });
});

describe('who is offered it', () => {
  const offered = async (more: Partial<Agent>) => {
    const one = lead(['done'], more);
    await walk(one);
    return namesOf(one, 1)?.includes('agent__task_status');
  };

  test.each<[string, Partial<Agent>, boolean]>([
    ['nobody by default', {}, false],
    ['who says so', { progress: true }, true],
    ['not without other tools', { progress: true, tools: [] }, false],
    ['not beside a batch of nothing', { progress: true, tools: [], batch: true }, false],
    ['whose prompt names it', { instructions: 'Call agent__task_status often.' }, true],
    ['whose prompt names it by the short name', { instructions: () => 'Use task_status.' }, true],
    ['not who says no, whatever its prompt', { progress: false, instructions: 'Call agent__task_status.' }, false],
    ['not where it is denied', { progress: true, permissions: { deny: ['agent__task_status'] } }, false],
    ['also where leave is given to others alone', { progress: true, permissions: { allow: ['look'] } }, true],
  ])('%s', async (_what, more, is) => {
    expect(await offered(more)).toBe(is);
  });

  test('a model that is not offered it may call it; one that must not is told that there is none', async () => {
    const hidden = await walk(lead([says(tell(working)), 'done']));
    expect(hintsIn(hidden.events)).toHaveLength(1);
    const none = await walk(lead([says(tell(completed)), 'done'], { progress: false }));
    expect(endsIn(none.events).map(({ failure }) => failure?.code)).toEqual(['tool-unknown']);
    expect(hintsIn(none.events)).toEqual([]);
  });

  test('its name is taken', async () => {
    const own = defineTool({ name: 'agent__task_status', inputSchema: { type: 'object' }, execute: () => '' });
    const { outcome } = await walk(lead(['done'], { tools: [own] }));
    expect(outcome).toMatchObject({ status: 'failed', failure: { code: 'tool-name-collision' } });
  });
});
