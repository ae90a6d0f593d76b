// How long replies wait until the store has what they tell: a moment. One that hangs is not waited for again until it has answered.

import type { Clock } from '@ai-agent/core';

/** Stores give up by themselves; who hands in one that does not shall not keep clients waiting. */
export const patienceMs = 2_000;

export class Patience {
  readonly #clock: Pick<Clock, 'after'>;
  #isHanging = false;

  constructor(clock: Pick<Clock, 'after'>) {
    this.#clock = clock;
  }

  /** Whether it was done in time. Never rejects: one that fails has answered. */
  async wait(work: Promise<unknown>): Promise<boolean> {
    const answered = () => {
      this.#isHanging = false;
      return true;
    };
    const done = work.then(answered, answered);
    if (this.#isHanging) return false;
    return new Promise((resolve) => {
      const unset = this.#clock.after(patienceMs, () => {
        this.#isHanging = true;
        resolve(false);
      });
      done.then(() => {
        unset();
        resolve(true);
      });
    });
  }
}
