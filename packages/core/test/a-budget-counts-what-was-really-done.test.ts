import {
  type Agent,
  AgentError,
  AIAgentSession,
  createSlots,
  defineTool,
  MemoryPauses,
  type Middleware,
  type Model,
  type ModelReply,
  type Outcome,
  Scope,
} from '@ai-agent/core';
import { FakeClock, fakePorts, scriptedModel } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { cancelled } from '../src/abort.ts';
import { TreeBudget } from '../src/budget/tree-budget.ts';
import { agent, inItsTime, nextTick, start, strictRuntime, walk } from './support/walk.ts';

const tool = defineTool({ name: 'look', inputSchema: { type: 'object' }, execute: () => 'seen' });

test('a call that was refused costs no turn: the last word is still said', async () => {
  const lead = agent('lead', () => 'all I know', { tools: [tool], budget: { turns: 1 } });
  const { outcome } = await walk(lead);
  expect(outcome).toMatchObject({ status: 'partial', limit: 'turns', text: 'all I know' });
  expect(lead.model.requests).toHaveLength(1);
});

test('a call that is tried again is one turn, also when there is no other left', async () => {
  const fail = { code: 'model-unavailable' } as const;
  const lead = agent('lead', [{ fail }, 'at last'], { budget: { turns: 2 } });
  const { outcome } = await walk(lead);
  expect(outcome).toMatchObject({ status: 'completed', text: 'at last' });
});

test('nor does it need one that others have used meanwhile', () => {
  const budget = new TreeBudget(new FakeClock());
  const account = { budget: {}, contextTokens: 0, halt: () => {} };
  budget.open({ ...account, sessionId: 's', parentId: null, budget: { turns: 4 } });
  for (const sessionId of ['s~1.1', 's~1.2']) budget.open({ ...account, sessionId, parentId: 's' });
  const scope = new Scope(() => 0);
  const reserve = (sessionId: string, key: string, isLast: boolean) =>
    budget.reserve({ sessionId, key, inputTokens: 1, outputTokens: 1, isLast }, scope);
  expect(reserve('s~1.1', 'first', false)).toMatchObject({ isGranted: true });
  expect(reserve('s~1.2', 'second', false)).toMatchObject({ isGranted: true });
  expect(reserve('s~1.2', 'third', true)).toMatchObject({ isGranted: true });
  budget.settle('first');
  expect(reserve('s~1.1', 'first', false)).toMatchObject({ isGranted: true });
});

test('the time a person takes to answer is not time at work', async () => {
  const clock = new FakeClock();
  const question = { name: 'ask_user', input: { question: 'Why?' } };
  const steps = [{ calls: [question] }, { text: 'because', latencyMs: 10 }];
  const budget = { timeMs: 1_000 };
  const lead = { ...agent('lead', [], { ask: 'person', budget }), model: scriptedModel(steps, { clock }) };
  const onQuestion = () => new Promise((resolve) => clock.after(50_000, () => resolve('so')));
  const { outcome } = start(lead, 'go', { ports: fakePorts({ clock }), onQuestion });
  expect(await inItsTime(clock, outcome)).toMatchObject({ status: 'completed', text: 'because' });
});

test('a call that never left its queue took no time', async () => {
  const clock = new FakeClock();
  const slots = createSlots({ models: 1 });
  const slow = { ...agent('slow', []), model: scriptedModel(() => ({ text: 'done', latencyMs: 90_000 }), { clock }) };
  const run = () =>
    new AIAgentSession({ agent: slow, ports: fakePorts({ clock, slots }), runtime: strictRuntime() }).run('go');
  const [first, second] = [run(), run()];
  while (slots.models?.waiting !== 1) await nextTick();
  clock.advance(60_000);
  second.stop();
  await nextTick();
  clock.advance(30_000);
  const outcome = await inItsTime(clock, second.outcome);
  expect(outcome.ledger.entries.map(({ latencyMs }) => latencyMs)).toEqual([0, 90_000]);
  expect((await first.outcome).status).toBe('completed');
});

test('a share that is granted at the very moment of a cancellation goes back', async () => {
  const budget = new TreeBudget(new FakeClock());
  const account = { sessionId: 's', parentId: null, budget: { tokens: 2_000 }, contextTokens: 0, halt: () => {} };
  budget.open(account);
  const need = { sessionId: 's', inputTokens: 0, outputTokens: 800, isLast: false };
  const scope = new Scope(() => 0);
  expect(budget.reserve({ ...need, key: 'first' }, scope)).toMatchObject({ isGranted: true });
  const second = Promise.resolve(budget.reserve({ ...need, key: 'second' }, scope));
  budget.settle('first', { inputTokens: 10, outputTokens: 0, costUsd: 0 });
  scope.abort(cancelled('over'));
  await expect(second).rejects.toThrow('over');
  expect(budget.held).toBe(0);
});

