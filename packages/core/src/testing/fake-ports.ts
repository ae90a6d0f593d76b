// Ports for tests: a clock that stands still until it is moved, and ids that count.

import { AgentError } from '../errors.ts';
import type { Clock, Ids, Ports } from '../ports.ts';

/** Time passes only when the test says so; sleepers wake in order. */
export class FakeClock implements Clock {
  #now: number;
  readonly #sleepers = new Set<{ readonly at: number; readonly wake: () => void }>();

  constructor(now = 1_700_000_000_000) {
    this.#now = now;
  }

  /** How many sleep now; zero when nothing is left behind. */
  get sleepers(): number {
    return this.#sleepers.size;
  }

  now(): number {
    return this.#now;
  }

  sleep(durationMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const sleeper = { at: this.#now + durationMs, wake: () => end(resolve) };
      const onAbort = () => end(() => reject(signal.reason));
      const end = (settle: () => void) => {
        this.#sleepers.delete(sleeper);
        signal.removeEventListener('abort', onAbort);
        settle();
      };
      this.#sleepers.add(sleeper);
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  /** Moves time, waking who is due. */
  advance(durationMs: number): void {
    this.#now += durationMs;
    const due = [...this.#sleepers].filter(({ at }) => at <= this.#now).sort((a, b) => a.at - b.at);
    for (const { wake } of due) wake();
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
