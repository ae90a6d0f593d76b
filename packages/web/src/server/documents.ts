// What the server says, as far as the page reads it.

import type { JsonSchema, Question, Totals } from '@ai-agent/core';

export interface Failure {
  readonly class: string;
  readonly code: string;
  readonly message: string;
  readonly remedy?: string;
  /** The limit that was reached, when one was. */
  readonly limit?: string;
  readonly retryable?: boolean;
  /** How long to wait. */
  readonly retryAfterMs?: number;
}

export interface AgentEntry {
  readonly name: string;
  readonly description: string;
  /** An example of what to ask. */
  readonly usage?: string;
  readonly input: { readonly format: 'text' | 'markdown' | 'json'; readonly schema?: JsonSchema };
  readonly output: { readonly format: 'text' | 'markdown' | 'json'; readonly schema?: JsonSchema };
  /** Media types that its model takes. */
  readonly attachments?: readonly string[];
  /** Other agents of the list that use it themselves. */
  readonly usedBy?: readonly string[];
  /** What its file allows a run at most. */
  readonly budget?: Readonly<Record<string, number>>;
}

/** How a session stands. */
export interface Standing {
  readonly id: string;
  readonly agent: string;
  readonly status: Status;
  readonly title?: string;
  readonly createdAt: number;
  readonly endedAt?: number;
  readonly rounds: number;
  readonly usage?: Totals;
  /** The number of sub-agents whose work is missing from the last answer. */
  readonly incompleteCount?: number;
  readonly question?: Question;
  readonly failure?: Failure;
  readonly budget?: Readonly<Record<string, number>>;
  /** What was written of an answer that never came. */
  readonly draft?: string;
  /** Where it was begun from: it is done again. */
  readonly retryOf?: { readonly session: string };
  readonly isKept?: false;
}

export type Status =
  | 'queued'
  | 'running'
  | 'completed'
  | 'partial'
  | 'needs_user_input'
  | 'needs_client_tools'
  | 'failed'
  | 'cancelled'
  | 'interrupted';

export interface SessionPage {
  readonly sessions: readonly Standing[];
  /** The store fails at the moment: there may be more. */
  readonly isComplete?: false;
}

export function isAtWork({ status }: Pick<Standing, 'status'>): boolean {
  return status === 'queued' || status === 'running';
}
