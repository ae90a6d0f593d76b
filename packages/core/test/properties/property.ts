// One property over many worlds. SEED=n looks at other worlds, RUNS=n at more of them, WORLD='…' at one, as it was printed.

import fc from 'fast-check';
import { type Chances, worlds } from './arbitraries.ts';
import type { WorldSpec } from './spec.ts';

export const seed = Number(process.env.SEED ?? 20_261_115);

/** The judge names what is wrong in a world, or nothing. */
export async function holds(
  chances: Chances,
  runs: number,
  judge: (spec: WorldSpec) => Promise<readonly string[]>,
): Promise<void> {
  const numRuns = Number(process.env.RUNS ?? runs);
  const check = async (spec: WorldSpec) => {
    const problems = await judge(spec);
    if (problems.length > 0) throw new TypeError(`${problems.slice(0, 8).join('\n')}\nWORLD='${JSON.stringify(spec)}'`);
  };
  if (process.env.WORLD) return check(JSON.parse(process.env.WORLD) as WorldSpec);
  const found = await fc.check(fc.asyncProperty(worlds(chances), check), { seed, numRuns, endOnFailure: false });
  if (found.failed)
    throw new TypeError(
      `SEED=${seed}, after ${found.numRuns} worlds and ${found.numShrinks} smaller ones:\n${messageOf(found.errorInstance)}`,
    );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** How long a test may take: as long as it needs when somebody explores. */
export const patience = process.env.RUNS ? 3_600_000 : 60_000;
