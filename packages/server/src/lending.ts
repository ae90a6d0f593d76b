// What trees that run here lend to those that they wait for, while they do: a place, and who is above.

import type { Above } from '@ai-agent/core';
import type { Ticket } from './places.ts';
import { keepSecret, tokenOf } from './token.ts';

/** What those may have that a run waits for. */
export interface Lent {
  /** The place that it holds. */
  readonly ticket: Ticket;
  /** Who is above them, the run included. */
  readonly above: Above;
}

export class Lending {
  /** Of runs that may wait for others here, by their id; once somebody shows a token, by the token of their tree. */
  readonly #byId = new Map<string, Lent>();
  readonly #byToken = new Map<string, Lent>();

  /** What a tree of ours lends while it waits for a request; nothing when it has ended, or never ran here. */
  lentTo(token: string | undefined): Lent | undefined {
    if (token === undefined) return undefined;
    // Not before: most trees never call anybody here, and a token costs more than all else about a place.
    for (const [id, lent] of this.#byId) this.#byToken.set(tokenOf(id), lent);
    this.#byId.clear();
    return this.#byToken.get(token);
  }

  /** What this tree lends, until what is returned is called. */
  lend(originId: string, lent: Lent): () => void {
    // Its models and tools look for it.
    keepSecret();
    this.#byId.set(originId, lent);
    return () => {
      if (!this.#byId.delete(originId)) this.#byToken.delete(tokenOf(originId));
    };
  }
}
