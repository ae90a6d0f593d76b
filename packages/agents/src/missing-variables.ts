// Variables that agents need and that are defined nowhere: each once, with the agents that need it.

import { oneLine } from '@ai-agent/core';
import { toMissing } from './config/entry.ts';
import type { Problem } from './problem.ts';

/** Makes one problem of all that concern one variable, at the place of the first. */
export function mergeMissing(problems: readonly Problem[]): readonly Problem[] {
  const all = Map.groupBy(problems, ({ variable }) => variable);
  return problems.flatMap((problem) => {
    const same = problem.variable === undefined ? [problem] : (all.get(problem.variable) ?? []);
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

/** Lines to paste into `.ai-agent.env`: `NAME=   # needed by lead, researcher`. */
export function toEnvLines(problems: readonly Problem[]): readonly string[] {
  return problems.flatMap(({ variable, neededBy = [] }) =>
    variable === undefined ? [] : [oneLine(`${variable}=   # needed by ${neededBy.join(', ')}`)],
  );
}
