// Whoever asks: the key that was shown, and what it may do. Without keys everybody is the same.

import { AgentError, type AgentEvent, type Budget, type Outcome, type PriceResolver } from '@ai-agent/core';
import type { Shares } from './shares.ts';

export interface Visitor {
  /** The name of the key; null where the server has none. Sessions belong to it. */
  readonly key: string | null;
  /** Whom it asks for, where it said so: sessions belong to both. @default to the key alone */
  readonly user?: string | undefined;
  /** Whether it may call an agent of this name. */
  may(agentName: string): boolean;
  /** What each of its runs may use. @default what the agent says */
  readonly budget?: Budget | undefined;
  /** Runs of it at once; more wait. @default as many as the headend has places for */
  readonly concurrency?: number | undefined;
  /** One of several who come with it, where they are told apart: they take turns. @default all are one */
  readonly person?: Person | undefined;
  /** Whether it is a stranger who visits a page: then it sees nothing of the inside, and gives leave for nothing. @default false */
  readonly isOfPage?: boolean | undefined;
  /** Where its key is publishable: the origins of the pages that it is for, in lower case. @default it is a secret */
  readonly origins?: ReadonlySet<string> | undefined;
  /** Asked once for every run that is to start or to go on. Throws `too-many-requests`, `allowance-spent`. @default any number */
  admit?(): void;
  /** Opens the books for a run that begins now. Throws `allowance-spent`. Undefined where nobody counts. @default nobody counts */
  spend?(spender: Spender): Spending | undefined;
}

export interface Person {
  readonly id: string;
  /** Runs of theirs at once; more wait. @default as many as their key may have */
  readonly concurrency?: number | undefined;
}

/** A run, as its key's allowance knows it. */
export interface Spender {
  /** Ends it as a limit does: what was done is kept. */
  stop(): void;
  /** For calls that were cut off before anybody said what they cost. */
  readonly prices?: PriceResolver | undefined;
}

export interface Spending {
  /** What is left for it. */
  readonly budget: Budget;
  /** Every event of its tree. */
  readonly hear: (event: AgentEvent) => void;
  /**
   * What came of it, given what it may use by itself. Where less than that was left, `allowance` is the limit that ended it; one
   * that could not even begin with it throws `allowance-spent`.
   */
  judge(outcome: Outcome, own: Budget): Outcome;
  /** The run is over: calls that were cut off count too. */
  close(): void;
}

/** Whoever comes to a server without keys. */
export const anybody: Visitor = { key: null, may: () => true };

/** Whom a key asks for. */
export const userHeader = 'x-ai-agent-user';

/** The same for the user that the request names. Throws `request-invalid`. */
export function withUser(visitor: Visitor, headers: Headers): Visitor {
  const user = headers.get(userHeader);
  if (user === null) return visitor;
  if (printable.test(user)) return { ...visitor, user };
  throw new AgentError('request-invalid', 'X-Ai-Agent-User must have from 1 to 200 printable characters.');
}

/** The same for one of many that come with one key, who has a part of its rate. */
export function withShare(visitor: Visitor, shares: Shares, who: string): Visitor {
  return {
    ...visitor,
    admit() {
      shares.take(who);
      visitor.admit?.();
    },
  };
}

/** Each letter of a header is a byte of what was sent. */
const printable = /^[\x20-\x7e\xa0-\xff]{1,200}$/;

/** Whether what belongs to the one belongs to the other. */
export function isSame(one: Pick<Visitor, 'key' | 'user'>, other: Pick<Visitor, 'key' | 'user'>): boolean {
  return one.key === other.key && one.user === other.user;
}
