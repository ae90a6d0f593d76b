// What a store has not taken yet, by name: of each the last write, until the store has that.

import { takesTime } from '@ai-agent/core';
import { andThen, type Soon } from './at-once.ts';
import type { Patience } from './patience.ts';

export interface Write {
  /** Whether it takes the thing away. */
  readonly isGone: boolean;
  /** While the store is at it: it is not given the same once more. */
  doing?: Promise<unknown> | undefined;
}

export class Behind {
  readonly #patience: Pick<Patience, 'within'>;
  /** In the order they were written. */
  readonly #writes = new Map<string, Write>();

  constructor(patience: Pick<Patience, 'within'>) {
    this.#patience = patience;
  }

  get names(): readonly string[] {
    return [...this.#writes.keys()];
  }

  get(name: string): Write | undefined {
    return this.#writes.get(name);
  }

  /** The store has not taken it, and is given it again. */
  lack(name: string): void {
    this.#set(name, { isGone: false });
  }

  /** It shall never be given. */
  drop(name: string): void {
    this.#writes.delete(name);
  }

  /** Throws what the store throws, and `store-unreachable` when it hangs: it may have it all the same, later. */
  write<T>(name: string, isGone: boolean, work: () => Soon<T>): Soon<T> {
    const write: Write = { isGone };
    this.#set(name, write);
    const doing = andThen(work(), (value) => {
      if (this.#writes.get(name) === write) this.#writes.delete(name);
      return value;
    });
    if (!takesTime(doing)) return doing;
    const settled = () => {
      write.doing = undefined;
    };
    doing.then(settled, settled);
    write.doing = doing;
    return this.#patience.within(doing);
  }

  /** What the store is at already is waited for. */
  again(name: string, work: (write: Write) => Soon<void>): Soon<void> {
    const write = this.#writes.get(name);
    if (!write) return;
    return write.doing ? andThen(this.#patience.within<unknown>(write.doing), () => {}) : work(write);
  }

  #set(name: string, write: Write): void {
    this.#writes.delete(name);
    this.#writes.set(name, write);
    const [oldest = name] = this.#writes.keys();
    if (this.#writes.size > mostBehind) this.#writes.delete(oldest);
  }
}

/** Names are all that is kept of them here. */
const mostBehind = 10_000;
