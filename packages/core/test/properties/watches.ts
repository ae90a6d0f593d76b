// What counts whatever might be left behind: timers, listeners on signals, work of a runtime.

import type { Clock, RuntimeFactory, Scope, Workplace } from '@ai-agent/core';
import type { FakeClock } from '@ai-agent/core/testing';

/** The clock that a tree is given: the timers it set and has not called off are known apart from everybody else's. */
export class WatchedClock implements Clock {
  readonly #clock: FakeClock;
  readonly #open = new Set<object>();

  constructor(clock: FakeClock) {
    this.#clock = clock;
  }

  get timers(): number {
    return this.#open.size;
  }

  now(): number {
    return this.#clock.now();
  }

  monotonicMs(): number {
    return this.#clock.monotonicMs();
  }

  after(durationMs: number, wake: () => void): () => void {
    const timer = {};
    this.#open.add(timer);
    const cancel = this.#clock.after(durationMs, () => {
      this.#open.delete(timer);
      wake();
    });
    return () => {
      this.#open.delete(timer);
      cancel();
    };
  }
}

/** Counts the listeners on every signal of the process, from now until it is ended. */
export class WatchedSignals {
  readonly #listeners = new Map<AbortSignal, Set<unknown>>();

  constructor() {
    const listeners = this.#listeners;
    const { addEventListener, removeEventListener } = EventTarget.prototype;
    AbortSignal.prototype.addEventListener = function (
      this: AbortSignal,
      ...args: Parameters<typeof addEventListener>
    ) {
      const own = listeners.get(this) ?? new Set();
      listeners.set(this, own.add(args[1]));
      addEventListener.apply(this, args);
    };
    AbortSignal.prototype.removeEventListener = function (
      this: AbortSignal,
      ...args: Parameters<typeof removeEventListener>
    ) {
      listeners.get(this)?.delete(args[1]);
      removeEventListener.apply(this, args);
    };
  }

  /** Listeners that still wait for an abort; those that were called are gone by themselves. */
  get left(): number {
    return [...this.#listeners].reduce((sum, [signal, own]) => sum + (signal.aborted ? 0 : own.size), 0);
  }

  end(): void {
    Reflect.deleteProperty(AbortSignal.prototype, 'addEventListener');
    Reflect.deleteProperty(AbortSignal.prototype, 'removeEventListener');
  }
}

/** What a tree's sessions did at once, and their scopes. */
export class WatchedWork {
  readonly scopes = new Map<string, Scope>();
  readonly mostAtOnce = new Map<string, number>();
  performed = 0;

  readonly under =
    (inner: RuntimeFactory): RuntimeFactory =>
    (workplace) => {
      this.scopes.set(workplace.sessionId, workplace.scope);
      return inner(this.#watch(workplace));
    };

  #watch(workplace: Workplace): Workplace {
    const { sessionId } = workplace;
    const working = new Set<Scope>();
    const counted = async <T>(scope: Scope, work: () => Promise<T>): Promise<T> => {
      // What was called off is left behind, and in nobody's way.
      for (const other of working) if (other.isAborted) working.delete(other);
      if (!scope.isAborted) working.add(scope);
      this.mostAtOnce.set(sessionId, Math.max(working.size, this.mostAtOnce.get(sessionId) ?? 0));
      try {
        return await work();
      } finally {
        working.delete(scope);
      }
    };
    return {
      sessionId,
      scope: workplace.scope,
      clock: workplace.clock,
      perform: (task, scope, began) => {
        this.performed++;
        return counted(scope, () => workplace.perform(task, scope, began));
      },
      startSession: (operation, scope, began, elsewhere) =>
        counted(scope, () => workplace.startSession(operation, scope, began, elsewhere)),
      receive: (operation, scope) => workplace.receive(operation, scope),
      began: (operation, at) => workplace.began(operation, at),
      ended: (operation, settled) => workplace.ended(operation, settled),
      tell: (fact) => workplace.tell(fact),
    };
  }
}
