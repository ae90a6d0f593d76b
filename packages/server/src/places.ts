// How many runs a headend has at once: places, a fair row before them, and an end of the row.

import { AgentError, FairQueue } from '@ai-agent/core';

export interface PlacesOptions {
  /** Runs at once. At least 1. @default 10 */
  readonly running?: number;
  /** Runs that wait for a place; more are turned away. From 0. @default 100 */
  readonly waiting?: number;
}

export const defaultPlaces = { running: 10, waiting: 100 } as const;

export interface Entrant {
  /** Whose run it is: owners take turns. */
  readonly owner: string;
  /** Runs of this owner at once. @default no bound of its own */
  readonly atOnce?: number | undefined;
  /** Leaves the row when it aborts. */
  readonly signal?: AbortSignal | undefined;
}

/** A place that a run has. */
export interface Ticket {
  /** For runs that this one waits for: they never wait for the place that it holds. */
  readonly inside: Places;
  /** The place is free when those inside have ended too: whoever started some that nobody waits for has used it for them. */
  leave(): void;
}

interface Waiting extends Entrant {
  enter(ticket: Ticket): void;
  fail(error: unknown): void;
}

export class Places {
  readonly #options: Required<PlacesOptions>;
  readonly #queue = new FairQueue<Waiting>();
  readonly #byOwner = new Map<string, number>();
  readonly #now: () => number;
  #running = 0;
  #onIdle: (() => void) | undefined;
  /** How long a run takes, of late. */
  #usualMs = 1_000;

  constructor(options: PlacesOptions = {}, now: () => number = Date.now) {
    this.#options = { ...defaultPlaces, ...options };
    this.#now = now;
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#queue.size;
  }

  /** A place now, or a wait for one. Throws `server-full` when too many wait. The wait rejects with the signal's reason. */
  enter(entrant: Entrant): Ticket | Promise<Ticket> {
    entrant.signal?.throwIfAborted();
    if (this.#hasRoom(entrant)) return this.#take(entrant.owner);
    if (this.#queue.size >= this.#options.waiting) throw this.#full();
    return this.#wait(entrant);
  }

  /** Turns away everybody who waits. */
  clear(error: unknown): void {
    for (const waiting of this.#queue.takeAll(() => true)) waiting.fail(error);
  }

  #hasRoom({ owner, atOnce = Number.POSITIVE_INFINITY }: Entrant): boolean {
    return this.#running < this.#options.running && (this.#byOwner.get(owner) ?? 0) < atOnce;
  }

  #take(owner: string): Ticket {
    this.#running++;
    this.#byOwner.set(owner, (this.#byOwner.get(owner) ?? 0) + 1);
    const enteredAt = this.#now();
    let inside: Places | undefined;
    let isLeft = false;
    const make = () => new Places(this.#options, this.#now);
    return {
      get inside() {
        inside ??= make();
        return inside;
      },
      leave: () => {
        if (isLeft) return;
        isLeft = true;
        this.#usualMs += (this.#now() - enteredAt - this.#usualMs) / 8;
        if (inside && inside.running > 0) inside.#onIdle = () => this.#leave(owner);
        else this.#leave(owner);
      },
    };
  }

  #leave(owner: string): void {
    this.#running--;
    const left = (this.#byOwner.get(owner) ?? 1) - 1;
    if (left > 0) this.#byOwner.set(owner, left);
    else this.#byOwner.delete(owner);
    this.#callIn();
    if (this.#running === 0) this.#onIdle?.();
  }

  /** Whoever may not have another place yet is passed over, and keeps its turn. */
  #callIn(): void {
    while (this.#running < this.#options.running) {
      const next = this.#queue.take((waiting) => (this.#hasRoom(waiting) ? 'take' : 'skip'));
      if (!next) return;
      next.enter(this.#take(next.owner));
    }
  }

  #wait(entrant: Entrant): Promise<Ticket> {
    const { owner, signal } = entrant;
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        this.#queue.remove(owner, waiting);
        reject(signal?.reason);
      };
      const waiting: Waiting = {
        ...entrant,
        enter(ticket) {
          signal?.removeEventListener('abort', onAbort);
          resolve(ticket);
        },
        fail(error) {
          signal?.removeEventListener('abort', onAbort);
          reject(error);
        },
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#queue.add(owner, waiting);
    });
  }

  #full(): AgentError {
    const { running, waiting } = this.#options;
    const message = `All ${running} places are taken, and ${this.#queue.size} requests wait; no more than ${waiting} may.`;
    const rounds = (this.#queue.size + 1) / running;
    const retryAfterMs = Math.min(60_000, Math.max(1_000, this.#usualMs * rounds));
    return new AgentError('server-full', message, { retryAfterMs });
  }
}
