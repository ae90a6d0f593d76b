// How long a call stood still: asked somebody, or waited with the sessions that it runs.

import type { Counter } from './counter.ts';
import type { Clock } from './ports.ts';

export class StillTime implements Counter {
  readonly #clock: Clock;
  waiting = 0;
  working = 0;
  isStill = false;
  #since = 0;
  #ms = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get ms(): number {
    return this.#ms + (this.isStill ? this.#passed() : 0);
  }

  standStill(): void {
    this.#since = this.#clock.monotonicMs();
  }

  goOn(): void {
    this.#ms += this.#passed();
  }

  #passed(): number {
    return this.#clock.monotonicMs() - this.#since;
  }
}
