// What has to hold of a run, whatever happened to the process it began in.

import assert from 'node:assert/strict';
import type { Fact, Outcome, SessionNode, Totals } from 'ai-agent';
import { answerOf, fanOut, usageOf } from './stand-in.ts';

export interface RunResult {
  readonly run: string;
  /** Whether each reader goes on from the one before. */
  readonly isKept: boolean;
  readonly outcome: Outcome;
  /** What listeners at the root heard. */
  readonly facts: readonly Fact[];
  /** How often each call reached the other side. */
  readonly asked: ReadonlyMap<string, number>;
  /** How the engine sees each session. */
  readonly standing: Readonly<Record<string, string>>;
}

export interface Kill {
  /** Steps that were on record when the worker was dead. */
  readonly recorded: readonly string[];
  /** Calls that were under way. */
  readonly cut: readonly string[];
  readonly asked: ReadonlyMap<string, number>;
}

const readers = Array.from({ length: fanOut }, (_, i) => i + 1);

export function checkRun({ run, isKept, outcome, facts, asked, standing }: RunResult): void {
  const sessions = sessionsOf(run);
  assert.equal(outcome.status, 'completed');
  assert.equal(outcome.text, readers.map((i) => answerOf(`${i}`, undefined, isKept ? i - 1 : 0)).join('; '));
  assert.deepEqual([...asked.keys()].sort(), callsOf(run), 'every call was asked for, and no other');
  assert.deepEqual(Object.keys(standing).sort(), sessions, 'one invocation for each session');

  const expected = modelCallsOf(run).map(usageOf);
  const { total, entries } = outcome.ledger;
  assert.equal(total.modelCalls, expected.length);
  assert.equal(total.toolCalls, 3 * fanOut, 'the readers, and the two words of each');
  assert.equal(total.failedCalls, 0);
  assert.equal(total.inputTokens, sum(expected.map(({ inputTokens }) => inputTokens)));
  assert.equal(total.outputTokens, sum(expected.map(({ outputTokens }) => outputTokens)));
  assert.equal(entries.length, total.modelCalls + total.toolCalls);
  assert.deepEqual(outcome.usage, total, 'what was added up on the way is what the facts say');

  checkFacts({ run, outcome, facts });
}

/** Everything below the root reached it, each fact once and in order, up to the last. */
function checkFacts({ run, outcome, facts }: Pick<RunResult, 'run' | 'outcome' | 'facts'>): void {
  const sessions = sessionsOf(run);
  assert.deepEqual(treeOf(outcome.tree).sort(), sessions);
  assert.deepEqual(
    [...new Set(facts.map(({ trace }) => trace.selfId))].sort(),
    sessions,
    'facts of all reached the root',
  );
  for (const session of sessions) {
    const own = facts.filter(({ trace }) => trace.selfId === session);
    assert.deepEqual(
      own.map(({ seq }) => seq),
      [...own.keys()].map((i) => i + 1),
      `${session} told each fact once, in order`,
    );
    assert.equal(own.at(-1)?.type, 'session-end');
  }
}

/** On record: never asked for again. Cut off: asked for once more, for each time it was cut off. */
export function checkKilled({ run, asked }: RunResult, kills: readonly Kill[]): void {
  const calls = callsOf(run);
  for (const { recorded, cut, asked: before } of kills) {
    const done = calls.filter((call) => recorded.includes(call));
    assert.ok(done.length > 0 && done.length < calls.length, 'the kill was in the middle');
    assert.ok(cut.length > 0 && cut.every((call) => !recorded.includes(call)), 'something was under way');
    for (const call of done) assert.equal(asked.get(call), before.get(call), `${call} was on record`);
  }
  for (const call of calls) {
    const times = kills.filter(({ cut }) => cut.includes(call)).length;
    assert.equal(asked.get(call), 1 + times, `${call} was cut off ${times} times`);
  }
}

/** Nothing was asked for after the cancellation, and the calls it cut off are on the bill. */
export function checkCancelled({ run, outcome, facts, asked }: RunResult, cut: readonly string[]): void {
  assert.equal(outcome.status, 'cancelled');
  assert.deepEqual(asked, new Map([`${run}/turn.1.model`, ...cut].map((call) => [call, 1])));
  checkFacts({ run, outcome, facts });
  const { modelCalls, unknownUsageCalls } = outcome.ledger.total;
  assert.deepEqual({ modelCalls, unknownUsageCalls }, { modelCalls: 1 + cut.length, unknownUsageCalls: cut.length });
  assert.deepEqual(outcome.usage, outcome.ledger.total);
}

export function checkSame(one: RunResult, other: RunResult): void {
  assert.equal(one.outcome.text, other.outcome.text);
  assert.deepEqual(shapeOf(one), shapeOf(other));
}

/** Everything but ids and times; the ids of runs are equally long, so that sizes are the same. */
function shapeOf({ run, outcome: { ledger, usage }, facts }: RunResult) {
  const nameOf = (id: string) => id.slice(run.length);
  const bySession = Object.entries(ledger.bySession).map(([id, { own, subtree, ...names }]) => {
    return { id: nameOf(id), ...names, own: timeless(own), subtree: timeless(subtree) };
  });
  const entries = ledger.entries.map(({ trace, startedAt: _at, latencyMs: _ms, ...entry }) => {
    const { sessionId, ...rest } = { sessionId: '', ...entry };
    return { ...rest, of: nameOf(trace.selfId), path: trace.turnPath, below: nameOf(sessionId) };
  });
  return {
    entries: entries.sort((a, b) => a.path.localeCompare(b.path)),
    bySession: bySession.sort((a, b) => a.id.localeCompare(b.id)),
    usage: timeless(usage),
    // Siblings settle in any order: a fact is identified by its session, operation and type.
    facts: facts.map(({ type, op, trace }) => `${nameOf(trace.selfId)} ${type} ${op}`).sort(),
  };
}

function timeless({ modelMs: _model, toolMs: _tool, ...totals }: Totals) {
  return totals;
}

function sessionsOf(run: string): readonly string[] {
  return [run, ...readers.map((i) => `${run}~1.${i}`)];
}

function modelCallsOf(run: string): readonly string[] {
  return sessionsOf(run).flatMap((session) => [`${session}/turn.1.model`, `${session}/turn.2.model`]);
}

/** Calls that reach the other side. */
function callsOf(run: string): readonly string[] {
  const toolCalls = readers.flatMap((i) => [1, 2].map((index) => `${run}~1.${i}/turn.1.tool.${index}`));
  return [...modelCallsOf(run), ...toolCalls].sort();
}

function treeOf(node: SessionNode | undefined): string[] {
  if (!node) return [];
  const below = node.turns.flatMap(({ operations }) =>
    operations.flatMap((operation) => (operation.type === 'tool' ? treeOf(operation.session) : [])),
  );
  return [node.trace.selfId, ...below];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
