// Variables that agents need and that are defined nowhere: each once, with the agents that need it.

import { oneLine } from '@ai-agent/core';
import { toMissing } from './config/entry.ts';
import type { Problem } from './problem.ts';

/** Merges problems with one variable of one env file, at the place of the first. A variable that fits any layer is for `usual`. */
export function mergeMissing(problems: readonly Problem[], usual: string): readonly Problem[] {
  const keyOf = ({ variable, envFile = usual }: Problem) => JSON.stringify([variable, envFile]);
  const all = Map.groupBy(problems, keyOf);
  return problems.flatMap((problem) => {
    const same = problem.variable === undefined ? [problem] : (all.get(keyOf(problem)) ?? []);
    if (same[0] !== problem) return [];
    return same.length === 1 ? [problem] : [merge(problem, same)];
  });
}

function merge(first: Problem, all: readonly Problem[]): Problem {
  const neededBy = [...new Set(all.flatMap((one) => one.neededBy ?? []))];
  const severity = all.some((one) => one.severity === 'error') ? 'error' : 'warning';
  const message = `${toMissing([first.variable ?? ''])} (needed by ${neededBy.join(', ')})`;
  return { ...first, severity, message, neededBy };
}

/** Lines to paste, keyed by env file: `NAME=   # needed by lead, researcher`. A variable that fits any layer is for `usual`. */
export function toEnvLines(problems: readonly Problem[], usual: string): ReadonlyMap<string, readonly string[]> {
  const missing = problems.filter(({ variable }) => variable !== undefined);
  const byFile = Map.groupBy(missing, ({ envFile = usual }) => envFile);
  return new Map([...byFile].map(([file, all]) => [file, all.map(toEnvLine)]));
}

function toEnvLine({ variable, neededBy = [] }: Problem): string {
  return oneLine(`${variable}=   # needed by ${neededBy.join(', ')}`);
}
