// The promise: whoever looks on is told when a model call stands still, why, and when it goes on; nobody else pays for it.
import {
  AgentError,
  type AgentEvent,
  AIAgentSession,
  asTool,
  createSlots,
  type Entrant,
  type Lane,
  type Leave,
  type Model,
} from '@ai-agent/core';
import { FakeClock, fakePorts, type Script, scriptedModel } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { canary } from './support/seen.ts';
import { agent, inItsTime, nextTick, start, walk } from './support/walk.ts';

type Told = Extract<AgentEvent, { readonly type: 'model-wait' | 'model-send' }>;

const isTold = (event: AgentEvent): event is Told => event.type === 'model-wait' || event.type === 'model-send';

const named = (model: string, script: Script, more: Partial<Model> = {}): Model => ({
  ...scriptedModel(script, { provider: 'p', model }),
  ...more,
});

/** What was told of one call, and whether its text came after it. */
const order = (events: readonly AgentEvent[]) =>
  events
    .filter(({ type }) => /^(?:model|operation-start$|text-delta$)/.test(type))
    .filter((event) => event.type !== 'operation-start' || event.op === 'turn.1.model')
    .map(({ type }) => type)
    .filter((type, i, all) => type !== 'text-delta' || all[i - 1] !== type);

const overloaded = { fail: { code: 'model-unavailable', message: 'too many guests' } } as const;

describe('a request that failed', () => {
  test('is tried again after a wait, which is told before it and ends with the next request', async () => {
    const { outcome, events } = await walk({ ...agent('lead', []), model: named('m', [overloaded, 'here']) });
    expect(outcome).toMatchObject({ status: 'completed', text: 'here' });
    expect(order(events)).toEqual([
      'model-start',
      'operation-start',
      'model-wait',
      'model-send',
      'text-delta',
      'model-end',
    ]);
    const [wait, send] = events.filter(isTold);
    const about = { kind: 'hint', turn: 1, attempt: 2, provider: 'p', model: 'm' };
    expect(wait).toMatchObject({ ...about, reason: 'retry', waitMs: expect.any(Number) });
    expect(wait).toMatchObject({ failure: { class: 'model', code: 'model-unavailable', message: 'too many guests' } });
    expect(send).toMatchObject(about);
    expect(wait?.trace).toEqual(events.find(({ type }) => type === 'text-delta')?.trace);
  });

  test('waits as long as it says', async () => {
    const clock = new FakeClock();
    const limited = { fail: { code: 'model-rate-limit', retryAfterMs: 7_000 } } as const;
    const lead = { ...agent('lead', []), model: named('m', [limited, 'here']) };
    const { outcome, events } = start(lead, 'go', { ports: fakePorts({ clock }) });
    while (!events.some(isTold)) await nextTick();
    expect(events.find(isTold)).toMatchObject({ reason: 'retry', waitMs: 7_000, failure: { class: 'rate_limit' } });
    clock.advance(6_999);
    for (let i = 0; i < 10; i++) await nextTick();
    expect(events.filter(isTold)).toHaveLength(1);
    clock.advance(1);
    await outcome;
    expect(events.filter(isTold).map(({ type }) => type)).toEqual(['model-wait', 'model-send']);
  });

  test('goes over to the next model at once, and that one is named', async () => {
    const first = named('first', [{ fail: { code: 'model-auth', message: 'no such key' } }]);
    const { events } = await walk({ ...agent('lead', []), model: [first, named('second', ['here'])] });
    expect(events.filter(isTold)).toMatchObject([
      { type: 'model-wait', reason: 'fallback', waitMs: 0, attempt: 2, model: 'second', failure: { class: 'auth' } },
      { type: 'model-send', attempt: 2, model: 'second' },
    ]);
  });

  test('the last time is not waited for', async () => {
    const { outcome, events } = await walk({
      ...agent('lead', []),
      model: named('m', () => overloaded),
      limits: { maxRetries: 2 },
    });
    expect(outcome.status).toBe('failed');
    expect(events.filter(isTold).map(({ type, attempt }) => [type, attempt])).toEqual([
      ['model-wait', 2],
      ['model-send', 2],
    ]);
  });
});

