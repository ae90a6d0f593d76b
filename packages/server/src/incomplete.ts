// Children whose work is missing from an answer, as clients are told of them.

import type { IncompleteChild, Outcome } from '@ai-agent/core';
import { withoutInside } from './failure-status.ts';

export interface IncompleteField {
  /** Each child that failed, was cut off or was refused. Left out if none was. */
  readonly incomplete?: readonly IncompleteChild[];
}

/** The field `incomplete` of a reply. Its failures tell nothing of the server's set-up. */
export function toIncomplete({ incomplete }: Pick<Outcome, 'incomplete'>): IncompleteField {
  return incomplete.length === 0 ? {} : { incomplete: incomplete.map(withSafeFailure) };
}

function withSafeFailure(child: IncompleteChild): IncompleteChild {
  if (!child.failure) return child;
  const { status: _ofProvider, ...failure } = withoutInside(child.failure);
  return { ...child, failure };
}
