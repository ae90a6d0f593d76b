// An outcome with what its whole session has used: whoever was asked in between, or ran calls, sees one run.

import type { SessionHead } from '@ai-agent/core';
import { ledgerOf, type Outcome } from '@ai-agent/core';
import { factsOf } from './facts-of.ts';
import type { Hall } from './hall.ts';

/** One that has never waited has used what it says. */
export async function withAllUsed<T extends Outcome>(hall: Hall, head: SessionHead, outcome: T): Promise<T> {
  if (head.resumptions === 0) return outcome;
  try {
    return { ...outcome, usage: ledgerOf(await factsOf(hall, head, hall.live(head.id)), { isOver: true }).total };
  } catch (error) {
    hall.onBug(error);
    return outcome;
  }
}
