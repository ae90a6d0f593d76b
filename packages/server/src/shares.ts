// Parts of a rate that one visitor may use: whoever floods a page leaves the rest of its key's rate to the others.

import { Rate } from './rates.ts';

/** One visitor has at most this part of the rate of a key. */
const part = 1 / 4;

/** Visitors that are counted at once; then the one that was first is forgotten. */
const mostVisitors = 10_000;

export class Shares {
  readonly #perMinute: number;
  readonly #now: () => number;
  readonly #rates = new Map<string, Rate>();

  constructor(perMinute: number, now: () => number) {
    this.#perMinute = Math.max(1, Math.ceil(perMinute * part));
    this.#now = now;
  }

  /** Throws `too-many-requests`. */
  take(visitor: string): void {
    const rate = this.#rates.get(visitor) ?? new Rate(this.#perMinute, this.#now, { who: 'One visitor' });
    // The last that asked is the last to be forgotten.
    this.#rates.delete(visitor);
    this.#rates.set(visitor, rate);
    const [oldest] = this.#rates.keys();
    if (this.#rates.size > mostVisitors && oldest !== undefined) this.#rates.delete(oldest);
    rate.take();
  }
}
