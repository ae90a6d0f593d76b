// Work with a limit of time: it ends when it is done, called off, or late.

import { type EndsOn, Scope } from './abort.ts';
import type { Counter } from './counter.ts';
import type { AgentError } from './errors.ts';
import type { Clock } from './ports.ts';

export interface InTime {
  readonly clock: Clock;
  readonly durationMs: number;
  /** Whoever calls it off. */
  readonly scope: Scope;
  readonly late: () => AgentError;
  /** What a stop does to it. @default nothing */
  readonly endsOn?: EndsOn;
}

/** Raced: work that ignores its scope is left behind. Nothing stays on the clock or on the scope. */
export function inTime<T>(time: InTime, work: (scope: Scope) => Promise<T>): Promise<T> {
  const scope = new TimedScope(time);
  return raced(scope, work);
}

/** Ends when its time is over; while somebody outside is waited for, that time stands still. */
class TimedScope extends Scope implements Counter {
  readonly #time: InTime;
  waiting = 0;
  working = 0;
  isStill = false;
  #leftMs: number;
  #since = 0;
  #cancel: (() => void) | undefined;
  #isOver = false;

  constructor(time: InTime) {
    super(time.scope, time.endsOn);
    this.#time = time;
    this.#leftMs = time.durationMs;
    this.countedBy(this);
    this.goOn();
  }

  goOn(): void {
    if (this.#isOver) return;
    const { clock, late } = this.#time;
    this.#since = clock.monotonicMs();
    this.#cancel = clock.after(this.#leftMs, () => this.abort(late()));
  }

  standStill(): void {
    this.#cancel?.();
    const passedMs = this.#time.clock.monotonicMs() - this.#since;
    this.#leftMs = Math.max(1, this.#leftMs - passedMs);
  }

  override close(): void {
    this.#isOver = true;
    this.#cancel?.();
    super.close();
  }
}

/** The same for work that says whenever it goes on: only a silence of this length is too long. */
export function whileAlive<T>(
  { clock, durationMs, scope: above, late, endsOn }: InTime,
  work: (scope: Scope, alive: () => void) => Promise<T>,
): Promise<T> {
  const scope = new Scope(above, endsOn);
  let aliveAt: number | undefined;
  // One timer for many signs of life: when it rings, it waits for the rest. A process may have been suspended: no silence is
  // taken to be longer than what was waited for.
  const listen = (forMs: number, silentBeforeMs: number) =>
    clock.after(forMs, () => {
      const silentMs = aliveAt === undefined ? silentBeforeMs + forMs : Math.min(clock.monotonicMs() - aliveAt, forMs);
      aliveAt = undefined;
      if (silentMs >= durationMs) scope.abort(late());
      else cancel = listen(durationMs - silentMs, silentMs);
    });
  let cancel = listen(durationMs, 0);
  const alive = () => {
    aliveAt = clock.monotonicMs();
  };
  return raced(
    scope,
    (own) => work(own, alive),
    () => cancel(),
  );
}

function raced<T>(scope: Scope, work: (scope: Scope) => Promise<T>, cancel?: () => void): Promise<T> {
  const end = () => {
    cancel?.();
    scope.close();
  };
  try {
    return scope.race(work(scope)).finally(end);
  } catch (error) {
    end();
    throw error;
  }
}

export function inWords(durationMs: number): string {
  return durationMs < 1_000 ? `${durationMs} ms` : `${durationMs / 1_000} s`;
}
