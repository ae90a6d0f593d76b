// What must be so when a world has ended. Each check names what is not.

import { addTotals, defaultLimits, type Fact, noTotals, type Totals } from '@ai-agent/core';
import type { Stage } from './stage.ts';
import type { Ended } from './world.ts';

type Check = (ended: Ended) => readonly string[];

/** Nothing is left of a tree that has ended. */
export const nothingIsLeft: Check = ({ stages, left }) => [
  ...(left.places > 0 ? [`${left.places} hold a place or wait for one`] : []),
  ...(left.listeners > 0 ? [`${left.listeners} listeners are left on signals`] : []),
  ...stages.flatMap((stage) => [
    ...stage.left.map((words) => `${stage.name} left ${words}`),
    ...(stage.sources !== 0 ? [`${stage.name}: ${stage.sources} sources of tools are not closed`] : []),
  ]),
];

/** Nobody does more at once than it may. */
export const boundsAreKept: Check = ({ stages, spec }) =>
  stages.flatMap((stage) =>
    stage.facts.flatMap((fact) => {
      if (fact.type !== 'session-start') return [];
      const { maxParallel = defaultLimits.maxParallel } = spec.agents[agentOf(fact)]?.limits ?? {};
      const most = stage.work.mostAtOnce.get(fact.trace.selfId) ?? 0;
      return most > maxParallel ? [`${fact.trace.selfId} did ${most} things at once, and may do ${maxParallel}`] : [];
    }),
  );

const agentOf = ({ trace }: Fact) => Number(trace.agentName.slice(1));

/** Nothing that goes wrong is a defect of ours. */
export const nothingIsABug: Check = ({ stages }) =>
  stages
    .flatMap(({ facts }) => facts.flatMap((fact) => failureOf(fact)))
    .flatMap((failure) => (failure?.class === 'bug' ? [`${failure.code}: ${failure.message}`] : []));

function failureOf(fact: Fact) {
  if (fact.type === 'session-end') return 'failure' in fact.ending ? [fact.ending.failure] : [];
  if (fact.type === 'tool-end') return [fact.result.failure];
  return fact.type === 'model-end' || fact.type === 'question-end' ? [fact.failure] : [];
}

/** Every call is counted once, wherever one looks. */
export const sumsAreRight: Check = ({ stages }) =>
  stages.flatMap((stage) => {
    const { outcome, facts } = stage;
    if (!outcome) return [];
    const { total, bySession, entries } = outcome.ledger;
    const problems = differ(`${stage.name}: usage and ledger`, outcome.usage, total);
    const ids = Object.keys(bySession);
    // A model call that the budget refused was never made.
    const modelCalls = entries.filter(({ type, status }) => type === 'model' && status !== 'refused').length;
    const calls = { modelCalls, toolCalls: entries.filter(({ type }) => type === 'tool').length };
    problems.push(...differ(`${stage.name}: entries and total`, { ...total, ...calls }, total));
    for (const [id, { own, subtree }] of Object.entries(bySession)) {
      const below = ids.filter((other) => other.startsWith(`${id}~`) && !other.slice(id.length + 1).includes('~'));
      const sum = below.reduce((sums, child) => addTotals(sums, bySession[child]?.subtree ?? noTotals), own);
      problems.push(...differ(`${id}: subtree and sum`, subtree, sum));
    }
    for (const fact of facts)
      if (fact.type === 'session-end')
        problems.push(
          ...differ(
            `${fact.trace.selfId}: end and ledger`,
            fact.usage,
            bySession[fact.trace.selfId]?.subtree ?? noTotals,
          ),
        );
    return [...problems, ...factsAddUp(stage, total)];
  });

/** Sums from the facts alone; each request counts, failed ones included. */
function factsAddUp({ facts, name }: Stage, total: Totals): readonly string[] {
  const sum = { ...noTotals, inputTokens: 0, outputTokens: 0, costUsd: 0, modelCalls: 0, toolCalls: 0 };
  for (const fact of facts) {
    if (fact.type === 'tool-start') sum.toolCalls++;
    if (fact.type !== 'model-end') continue;
    const requests = fact.requests.filter(({ status }) => status !== 'refused');
    sum.modelCalls += requests.length;
    for (const { usage, costUsd = 0 } of requests) {
      sum.inputTokens += usage.inputTokens ?? 0;
      sum.outputTokens += usage.outputTokens ?? 0;
      sum.costUsd += costUsd;
    }
  }
  const { inputTokens, outputTokens, costUsd, modelCalls, toolCalls } = sum;
  return differ(`${name}: ledger and facts`, total, {
    ...total,
    inputTokens,
    outputTokens,
    costUsd,
    modelCalls,
    toolCalls,
  });
}

function differ(what: string, a: Totals, b: Totals): string[] {
  const keys = (Object.keys(noTotals) as (keyof Totals)[]).filter(
    (key) => Math.abs(a[key] - b[key]) > 1e-9 * (1 + Math.abs(a[key])),
  );
  return keys.map((key) => `${what} differ in ${key}: ${a[key]} and ${b[key]}`);
}
