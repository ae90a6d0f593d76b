// Chance: which worlds there are. Trees are mostly large and mostly healthy, so that limits bite deep in them too.

import type { Budget, ErrorCode, Limits } from '@ai-agent/core';
import fc from 'fast-check';
import type { AgentSpec, AnswerSpec, CallSpec, EventSpec, StepSpec, ToolSpec, TreeSpec, WorldSpec } from './spec.ts';

export interface Chances {
  /** Whether no model uses more than was reserved, or does not say what it used. */
  readonly isHonest?: boolean;
  /** Whether nobody outside ends a run, and time does not. */
  readonly isUndisturbed?: boolean;
  /** Whether most sessions have a budget. */
  readonly isTight?: boolean;
}

export function worlds(chances: Chances = {}): fc.Arbitrary<WorldSpec> {
  return fc.record({
    agents: fc.oneof(
      { weight: 1, arbitrary: list(agents(chances), 1, 2) },
      { weight: 4, arbitrary: list(agents(chances), 4, 6) },
    ),
    tools: list(tools, 1, 3),
    trees: list(trees(chances), 1, chances.isUndisturbed ? 1 : 3),
    slots: some({ models: [50, fc.integer({ min: 1, max: 3 })], tools: [50, fc.integer({ min: 1, max: 3 })] }),
  });
}

const latencies = often([0, 1, 7, 50], [1_000, 40_000]);
const indexes = (maxLength: number, minLength = 0) => fc.uniqueArray(fc.nat(5), { minLength, maxLength, size: 'max' });

function agents(chances: Chances): fc.Arbitrary<AgentSpec> {
  const { isHonest, isUndisturbed } = chances;
  const always = fc.record({
    children: fc.oneof({ weight: 1, arbitrary: indexes(4) }, { weight: 4, arbitrary: indexes(4, 2) }),
    lazy: sometimes(20, indexes(2), []),
    source: fc.record({ latencyMs: latencies, fails: isSometimes(5) }),
    tools: indexes(2),
    limits,
    hold: fc.constantFrom('fresh', 'fresh', 'kept', { pool: 1 }, { pool: 3 }),
    ask: fc.constantFrom('no', 'caller', 'person'),
    output: often(['text'], ['json']),
    maxOutputTokens: often([300, 2_000], [1, 20, null]),
    models: often([1], [2]),
    price: isHonest ? fc.constantFrom(1, 30) : often([1, 30], ['unknown', 'reported', 0]),
    steps: list(steps(chances), 1, 5),
  });
  const more = some({
    budget: [chances.isTight ? 50 : 20, budgets(chances)],
    made: [
      15,
      some({
        timeoutMs: [isUndisturbed ? 0 : 50, latencies.map((ms) => ms + 1)],
        abortMs: [isUndisturbed ? 0 : 30, latencies],
      }),
    ],
  });
  return fc.tuple(always, more).map(([a, b]) => ({ ...a, ...b }) as AgentSpec);
}

const limits: fc.Arbitrary<Partial<Limits>> = some({
  maxTurns: [100, often([3, 4, 5], [1, 2])],
  maxParallel: [40, fc.integer({ min: 1, max: 3 })],
  maxToolCallsPerTurn: [20, fc.integer({ min: 1, max: 4 })],
  maxDepth: [15, fc.integer({ min: 0, max: 4 })],
  maxRetries: [40, fc.integer({ min: 1, max: 3 })],
  maxRepairs: [30, fc.integer({ min: 0, max: 2 })],
  llmTimeoutMs: [20, often([5_000, 100_000], [1, 7, 100])],
  toolTimeoutMs: [20, often([5_000, 100_000], [1, 7, 100])],
  maxToolOutputBytes: [20, fc.constantFrom(256, 4_000)],
  contextWindowTokens: [15, fc.constantFrom(1_024, 4_000, 40_000)],
  contextBufferTokens: [30, fc.constantFrom(0, 500)],
});

const amounts = often([3_000, 8_000, 20_000, 60_000], [0, 1, 400, 1_000_000]);
const counts = fc.integer({ min: 0, max: 12 });

function budgets({ isUndisturbed = false }: Chances): fc.Arbitrary<Budget> {
  return some({
    tokens: [40, amounts],
    costUsd: [30, amounts.map((tokens) => (tokens * 10) / 1_000_000)],
    turns: [25, counts],
    toolCalls: [25, counts],
    descendants: [25, counts],
    timeMs: [isUndisturbed ? 0 : 30, often([500, 5_000, 90_000, 500_000], [0, 1, 30])],
  });
}

const codes = ['model-rate-limit', 'model-unavailable', 'model-network', 'model-auth', 'model-quota'] as const;

