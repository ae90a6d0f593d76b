// What a store has failed to take is given to it again, from time to time, until it has all of it.

import type { Clock } from '@ai-agent/core';

/** How often a store that fails is tried again with what it lacks. */
export const mendMs = 5_000;

export class Mending {
  readonly #clock: Pick<Clock, 'after'>;
  readonly #works: (() => Promise<void>)[] = [];
  #unset: (() => void) | undefined;

  constructor(clock: Pick<Clock, 'after'>) {
    this.#clock = clock;
  }

  /** What is to be done each time, after what was added before. What it cannot do, it asks `later` for. */
  add(work: () => Promise<void>): void {
    this.#works.push(work);
  }

  /** Something is left to be given. */
  readonly later = (): void => {
    const again = () => {
      this.#unset = undefined;
      this.now();
    };
    this.#unset ??= this.#clock.after(mendMs, again, true);
  };

  /** Settles when the store has everything, or has failed once more. Never rejects. */
  async now(): Promise<void> {
    for (const work of this.#works) await work().catch(() => {});
  }
}
