// How long anybody waits for the store: a moment. One that hangs is not waited for again until it has answered.

import { AgentError, type Clock, takesTime } from '@ai-agent/core';
import type { Soon } from './at-once.ts';

/** Stores give up by themselves; who hands in one that does not shall not keep clients waiting. */
export const patienceMs = 2_000;

export class Patience {
  readonly #clock: Pick<Clock, 'after'>;
  #isHanging = false;

  constructor(clock: Pick<Clock, 'after'>) {
    this.#clock = clock;
  }

  /** What the store was asked. Throws `store-unreachable` when that takes too long: it may be done all the same, later. */
  within<T>(doing: Soon<T>): Soon<T> {
    return takesTime(doing) ? this.#within(Promise.resolve(doing)) : doing;
  }

  async #within<T>(doing: Promise<T>): Promise<T> {
    const answered = () => {
      this.#isHanging = false;
    };
    doing.then(answered, answered);
    if (await this.wait(doing)) return doing;
    this.#isHanging = true;
    throw new AgentError('store-unreachable', `The store has not answered for ${patienceMs / 1_000} seconds.`);
  }

  /** Whether what waits for the store was done in time. Never rejects. */
  async wait(work: Promise<unknown>): Promise<boolean> {
    if (this.#isHanging) {
      work.catch(() => {});
      return false;
    }
    return new Promise((resolve) => {
      const unset = this.#clock.after(patienceMs, () => resolve(false));
      const done = () => {
        unset();
        resolve(true);
      };
      work.then(done, done);
    });
  }
}
