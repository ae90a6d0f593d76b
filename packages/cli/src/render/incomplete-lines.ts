// The children whose work is missing from an answer, in a line each.

import { type Failure, type IncompleteChild, type Outcome, oneLine } from '@ai-agent/core';
import { cut } from './piece.ts';

/** More is not read at the end of a run; `--json` has all of it. */
export const maxIncompleteLines = 20;
const longest = { title: 60, message: 200 };

type Ending = Pick<Outcome, 'status' | 'incomplete'> & { readonly failure?: Failure };

/**
 * In call order; `rest` says where to find those after the first 20. A failure that the outcome names itself is not repeated. A run
 * that was cancelled has no answer, so nothing is missing from it.
 */
export function toIncompleteLines(
  { status, incomplete, failure: own }: Ending,
  rest = ', in --json',
): readonly string[] {
  if (status === 'cancelled') return [];
  const told = own?.message;
  const shown = incomplete.filter(({ failure }) => !failure || told?.includes(failure.message) !== true);
  const lines = shown.slice(0, maxIncompleteLines).map((child) => `incomplete: ${toWords(child)}`);
  return shown.length <= maxIncompleteLines
    ? lines
    : [...lines, `incomplete: ${shown.length - maxIncompleteLines} more${rest}`];
}

function toWords({ path, title, status, limit, failure }: IncompleteChild): string {
  const what = title === null ? '' : ` (${cut(oneLine(title), longest.title)})`;
  const why = failure ? ` (${failure.class}): ${cut(oneLine(failure.message), longest.message)}` : '';
  return oneLine(`${path}${what} ${status === 'partial' ? cutOff(limit) : `${verbs[status]}${why}`}`);
}

function cutOff(limit = 'stop'): string {
  return limit === 'stop' ? 'was stopped' : `was cut off by the limit ${limit}`;
}

const verbs = { failed: 'failed', refused: 'was refused', cancelled: 'was cancelled' } as const;
