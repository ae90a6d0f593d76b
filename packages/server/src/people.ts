// People who come by one headend under one key, or under none: each has a rate, an allowance and a number of runs of their own, inside what the key may.

import { type Budget, narrower } from '@ai-agent/core';
import { Book, type BookSettings } from './book.ts';
import { Lately } from './lately.ts';
import type { Spender, Spending, Visitor } from './visitor.ts';

/** What one of them may. */
export interface PerUser extends BookSettings {
  /** Runs at once; more wait. From 1. @default as many as there are places */
  readonly concurrency?: number | undefined;
  /** What each run may use. @default what the agent and the key say */
  readonly budget?: Budget | undefined;
}

export class People {
  readonly #visitor: Visitor;
  readonly #perUser: PerUser;
  readonly #books: Lately<Book>;

  constructor(visitor: Visitor, perUser: PerUser, now: () => number) {
    this.#visitor = visitor;
    this.#perUser = perUser;
    this.#books = new Lately(
      () => new Book(perUser, now, 'You'),
      ({ isBlank }) => isBlank,
    );
  }

  /** The key's bearer as this person. What they start belongs to the key. */
  visitorFor(id: string): Visitor {
    const all = this.#visitor;
    const { budget, concurrency } = this.#perUser;
    // Looked for whenever it is needed: meanwhile it may have been forgotten.
    const book = () => this.#books.of(id);
    return {
      ...all,
      person: { id, concurrency },
      ...(budget ? { budget: narrower(all.budget, budget) } : {}),
      admit() {
        book().admit();
        all.admit?.();
      },
      spend: (spender) => openBoth(spender, book(), all),
    };
  }
}

/** Throws `allowance-spent`, and leaves nothing open then. */
function openBoth(spender: Spender, book: Book, all: Visitor): Spending | undefined {
  const own = book.open(spender);
  if (!own || !all.spend) return own ?? all.spend?.(spender);
  let common: Spending | undefined;
  try {
    common = all.spend(spender);
  } catch (error) {
    own.close();
    throw error;
  }
  return common ? toBoth(own, common) : own;
}

function toBoth(own: Spending, common: Spending): Spending {
  return {
    budget: narrower(own.budget, common.budget),
    hear(event) {
      own.hear(event);
      common.hear(event);
    },
    // Of two that are spent, the one with less left is named.
    judge: (outcome, may) => own.judge(common.judge(outcome, narrower(may, own.budget)), may),
    close() {
      own.close();
      common.close();
    },
  };
}
