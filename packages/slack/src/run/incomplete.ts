// Sub-agents whose work is missing from an answer, in words.

import type { IncompleteChild, Outcome } from '@ai-agent/core';
import { toPlain } from '../blocks/safe-text.ts';
import { limitIn } from './figures.ts';

/** A few words for the footer of an answer. */
export function incompleteInBrief({ status, incomplete }: Outcome): string | undefined {
  const [first] = incomplete;
  if (!first || (status !== 'completed' && status !== 'partial')) return undefined;
  return `incomplete: ${incomplete.length === 1 ? `${nameOf(first)} ${endOf(first)}` : `${incomplete.length} sub-agents`}`;
}

/** The agents from the first below the root to this one. */
export function nameOf({ path }: IncompleteChild): string {
  return toPlain(path.split(':').slice(1).join(' › '), 80);
}

/** The status at the end, and the code of the reason: its message may name files and accounts of the server. */
export function reasonOf(child: IncompleteChild): string {
  const { failure } = child;
  return failure ? `${endOf(child)} (${failure.code})` : endOf(child);
}

function endOf({ status, limit }: IncompleteChild): string {
  if (status === 'failed') return 'failed';
  if (status !== 'partial') return `was ${status}`;
  if (limit === undefined) return 'was cut off';
  return limit === 'stop' ? 'was stopped' : `was cut off by its limit of ${limitIn(limit)}`;
}