test("whoever gives up waiting is in nobody's way", async () => {
  const budget = new TreeBudget(new FakeClock());
  const halt = () => {};
  budget.open({ sessionId: 's', parentId: null, budget: { tokens: 10_000 }, contextTokens: 0, halt });
  const need = { sessionId: 's', inputTokens: 0, isLast: false };
  const [scope, other] = [new Scope(() => 0), new Scope(() => 0)];
  expect(budget.reserve({ ...need, key: 'first', outputTokens: 2_000 }, scope)).toMatchObject({ isGranted: true });
  const much = Promise.resolve(budget.reserve({ ...need, key: 'much', outputTokens: 3_500 }, other));
  const little = budget.reserve({ ...need, key: 'little', outputTokens: 1_000 }, scope);
  expect(little).toBeInstanceOf(Promise);
  other.abort(cancelled('over'));
  await expect(much).rejects.toThrow('over');
  expect(await little).toEqual({ isGranted: true, outputTokens: 1_000 });
});

test('money that was promised and given back is all there again, to the last fraction', () => {
  const budget = new TreeBudget(new FakeClock());
  const halt = () => {};
  budget.open({ sessionId: 's', parentId: null, budget: { costUsd: 0.5 }, contextTokens: 0, halt });
  const scope = new Scope(() => 0);
  const need = { sessionId: 's', inputTokens: 0, isLast: true };
  const price = { input: 0, output: 10_000 };
  for (const outputTokens of [10, 20]) budget.reserve({ ...need, key: `${outputTokens}`, outputTokens, price }, scope);
  for (const key of ['10', '20']) budget.settle(key, { inputTokens: 1, outputTokens: 1, costUsd: 0.25 });
  const free = { ...need, key: 'free', outputTokens: 5, price: { input: 0, output: 0 } };
  expect(budget.reserve(free, scope)).toEqual({ isGranted: true, outputTokens: 5 });
});

test('a session that goes on after a question has a reply to show: nothing left to use makes it partial', async () => {
  const ports = fakePorts({ pauses: new MemoryPauses() });
  const question = { name: 'ask_user', input: { question: 'Why?' } };
  const lead = agent('lead', [{ text: 'As far as I know.', calls: [question] }], { ask: 'person' });
  const first = await walk(lead, 'go', { ports });
  if (first.outcome.status !== 'needs_user_input') expect.unreachable();
  const again = await walk(lead, 'so', { ports, resume: first.outcome.resume, budget: { tokens: 1 } });
  expect(again.outcome).toMatchObject({ status: 'partial', limit: 'tokens', text: 'As far as I know.' });
});

