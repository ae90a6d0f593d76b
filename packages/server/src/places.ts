// How many runs a headend has at once: places, a fair row before them, and an end of the row.

import { AgentError, FairQueue } from '@ai-agent/core';

export interface PlacesOptions {
  /** Runs at once. At least 1. @default 10 */
  readonly running?: number;
  /** Runs that wait for a place; more are turned away. From 0. @default 100 */
  readonly waiting?: number;
}

export const defaultPlaces = { running: 10, waiting: 100 } as const;

/** Runs that other runs wait for, of one headend, however deep: they wait for no place, so something else has to bound them. */
const mostInside = 1_000;

interface Owner {
  readonly owner: string;
  /** Runs of this owner at once. @default no bound of its own */
  readonly atOnce?: number | undefined;
}

/** Whose run it is: owners take turns. */
export interface Entrant extends Owner {
  /** The key that several owners come with, and the bound of them all. @default the owner is a key */
  readonly with?: Owner | undefined;
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
  readonly #byKey = new Map<string, number>();
  readonly #waitingBy = new Map<string, number>();
  readonly #now: () => number;
  /** Of this one and all inside it. */
  readonly #inside: { count: number };
  readonly #isInside: boolean;
  #running = 0;
  #onIdle: (() => void) | undefined;
  /** How long a run takes, of late. */
  #usualMs = 1_000;

  constructor(options: PlacesOptions = {}, now: () => number = () => performance.now(), inside?: { count: number }) {
    this.#options = { ...defaultPlaces, ...options };
    this.#now = now;
    this.#inside = inside ?? { count: 0 };
    this.#isInside = inside !== undefined;
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#queue.size;
  }

  /**
   * A place now, or a wait for one, which rejects with the signal's reason. Throws `server-full` when too many wait, and
   * `too-many-requests` when they wait for the owner's own bound.
   */
  enter(entrant: Entrant): Ticket | Promise<Ticket> {
    entrant.signal?.throwIfAborted();
    if (this.#isInside && this.#inside.count >= mostInside) throw this.#full(entrant);
    if (this.#hasRoom(entrant)) return this.#take(entrant);
    if (!this.#mayWait(entrant.owner)) throw this.#full(entrant);
    return this.#wait(entrant);
  }

  /** Turns away everybody who waits. */
  clear(error: unknown): void {
    for (const waiting of this.#queue.takeAll(() => true)) waiting.fail(error);
  }

  #hasRoom(entrant: Entrant): boolean {
    return this.#running < this.#options.running && !this.#isAtBound(entrant);
  }

  #isAtBound(entrant: Entrant): boolean {
    return isAt(this.#byOwner, entrant) || (entrant.with !== undefined && isAt(this.#byKey, entrant.with));
  }

  /** Whoever has filled the row has not filled it for others: those with few in it may still stand behind, up to as many again. */
  #mayWait(owner: string): boolean {
    const { waiting } = this.#options;
    if (this.#queue.size < waiting) return true;
    const own = this.#waitingBy.get(owner) ?? 0;
    return own < Math.ceil(waiting / 10) && this.#queue.size < 2 * waiting;
  }

  #take(entrant: Entrant): Ticket {
    this.#running++;
    this.#countInside(1);
    this.#count(entrant, 1);
    const enteredAt = this.#now();
    let inside: Places | undefined;
    let isLeft = false;
    const make = () => new Places(this.#options, this.#now, this.#inside);
    return {
      get inside() {
        inside ??= make();
        return inside;
      },
      leave: () => {
        if (isLeft) return;
        isLeft = true;
        this.#usualMs += (this.#now() - enteredAt - this.#usualMs) / 8;
        if (inside && inside.running > 0) inside.#onIdle = () => this.#leave(entrant);
        else this.#leave(entrant);
      },
    };
  }

  #leave(entrant: Entrant): void {
    this.#running--;
    this.#countInside(-1);
    this.#count(entrant, -1);
    this.#callIn();
    if (this.#running === 0) this.#onIdle?.();
  }

  #count(entrant: Entrant, change: number): void {
    add(this.#byOwner, entrant.owner, change);
    if (entrant.with) add(this.#byKey, entrant.with.owner, change);
  }

  #countInside(change: number): void {
    if (this.#isInside) this.#inside.count += change;
  }

  /** Whoever may not have another place yet is passed over, and keeps its turn. */
  #callIn(): void {
    while (this.#running < this.#options.running) {
      const next = this.#queue.take((waiting) => (this.#hasRoom(waiting) ? 'take' : 'skip'));
      if (!next) return;
      next.enter(this.#take(next));
    }
  }

  #wait(entrant: Entrant): Promise<Ticket> {
    const { owner, signal } = entrant;
    add(this.#waitingBy, owner, 1);
    this.#countInside(1);
    return new Promise((resolve, reject) => {
      const leave = () => {
        add(this.#waitingBy, owner, -1);
        this.#countInside(-1);
        signal?.removeEventListener('abort', onAbort);
      };
      const onAbort = () => {
        this.#queue.remove(owner, waiting);
        leave();
        reject(signal?.reason);
      };
      const waiting: Waiting = {
        ...entrant,
        enter(ticket) {
          leave();
          resolve(ticket);
        },
        fail(error) {
          leave();
          reject(error);
        },
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#queue.add(owner, waiting);
    });
  }

  #full(entrant: Entrant): AgentError {
    const { running } = this.#options;
    const waiting = this.#queue.size;
    const isOwn = this.#running < running && this.#isAtBound(entrant);
    const bound = isAt(this.#byOwner, entrant) ? entrant : (entrant.with ?? entrant);
    const atOnce = isOwn ? (bound.atOnce ?? running) : running;
    const retryAfterMs = Math.min(60_000, Math.max(1_000, (this.#usualMs * (waiting + 1)) / atOnce));
    if (isOwn) {
      const who = entrant.with && bound === entrant ? 'You' : 'This key';
      const message = `${who} may have ${countOf(atOnce, 'run')} at once, and that many are under way; ${waitingText(waiting)}.`;
      return new AgentError('too-many-requests', message, { retryAfterMs });
    }
    const taken = running === 1 ? 'The one place is taken' : `All ${running} places are taken`;
    const message = `${taken}, and ${waitingText(waiting)}.`;
    return new AgentError('server-full', message, { retryAfterMs });
  }
}

function isAt(counts: ReadonlyMap<string, number>, { owner, atOnce = Number.POSITIVE_INFINITY }: Owner): boolean {
  return (counts.get(owner) ?? 0) >= atOnce;
}

function countOf(count: number, word: string): string {
  return count === 1 ? `1 ${word}` : `${count} ${word}s`;
}

function waitingText(waiting: number): string {
  if (waiting === 0) return 'none may wait';
  return `${countOf(waiting, 'request')} ${waiting === 1 ? 'waits' : 'wait'} already`;
}

function add(counts: Map<string, number>, owner: string, change: number): void {
  const count = (counts.get(owner) ?? 0) + change;
  if (count > 0) counts.set(owner, count);
  else counts.delete(owner);
}
