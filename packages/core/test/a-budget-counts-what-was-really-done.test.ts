import {
  type Agent,
  AgentError,
  AIAgentSession,
  createSlots,
  defineTool,
  MemoryPauses,
  type Middleware,
  type Model,
  Scope,
} from '@ai-agent/core';
import { FakeClock, fakePorts, scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
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

test('requests that a layer below the budget repeats are charged like the ledger counts them', async () => {
  const clock = new FakeClock();
  const charged: number[] = [];
  class Observed extends TreeBudget {
    override settle(...[key, used]: Parameters<TreeBudget['settle']>): void {
      charged.push((used?.inputTokens ?? 0) + (used?.outputTokens ?? 0));
      super.settle(key, used);
    }
  }
  const again: Middleware = { name: 'again', perform: { model: (work, next) => next(work).catch(() => next(work)) } };
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
  const lead = { ...agent('lead', []), model, middleware: [again], budget: { tokens: 100_000 } };
  const ports = { ...fakePorts({ clock }), budget: new Observed(clock) };
  const { outcome } = await walk(lead, 'go', { ports });
  const { inputTokens, outputTokens } = outcome.usage;
  expect(charged.reduce((sum, tokens) => sum + tokens, 0)).toBe(inputTokens + outputTokens);
  expect(inputTokens + outputTokens).toBe(3_511);
});

test('a reply that a budget cut short names that budget, and not the limit of output tokens', async () => {
  const model: Model = {
    ...{ provider: 'p', model: 'm', price: { input: 1, output: 1 } },
    call: async ({ settings: { maxOutputTokens = 0 } }) => ({
      message: { role: 'assistant', content: [{ type: 'text', text: 'and so on '.repeat(10) }] },
      finishReason: 'length',
      usage: { inputTokens: 100, outputTokens: maxOutputTokens },
    }),
  };
  const limitOf = async (more: Partial<Agent>) => (await walk({ ...agent('lead', []), model, ...more })).outcome;
  expect(await limitOf({ budget: { tokens: 5_000 } })).toMatchObject({ status: 'partial', limit: 'tokens' });
  expect(await limitOf({ budget: { costUsd: 0.005 } })).toMatchObject({ status: 'partial', limit: 'costUsd' });
  expect(await limitOf({ budget: { tokens: 500_000 } })).toMatchObject({ limit: 'maxOutputTokens' });
});
