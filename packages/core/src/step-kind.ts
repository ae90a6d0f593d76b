// Which step a session is at: plain data, so that it can be gone on with after a question.

import type { Completed } from './ending.ts';

export type StepKind = 'advisors' | 'router' | 'handoff';

export interface Step {
  readonly kind: StepKind;
  /** Which agent of the chain is asked, counted from zero. */
  readonly position: number;
  /** What the session has come to before; nothing for advisors. */
  readonly before?: Completed;
}
