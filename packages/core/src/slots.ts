// How much a process does at once: a bounded number of places, and a fair queue of trees before them.

import type { Scope } from './abort.ts';
import { checkKeys, isWholeFrom, wrongField } from './complaint.ts';
import { FairQueue } from './fair-queue.ts';
import { isObject } from './json.ts';

/** Shared by every session that is given it. Only calls that work by themselves take a place: a waiting parent holds none. */
export interface Slots {
  readonly models?: Gate;
  readonly tools?: Gate;
}

export interface SlotsOptions {
  /** Model calls at once. At least 1. @default unbounded */
  readonly models?: number;
  /** Tool calls at once, sub-agents not counted. At least 1. @default unbounded */
  readonly tools?: number;
}

const owner = {
  name: 'createSlots',
  remedy: 'Correct the numbers of createSlots; leave out what is not to be bounded.',
};

/** Throws `agent-invalid`. */
export function createSlots(options: SlotsOptions): Slots {
  if (!isObject(options)) throw wrongField(owner, 'slots', options, 'an object with models or tools');
  checkKeys(owner, options, ['models', 'tools'], 'slots.');
  const { models, tools } = options as SlotsOptions;
  for (const [key, size] of Object.entries({ models, tools }))
    if (size !== undefined && !isWholeFrom(1, size))
      throw wrongField(owner, `slots.${key}`, size, 'a whole number from 1');
  return {
    ...(models === undefined ? {} : { models: new Gate(models) }),
    ...(tools === undefined ? {} : { tools: new Gate(tools) }),
  };
}

export class Gate {
  readonly #size: number;
  #holders = 0;
  /** By tree: a large one does not starve a small one. */
  readonly #queue = new FairQueue<() => void>();

  constructor(size: number) {
    this.#size = size;
  }

  get holders(): number {
    return this.#holders;
  }

  /** Whether the next one has to wait. */
  get isFull(): boolean {
    return this.#holders >= this.#size;
  }

  get waiting(): number {
    return this.#queue.size;
  }

  /** Runs the work in a place of its own, after waiting for one; a cancelled wait leaves the queue. */
  async run<T>(owner: string, scope: Scope, work: () => Promise<T>): Promise<T> {
    const entering = this.enter(owner, scope);
    if (entering) await entering;
    try {
      scope.throwIfAborted();
      return await work();
    } finally {
      this.leave();
    }
  }

  /** A place, now or after waiting for one: it is left once. A wait that rejects has none. */
  enter(owner: string, scope: Scope): Promise<void> | undefined {
    if (this.isFull) return scope.waits(this.#wait(owner, scope));
    this.#holders++;
    return undefined;
  }

  async #wait(owner: string, scope: Scope): Promise<void> {
    let isIn = false;
    let enter = () => {};
    const entered = new Promise<void>((resolve) => {
      enter = () => {
        isIn = true;
        resolve();
      };
    });
    this.#queue.add(owner, enter);
    try {
      await scope.race(entered);
    } catch (error) {
      // Called in at the very moment of its cancellation: the place goes to the next.
      if (isIn) this.leave();
      else this.#queue.remove(owner, enter);
      throw error;
    }
  }

  leave(): void {
    const next = this.#queue.take();
    if (next) next();
    else this.#holders--;
  }
}
