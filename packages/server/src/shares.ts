// Parts of a rate that one visitor may use: whoever floods a page leaves the rest of its key's rate to the others.

import { Lately } from './lately.ts';
import { Rate } from './rates.ts';

/** One visitor has at most this part of the rate of a key. */
const part = 1 / 4;

export class Shares {
  readonly #rates: Lately<Rate>;

  constructor(perMinute: number, now: () => number) {
    const own = Math.max(1, Math.ceil(perMinute * part));
    this.#rates = new Lately(
      () => new Rate(own, now, { who: 'One visitor' }),
      ({ isFull }) => isFull,
    );
  }

  /** Throws `too-many-requests`. */
  take(visitor: string): void {
    this.#rates.of(visitor).take();
  }
}
