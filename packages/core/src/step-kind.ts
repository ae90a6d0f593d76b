// Which step a session is at: plain data, so that it can be gone on with after a question.

import type { Completed } from './ending.ts';
import type { PartnerRole } from './place.ts';

/** Partners are called; or the model sums up what was said. */
export type StepKind = PartnerStep | 'summary';

export type PartnerStep = 'advisors' | 'router' | 'handoff';

/** What those are that it calls. */
export function roleIn(step: PartnerStep): PartnerRole {
  return step === 'advisors' ? 'advisor' : step;
}

export interface Step {
  readonly kind: PartnerStep;
  /** Which agent of the chain is asked, counted from zero. */
  readonly position: number;
  /** Whom it asks, by its label; nobody by itself for advisors. */
  readonly whom?: string;
  /** What the session has come to before; nothing for advisors. */
  readonly before?: Completed;
}
