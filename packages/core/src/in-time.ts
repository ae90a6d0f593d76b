// Work with a limit of time: it ends when it is done, called off, or late.

import { type EndsOn, Scope } from './abort.ts';
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
export function inTime<T>(
  { clock, durationMs, scope: above, late, endsOn }: InTime,
  work: (scope: Scope) => Promise<T>,
): Promise<T> {
  const scope = new Scope(above, endsOn);
  const cancel = clock.after(durationMs, () => scope.abort(late()));
  return raced(scope, work, cancel);
}

/** The same for work that says whenever it goes on: only a silence of this length is too long. */
export function whileAlive<T>(
  { clock, durationMs, scope: above, late, endsOn }: InTime,
  work: (scope: Scope, alive: () => void) => Promise<T>,
): Promise<T> {
  const scope = new Scope(above, endsOn);
  let aliveAt: number | undefined;
  // One timer for many signs of life: when it rings, it waits for the rest. A clock may be set in the meantime: no silence
  // is taken to be longer than what was waited for.
  const listen = (forMs: number, silentBeforeMs: number) =>
    clock.after(forMs, () => {
      const silentMs =
        aliveAt === undefined ? silentBeforeMs + forMs : Math.min(Math.max(0, clock.now() - aliveAt), forMs);
      aliveAt = undefined;
      if (silentMs >= durationMs) scope.abort(late());
      else cancel = listen(durationMs - silentMs, silentMs);
    });
  let cancel = listen(durationMs, 0);
  const alive = () => {
    aliveAt = clock.now();
  };
  return raced(
    scope,
    (own) => work(own, alive),
    () => cancel(),
  );
}

function raced<T>(scope: Scope, work: (scope: Scope) => Promise<T>, cancel: () => void): Promise<T> {
  const end = () => {
    cancel();
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
