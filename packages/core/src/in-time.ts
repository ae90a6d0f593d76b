// Work with a limit of time: it ends when it is done, called off, or late.

import { cutOff, type EndsOn, Scope, stopped } from './abort.ts';
import type { Counter } from './counter.ts';
import { wrapUp } from './defaults.ts';
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
  const scope = new TimedScope(time, [{ afterMs: time.durationMs, ring: () => scope.abort(time.late()) }]);
  return raced(scope, work);
}

export interface SessionInTime extends Pick<InTime, 'clock' | 'durationMs' | 'scope'> {
  /** The name of the limit, for the outcome of the session. */
  readonly limit: string;
  /** Called when the session is stopped. */
  readonly onStop: () => void;
}

/**
 * Bounds a sub-agent session: it is stopped while there is time for its last answer, and cut off when the time is over. Not
 * raced: a session ends by itself.
 */
export async function sessionInTime<T>(time: SessionInTime, work: (scope: Scope) => Promise<T>): Promise<T> {
  const { durationMs, limit, onStop } = time;
  const lastWordMs = Math.ceil(Math.min(wrapUp.timeMs, durationMs * wrapUp.share));
  const stop = () => {
    onStop();
    scope.stopBelow(stopped(limit));
  };
  const cut = () => scope.halt(cutOff({ limit }));
  const scope = new TimedScope(time, [
    { afterMs: durationMs - lastWordMs, ring: stop },
    { afterMs: lastWordMs, ring: cut },
  ]);
  try {
    return await work(scope);
  } finally {
    scope.close();
  }
}

/** An action at a point in time, counted from the one before. */
interface Alarm {
  readonly afterMs: number;
  readonly ring: () => void;
}

/** Rings its alarms, one after the other; while a person or a queue is waited for, time stands still. */
class TimedScope extends Scope implements Counter {
  readonly #clock: Clock;
  readonly #alarms: Alarm[];
  waiting = 0;
  working = 0;
  isStill = false;
  #leftMs: number;
  #since = 0;
  #cancel: (() => void) | undefined;
  #isOver = false;

  constructor({ clock, scope, endsOn }: Pick<InTime, 'clock' | 'scope' | 'endsOn'>, alarms: readonly Alarm[]) {
    super(scope, endsOn);
    this.#clock = clock;
    this.#alarms = [...alarms];
    this.#leftMs = alarms[0]?.afterMs ?? 0;
    this.countedBy(this);
    this.goOn();
  }

  goOn(): void {
    if (this.#isOver || this.#alarms.length === 0) return;
    this.#since = this.#clock.monotonicMs();
    this.#cancel = this.#clock.after(this.#leftMs, () => this.#ring());
  }

  standStill(): void {
    this.#cancel?.();
    const passedMs = this.#clock.monotonicMs() - this.#since;
    this.#leftMs = Math.max(1, this.#leftMs - passedMs);
  }

  #ring(): void {
    const alarm = this.#alarms.shift();
    this.#leftMs = this.#alarms[0]?.afterMs ?? 0;
    this.goOn();
    alarm?.ring();
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
  // A single timer serves many signs of life: when it fires, it waits for the rest. A process may have been suspended: no silence is
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
