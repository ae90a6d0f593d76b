// Ports for tests: a clock that stands still until it is moved, and ids that count.

import { AgentError } from '../errors.ts';
import type { Clock, Ids, Ports } from '../ports.ts';

/** Time passes only when the test says so; who waits is woken in order. */
export class FakeClock implements Clock {
  #now: number;
  readonly #timers = new Set<{ readonly at: number; readonly wake: () => void }>();

  constructor(now = 1_700_000_000_000) {
    this.#now = now;
  }

  /** How many wait for their time; zero when nothing is left behind. */
  get timers(): number {
    return this.#timers.size;
  }

  now(): number {
    return this.#now;
  }

  after(durationMs: number, wake: () => void): () => void {
    const timer = { at: this.#now + durationMs, wake };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** When the next one is due; undefined when nobody waits. */
  get nextAt(): number | undefined {
    return this.#timers.size === 0 ? undefined : Math.min(...[...this.#timers].map(({ at }) => at));
  }

  /** Moves time, waking who is due, each at its own time. */
  advance(durationMs: number): void {
    const until = this.#now + durationMs;
    for (let at = this.nextAt; at !== undefined && at <= until; at = this.nextAt) {
      this.#now = Math.max(this.#now, at);
      for (const timer of [...this.#timers]) {
        if (timer.at <= this.#now && this.#timers.delete(timer)) timer.wake();
      }
    }
    this.#now = until;
  }
}

export function countingIds(prefix = 's'): Ids {
  let count = 0;
  return { next: () => `${prefix}${++count}` };
}

export function fakePorts(ports: Partial<Ports> = {}): Ports & { readonly clock: Clock } {
  return {
    clock: new FakeClock(),
    ids: countingIds(),
    models: (ref) => {
      throw new AgentError('model-unknown', `The test has no model ${ref}.`);
    },
    ...ports,
  };
}
