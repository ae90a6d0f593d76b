// Trees, budgets, failures, stops and cancellations by chance: every run ends, within its budget, and leaves nothing behind.

import {
  type Agent,
  asTool,
  type Budget,
  createSlots,
  defineTool,
  inProcess,
  type Message,
  type Outcome,
  sleep,
} from '@ai-agent/core';
import { FakeClock, fakePorts, type Script, scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { nextTick, start, strictRuntime } from './support/walk.ts';

/** The same numbers for the same seed. */
class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed * 7_919 + 13;
    for (let i = 0; i < 5; i++) this.next();
  }

  next(): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return this.#state / 2 ** 32;
  }

  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  isTrue(share: number): boolean {
    return this.next() < share;
  }
}

class Forest {
  readonly clock = new FakeClock();
  readonly dice: Dice;
  #count = 0;

  constructor(seed: number) {
    this.dice = new Dice(seed);
  }

  agent(depth: number, budgetShare: number): Agent {
    const { dice, clock } = this;
    const children = depth > 0 ? Array.from({ length: dice.below(3) }, () => this.agent(depth - 1, 0.3)) : [];
    const names = [...children.map(({ name }) => name), 'look'];
    return {
      name: `a${this.#count++}`,
      description: 'works',
      instructions: 'You work.',
      model: scriptedModel(this.#script(names), { clock }),
      tools: [...children.map((child) => asTool(child)), this.#look()],
      budget: dice.isTrue(budgetShare) ? this.#budget() : {},
      limits: {
        maxTurns: 1 + dice.below(6),
        maxParallel: 1 + dice.below(3),
        llmTimeoutMs: 1_000 + 4_000 * dice.below(2),
        toolTimeoutMs: 1_000 + 4_000 * dice.below(2),
      },
    };
  }

  #budget(): Budget {
    const { dice } = this;
    return {
      ...(dice.isTrue(0.5) ? { tokens: 300 + dice.below(12_000) } : {}),
      ...(dice.isTrue(0.3) ? { turns: dice.below(15) } : {}),
      ...(dice.isTrue(0.3) ? { toolCalls: dice.below(12) } : {}),
      ...(dice.isTrue(0.3) ? { timeMs: dice.below(20_000) } : {}),
      ...(dice.isTrue(0.3) ? { costUsd: 0.001 + dice.next() * 0.02 } : {}),
      ...(dice.isTrue(0.2) ? { descendants: dice.below(6) } : {}),
    };
  }

  #look() {
    const { dice, clock } = this;
    return defineTool({
      name: 'look',
      inputSchema: { type: 'object' },
      execute: async (_, { signal }) => {
        await sleep(clock, dice.below(3_000), signal);
        if (dice.isTrue(0.1)) throw new TypeError('look failed');
        return 'x'.repeat(dice.below(6_000));
      },
    });
  }

  /** A model that counts as a provider does, and says no more than it may. */
  #script(names: readonly string[]): Script {
    const { dice } = this;
    const most = 10 + dice.below(1_500);
    return (request) => {
      if (dice.isTrue(0.05)) return { fail: { code: dice.isTrue(0.7) ? 'model-unavailable' : 'model-auth' } };
      const { system, messages, tools, settings } = request;
      const offered = tools.map((tool) => tool.name + tool.description + JSON.stringify(tool.inputSchema)).join('');
      const usage = {
        inputTokens: Math.floor((system + messages.map(textOf).join('') + offered).length / 3.5),
        outputTokens: Math.min(most, settings.maxOutputTokens ?? most),
      };
      const step = { usage, latencyMs: dice.below(2_000) };
      if (tools.length === 0 || dice.isTrue(0.15)) return { ...step, text: 'an answer' };
      const input = { text: 'go', reason: 'r' };
      const calls = Array.from({ length: 1 + dice.below(4) }, () => ({
        name: names[dice.below(names.length)] ?? '',
        input,
      }));
      return { ...step, text: dice.isTrue(0.5) ? 'at work' : '', calls };
    };
  }
}

function textOf(message: Message): string {
  if (message.role === 'system') return message.text;
  return message.content
    .map((part) => ('text' in part ? part.text : 'input' in part ? part.name + part.input : ''))
    .join('');
}

/** Lets time pass, and stops or cancels when it is time to; fails when nothing will ever happen any more. */
async function live(forest: Forest, run: ReturnType<typeof start>): Promise<Outcome> {
  const { clock, dice } = forest;
  let isDone = false;
  const settled = run.outcome.finally(() => {
    isDone = true;
  });
  const due = (share: number, act: () => void) =>
    dice.isTrue(share) ? clock.after(dice.below(15_000), act) : () => {};
  const callOff = [due(0.4, () => run.stop()), due(0.15, () => run.cancel())];
  while (!isDone) {
    for (let i = 0; i < 8 && !isDone; i++) await nextTick();
    if (isDone) break;
    if (clock.nextAt === undefined) expect.fail('everybody waits, and nobody for a time');
    clock.advance(clock.nextAt - clock.now());
  }
  for (const off of callOff) off();
  await nextTick();
  return settled;
}

function expectWithin({ budget = {} }: Agent, { usage, ledger }: Outcome) {
  const made = ledger.entries.filter(({ status }) => status === 'ok');
  const limit = (key: keyof Budget) => budget[key] ?? Number.POSITIVE_INFINITY;
  expect(usage.inputTokens + usage.outputTokens).toBeLessThanOrEqual(limit('tokens'));
  expect(usage.costUsd).toBeLessThanOrEqual(limit('costUsd') + 1e-9);
  expect(made.filter(({ type }) => type === 'model').length).toBeLessThanOrEqual(limit('turns'));
  expect(made.filter(({ type }) => type === 'tool').length).toBeLessThanOrEqual(limit('toolCalls'));
  expect(Object.keys(ledger.bySession).length - 1).toBeLessThanOrEqual(limit('descendants'));
}

for (let seed = 0; seed < 300; seed++)
  test(`tree ${seed}`, async () => {
    const forest = new Forest(seed);
    const { clock, dice } = forest;
    const root = forest.agent(3, 0.9);
    const slots = dice.isTrue(0.5) ? { slots: createSlots({ models: 1 + dice.below(2), tools: 1 }) } : {};
    const ports = fakePorts({ clock, prices: () => ({ input: 0.5, output: 2 }), ...slots });
    const run = start(root, 'go', { ports, runtime: dice.isTrue(0.5) ? strictRuntime() : inProcess });
    const outcome = await live(forest, run);
    expect(clock.timers).toBe(0);
    expect({ ...outcome.ledger.total, costUsd: 0 }).toEqual({ ...outcome.usage, costUsd: 0 });
    expect(outcome.ledger.total.costUsd).toBeCloseTo(outcome.usage.costUsd);
    if (outcome.status === 'failed') expect(['bug', 'config', 'usage']).not.toContain(outcome.failure.class);
    expectWithin(root, outcome);
    expectLastWord(root, outcome);
  });

/**
 * A limit of tokens, money, turns or calls leaves the root its last word; only time or its model may fail it then. A failed
 * request of unknown usage is charged its reservation, so that a last word cannot always be tried again.
 */
function expectLastWord({ budget = {} }: Agent, outcome: Outcome) {
  if (outcome.status !== 'partial' || budget.timeMs !== undefined) return;
  const own = outcome.ledger.entries.filter(
    ({ trace, type }) => trace.selfId === outcome.sessionId && type === 'model',
  );
  const last = own.at(-1);
  const wasTried = own.some(({ op, status }) => op === last?.op && status === 'failed');
  if (!wasTried) expect(last?.failureClass).not.toBe('budget');
}