function steps({ isHonest = false }: Chances): fc.Arbitrary<StepSpec> {
  const usages = fc.record({
    type: isHonest ? fc.constant('honest') : often(['honest'], ['unknown', 'half', 'lying']),
    input: fc.constantFrom(0, 50, 100),
    output: fc.constantFrom(0, 10, 100),
  });
  const always = fc.record({
    type: often(['calls', 'calls', 'calls', 'text'], ['json', 'empty', 'fail', 'fail', 'throw', 'hang']),
    calls: list(calls, 1, 5),
    code: fc.constantFrom<ErrorCode>(...codes),
    latencyMs: latencies,
    isDeaf: fc.boolean(),
    isCut: isSometimes(3),
    usage: usages,
  });
  const more = some({ retryAfterMs: [20, fc.constantFrom(0, 5, 20_000, 1_000_000)] });
  return fc.tuple(always, more).map(([a, b]) => ({ ...a, ...b }) as StepSpec);
}

const calls = fc.record({
  to: often(['child', 'child', 'child', 'tool'], ['lazy', 'unknown', 'ask', 'resume', 'output']),
  which: fc.nat(3),
  args: often(['good'], ['json', 'bad', 'broken']),
}) as fc.Arbitrary<CallSpec>;

const tools = fc
  .tuple(
    fc.record({
      type: often(['text', 'json'], ['fail', 'throw', 'hang', 'huge', 'nothing']),
      latencyMs: latencies,
      isDeaf: fc.boolean(),
      needsApproval: isSometimes(15),
    }),
    some({ timeoutMs: [15, fc.constantFrom(1, 20, 3_000)] }),
  )
  .map(([a, b]) => ({ ...a, ...b }) as ToolSpec);

function trees(chances: Chances): fc.Arbitrary<TreeSpec> {
  const { isUndisturbed } = chances;
  const always = fc.record({
    startMs: latencies,
    isAttended: fc.boolean(),
    hasSignal: fc.boolean(),
    answers: list(answers(chances), 1, 3),
    events: isUndisturbed ? fc.constant([]) : sometimes(60, list(events, 1, 3), []),
    last: isUndisturbed ? fc.constant('answer') : fc.constantFrom('answer', 'stop', 'cancel'),
    resumes: fc.nat(2),
    recorded: fc.nat(99),
  });
  const more = some({ budget: [chances.isTight ? 60 : 25, budgets(chances)] });
  return fc.tuple(always, more).map(([a, b]) => ({ ...a, ...b }) as TreeSpec);
}

function answers({ isUndisturbed = false }: Chances): fc.Arbitrary<AnswerSpec> {
  const rare = isUndisturbed ? (['wrong', 'throws'] as const) : (['wrong', 'throws', 'never'] as const);
  return fc.record({ type: often(['right', 'late'], rare), delayMs: latencies });
}

const moments = often([1, 7, 50, 300], [0, 2_000, 41_000]);
const events: fc.Arbitrary<EventSpec> = fc.oneof(
  fc.record({
    do: fc.constantFrom('stop', 'cancel', 'signal', 'answer', 'answer wrong'),
    at: fc.constant('ms'),
    n: moments,
    ticks: fc.constant(0),
  }),
  fc.record({
    do: fc.constantFrom('stop', 'cancel', 'signal'),
    at: fc.constantFrom('start', 'end', 'fact', 'budget'),
    n: fc.nat(60),
    ticks: fc.nat(12),
  }),
);

function list<T>(entry: fc.Arbitrary<T>, minLength: number, maxLength: number): fc.Arbitrary<T[]> {
  return fc.array(entry, { minLength, maxLength, size: 'max' });
}

/** One of the first four times out of five. */
function often<const T, const R>(usual: readonly T[], rare: readonly R[]): fc.Arbitrary<T | R> {
  return fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...usual) },
    { weight: 1, arbitrary: fc.constantFrom(...rare) },
  );
}

function sometimes<T>(percent: number, value: fc.Arbitrary<T>, otherwise: T): fc.Arbitrary<T> {
  return fc.oneof({ weight: 100 - percent, arbitrary: fc.constant(otherwise) }, { weight: percent, arbitrary: value });
}

function isSometimes(percent: number): fc.Arbitrary<boolean> {
  return sometimes(percent, fc.constant(true), false);
}

/** Each key by its own chance, in percent. */
function some<T extends object>(keys: { readonly [K in keyof T]: readonly [percent: number, fc.Arbitrary<T[K]>] }) {
  const entries = Object.entries(keys) as [string, [number, fc.Arbitrary<unknown>]][];
  const each = entries.map(([key, [percent, value]]) =>
    sometimes<unknown>(percent, value, undefined).map((v) => [key, v]),
  );
  return fc
    .tuple(...each)
    .map((all) => Object.fromEntries(all.filter(([, value]) => value !== undefined)) as Partial<T>) as fc.Arbitrary<
    Partial<T>
  >;
}
