// What is wrong with a world, by promise: nothing, if it is kept.

import { inProcess, type JournalEntry, journaled, MemoryJournal } from '@ai-agent/core';
import { boundsAreKept, nothingIsABug, nothingIsLeft, sumsAreRight } from './checks.ts';
import { factsAreInOrder } from './fact-checks.ts';
import type { WorldSpec } from './spec.ts';
import { countsAreKept, honestBudgetsAreKept } from './spending-checks.ts';
import type { Stage } from './stage.ts';
import { live } from './world.ts';

export async function endings(spec: WorldSpec): Promise<readonly string[]> {
  const ended = await live(spec);
  const checks = [nothingIsABug, nothingIsLeft, boundsAreKept, factsAreInOrder];
  return [...ended.problems, ...checks.flatMap((check) => check(ended))];
}

export async function sums(spec: WorldSpec): Promise<readonly string[]> {
  return sumsAreRight(await live(spec));
}

export async function spending(spec: WorldSpec): Promise<readonly string[]> {
  const ended = await live(spec);
  for (const { budget } of ended.stages) budget.finish();
  return [...ended.problems, ...countsAreKept(ended)];
}

export async function honestSpending(spec: WorldSpec): Promise<readonly string[]> {
  const ended = await live(spec);
  for (const { budget } of ended.stages) budget.finish();
  return [...ended.problems, ...countsAreKept(ended), ...honestBudgetsAreKept(ended)];
}

/** Recorded, stored and walked again: the same, and nothing is done twice. */
export async function replays(spec: WorldSpec): Promise<readonly string[]> {
  const history = new Map<string, string[]>();
  const first = new MemoryJournal();
  const told = await live(spec, { runtime: journaled(inProcess, first), history });
  const stored = new MemoryJournal(JSON.parse(JSON.stringify([...first.entries])));
  const again = await live(spec, { runtime: journaled(inProcess, stored), history });
  const problems = [...told.problems, ...again.problems, ...nothingIsABug(told), ...nothingIsLeft(again)];
  return [...problems, ...told.stages.flatMap((stage, i) => differences(stage, again.stages[i]))];
}

/** Cut off anywhere, it is taken up from there: it ends, and repeats nothing that is on record. */
export async function takesUp(spec: WorldSpec): Promise<readonly string[]> {
  const first = new MemoryJournal();
  await live(spec, { runtime: journaled(inProcess, first) });
  const all = JSON.parse(JSON.stringify([...first.entries])) as [string, JournalEntry][];
  const kept = all.slice(0, Math.floor((all.length * (spec.trees[0]?.recorded ?? 0)) / 100));
  const ended = await live(spec, { runtime: journaled(inProcess, new MemoryJournal(kept)) });
  const recorded = new Set(kept.map(([key]) => key));
  const repeated = ended.stages.flatMap(({ starts }) => starts.filter(({ key }) => recorded.has(key)));
  const checks = [nothingIsABug, nothingIsLeft, boundsAreKept, factsAreInOrder, sumsAreRight, countsAreKept];
  return [...repeated.map(({ key }) => `${key} was done again`), ...checks.flatMap((check) => check(ended))];
}

function differences(first: Stage, again: Stage | undefined): readonly string[] {
  if (!again) return [`${first.name} did not run again`];
  const problems = again.starts.map(({ key }) => `${key} was done again`);
  const stories = [storiesOf(first), storiesOf(again)] as const;
  for (const id of new Set([...stories[0].keys(), ...stories[1].keys()])) {
    const [before, after] = [stories[0].get(id), stories[1].get(id)];
    const at = before?.findIndex((fact, i) => fact !== after?.[i]) ?? 0;
    if (at >= 0 || before?.length !== after?.length)
      problems.push(`${id} tells another story from ${before?.[at]?.slice(0, 300)} and ${after?.[at]?.slice(0, 300)}`);
  }
  return problems;
}

/** The facts of each session; between sessions, a replay may be quicker here and slower there. */
function storiesOf({ facts }: Stage): ReadonlyMap<string, readonly string[]> {
  const stories = new Map<string, string[]>();
  for (const fact of facts)
    stories.set(fact.trace.selfId, [...(stories.get(fact.trace.selfId) ?? []), JSON.stringify(fact)]);
  return stories;
}