describe('a request that is not sent yet', () => {
  test('says that others are first in the process', async () => {
    const clock = new FakeClock();
    const ports = fakePorts({ clock, slots: createSlots({ models: 1 }) });
    const slow = scriptedModel([{ text: 'a', latencyMs: 5_000 }], { clock });
    const first = start({ ...agent('a', []), model: slow }, 'go', { ports });
    while (slow.requests.length === 0) await nextTick();
    const second = start({ ...agent('b', []), model: named('m', ['b']) }, 'go', { ports });
    await inItsTime(clock, Promise.all([first.outcome, second.outcome]));
    expect(first.events.filter(isTold)).toEqual([]);
    expect(second.events.filter(isTold)).toMatchObject([
      { type: 'model-wait', attempt: 1, reason: 'queue', provider: 'p', model: 'm' },
      { type: 'model-send', attempt: 1 },
    ]);
    expect(second.events.find(isTold)).not.toHaveProperty('waitMs');
    expect(order(second.events).slice(0, 4)).toEqual(['model-start', 'model-wait', 'operation-start', 'model-send']);
  });

  test('says what its way to the provider says', async () => {
    const clock = new FakeClock();
    const lane = holding(clock, (entrant) => entrant.onWait?.('rate_limit', 3_000));
    const lead = { ...agent('lead', []), model: named('m', ['here'], { lane }) };
    const { outcome, events } = start(lead, 'go', { ports: fakePorts({ clock }) });
    await inItsTime(clock, outcome);
    expect(events.filter(isTold)).toMatchObject([
      { type: 'model-wait', attempt: 1, reason: 'rate_limit', waitMs: 3_000, provider: 'p', model: 'm' },
      { type: 'model-send', attempt: 1 },
    ]);
  });

  test('says that what is left of the budget is promised to others', async () => {
    const clock = new FakeClock();
    const child = (name: string) => ({
      ...agent(name, []),
      model: scriptedModel([{ text: name, latencyMs: 1_000 }], { clock }),
      settings: { maxOutputTokens: 1_000 },
    });
    const both = ['one', 'two'].map((name) => ({ name, input: { text: 't', reason: 'r' } }));
    const lead = agent('lead', [{ calls: both }, 'end'], {
      tools: [asTool(child('one')), asTool(child('two'))],
      settings: { maxOutputTokens: 100 },
      budget: { tokens: 4_000 },
    });
    const { outcome, events } = start(lead, 'go', { ports: fakePorts({ clock }) });
    await inItsTime(clock, outcome);
    expect(events.filter(isTold)).toMatchObject([
      { type: 'model-wait', reason: 'budget', trace: { agentName: 'two' } },
      { type: 'model-send', trace: { agentName: 'two' } },
    ]);
  });

  test('and is turned back says how long it stays away', async () => {
    const clock = new FakeClock();
    let refusals = 1;
    const lane: Lane = {
      enter: () =>
        refusals-- > 0
          ? Promise.reject(new AgentError('model-rate-limit', 'Closed for lunch.', { retryAfterMs: 60_000 }))
          : () => {},
    };
    const lead = { ...agent('lead', []), model: named('m', ['here'], { lane }) };
    const { outcome, events } = start(lead, 'go', { ports: fakePorts({ clock }) });
    await inItsTime(clock, outcome);
    expect(events.filter(isTold)).toMatchObject([
      { reason: 'rate_limit', waitMs: 60_000, attempt: 1, failure: { message: 'Closed for lunch.' } },
      { type: 'model-send', attempt: 1 },
    ]);
  });
});

test('a call that never waits tells nothing', async () => {
  const { events } = await walk(agent('lead', ['here']));
  expect(events.filter(isTold)).toEqual([]);
});

test('while nobody looks on, nobody is asked to tell', async () => {
  const clock = new FakeClock();
  const came: Entrant[] = [];
  const lane = holding(clock, (entrant) => came.push(entrant));
  const model = named('m', [overloaded, 'here'], { lane });
  const seen: string[] = [];
  const session = new AIAgentSession({
    agent: { ...agent('lead', []), model },
    ports: fakePorts({ clock }),
    onFact: ({ type }) => seen.push(type),
  });
  const { outcome } = session.run('go');
  await inItsTime(clock, outcome);
  expect(came.map(({ onWait }) => onWait)).toEqual([undefined, undefined]);
  expect(seen).toContain('model-end');
  expect(seen.filter((type) => /wait|send/.test(type))).toEqual([]);
});

test('a secret in a failure is struck out', async () => {
  const fail = {
    code: 'model-unavailable',
    message: `Bad ${canary}, sk-proj-abcdefghijklmnopqrstuvwxyz012345`,
  } as const;
  const { events } = await walk({ ...agent('lead', []), model: named('m', [{ fail }, 'here']) }, 'go', {
    envOverlay: { MY_KEY: canary },
  });
  expect(events.find(isTold)).toMatchObject({ failure: { message: 'Bad ***, ***' } });
});

test('a listener that ends the run in the middle of a wait ends it', async () => {
  const clock = new FakeClock();
  const session = new AIAgentSession({
    agent: {
      ...agent('lead', []),
      model: named('m', ['here'], { lane: holding(clock, (one) => one.onWait?.('queue')) }),
    },
    ports: fakePorts({ clock }),
    onEvent: ({ type }) => (type === 'model-wait' ? run.cancel() : undefined),
  });
  const run = session.run('go');
  expect(await run.outcome).toMatchObject({ status: 'cancelled' });
  expect(clock.timers).toBe(0);
});

/** Lets everybody in after three seconds. */
function holding(clock: FakeClock, onEnter: (entrant: Entrant) => unknown): Lane {
  return {
    enter(entrant) {
      onEnter(entrant);
      return new Promise<Leave>((resolve, reject) => {
        if (entrant.signal.aborted) return reject(entrant.signal.reason);
        const cancel = clock.after(3_000, () => resolve(() => {}));
        entrant.signal.addEventListener('abort', () => {
          cancel();
          reject(entrant.signal.reason);
        });
      });
    },
  };
}
