// How many follow each session: a bound, so that one session does not take every connection.

import { AgentError } from '@ai-agent/core';

export class Followers {
  readonly #max: number;
  readonly #counts = new Map<string, number>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Returns how to leave. Throws `too-many-requests`. */
  enter(id: string): () => void {
    const count = this.#counts.get(id) ?? 0;
    if (count >= this.#max)
      throw new AgentError(
        'too-many-requests',
        `${count} follow this session already; no more than ${this.#max} may.`,
        {
          retryAfterMs: 5_000,
        },
      );
    this.#counts.set(id, count + 1);
    return () => {
      const left = (this.#counts.get(id) ?? 1) - 1;
      if (left > 0) this.#counts.set(id, left);
      else this.#counts.delete(id);
    };
  }
}