describe('requests that a layer below the budget repeats are charged like the ledger counts them', () => {
  const sums = ({ usage }: Outcome) => usage.inputTokens + usage.outputTokens;

  function observed() {
    const clock = new FakeClock();
    const charged: number[] = [];
    class Observed extends TreeBudget {
      override settle(...[key, used]: Parameters<TreeBudget['settle']>): void {
        charged.push((used?.inputTokens ?? 0) + (used?.outputTokens ?? 0));
        super.settle(key, used);
      }
    }
    const ports = { ...fakePorts({ clock }), budget: new Observed(clock) };
    return { ports, chargedTokens: () => charged.reduce((sum, tokens) => sum + tokens, 0) };
  }

  /** Replies with these input tokens, one request after the other; null is a request that never ends. */
  function billing(tokens: readonly (number | null)[]): Model {
    const left = [...tokens];
    return {
      ...{ provider: 'p', model: 'm' },
      call: async () => {
        const inputTokens = left.shift();
        if (inputTokens === null) return new Promise<never>(() => undefined);
        const message = { role: 'assistant' as const, content: [{ type: 'text' as const, text: 'ok' }] };
        return { message, finishReason: 'stop', usage: { inputTokens: inputTokens ?? 0, outputTokens: 1 } };
      },
    };
  }

  const layered = (model: Model, perform: NonNullable<Middleware['perform']>['model']) =>
    Object.assign(agent('lead', []), {
      model,
      middleware: [{ name: 'layer', perform: { model: perform } } as Middleware],
      budget: { tokens: 100_000 },
    });

  test('the first of two answers is kept', async () => {
    const { ports, chargedTokens } = observed();
    const lead = layered(billing([1_000, 7]), async (work, next) => {
      const first = await next(work);
      await next(work);
      return first;
    });
    const { outcome } = await walk(lead, 'go', { ports });
    expect([sums(outcome), chargedTokens()]).toEqual([1_009, 1_009]);
    expect(outcome.ledger.entries).toMatchObject([
      { status: 'ok', usage: { inputTokens: 1_000 } },
      { status: 'ok', usage: { inputTokens: 7 } },
    ]);
  });

  test('the other of two requests never ends', async () => {
    const { ports, chargedTokens } = observed();
    const lead = layered(billing([1_000, null]), (work, next) => Promise.race([next(work), next(work)]));
    const { outcome, events } = await walk(lead, 'go', { ports });
    expect(outcome.usage).toMatchObject({ modelCalls: 2, inputTokens: 1_000, unknownUsageCalls: 1 });
    const end = events.find((event) => event.type === 'model-end');
    const reserved = end?.requests[1]?.charged?.tokens ?? 0;
    expect(reserved).toBeGreaterThan(0);
    expect(chargedTokens()).toBe(1_001 + reserved);
  });

  test('a layer that replies itself is counted once', async () => {
    const { ports, chargedTokens } = observed();
    const reply = { message: { role: 'assistant', content: [{ type: 'text', text: 'ok' }] }, finishReason: 'stop' };
    const lead = layered(
      billing([]),
      async () => ({ ...reply, usage: { inputTokens: 5, outputTokens: 1 } }) as ModelReply,
    );
    const { outcome } = await walk(lead, 'go', { ports });
    expect([sums(outcome), chargedTokens(), outcome.ledger.entries.length]).toEqual([6, 6, 1]);
  });

  test('a layer that asks again after a failure', async () => {
    const { ports, chargedTokens } = observed();
    let requests = 0;
    const model: Model = {
      ...{ provider: 'p', model: 'm' },
      call: async (_request, { onUsage }) => {
        requests++;
        if (requests === 1) {
          onUsage?.({ inputTokens: 3_000, outputTokens: 500 });
          throw new AgentError('model-unavailable', 'The stream ended early.');
        }
        const content = [{ type: 'text' as const, text: 'ok' }];
        return {
          message: { role: 'assistant', content },
          finishReason: 'stop',
          usage: { inputTokens: 10, outputTokens: 1 },
        };
      },
    };
    const lead = layered(model, (work, next) => next(work).catch(() => next(work)));
    const { outcome } = await walk(lead, 'go', { ports });
    expect([sums(outcome), chargedTokens()]).toEqual([3_511, 3_511]);
  });
});

test('a cut stream is charged the usage that it reported, if that is more than its reservation', async () => {
  let requests = 0;
  const model: Model = {
    ...{ provider: 'p', model: 'm' },
    call: async (_request, { onUsage }) => {
      requests++;
      onUsage?.({ inputTokens: 5_000 });
      throw new AgentError('model-network', 'The stream was cut.');
    },
  };
  const lead = { ...agent('lead', []), model, budget: { tokens: 6_000 }, settings: { maxOutputTokens: 100 } };
  const { outcome } = await walk(lead);
  expect(outcome).toMatchObject({ status: 'failed', failure: { code: 'budget-exhausted' } });
  expect(requests).toBe(2);
});

describe('a reply that ends for its length', () => {
  const limitOf = async (more: Partial<Agent>, longest = Number.POSITIVE_INFINITY) => {
    const model: Model = {
      ...{ provider: 'p', model: 'm', price: { input: 1, output: 1 } },
      call: async ({ settings: { maxOutputTokens = 0 } }) => ({
        message: { role: 'assistant', content: [{ type: 'text', text: 'and so on '.repeat(10) }] },
        finishReason: 'length',
        usage: { inputTokens: 100, outputTokens: Math.min(maxOutputTokens, longest) },
      }),
    };
    return (await walk({ ...agent('lead', []), model, ...more })).outcome;
  };

  test('names the budget that cut it short', async () => {
    expect(await limitOf({ budget: { tokens: 5_000 } })).toMatchObject({ status: 'partial', limit: 'tokens' });
    expect(await limitOf({ budget: { costUsd: 0.005 } })).toMatchObject({ status: 'partial', limit: 'costUsd' });
  });

  test('names the limit of output tokens if no budget cut it short, or the model has a lower limit of its own', async () => {
    expect(await limitOf({ budget: { tokens: 500_000 } })).toMatchObject({ limit: 'maxOutputTokens' });
    expect(await limitOf({ budget: { tokens: 5_000 } }, 50)).toMatchObject({ limit: 'maxOutputTokens' });
  });
});
