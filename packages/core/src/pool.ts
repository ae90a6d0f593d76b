// Things that are costly to open, kept for whoever comes next.

export interface Poolable {
  /** Whether another may have it. */
  readonly isUsable: boolean;
  close(): Promise<void>;
}

/** Keeps a few that are idle; who finds none gets a new one instead of waiting. */
export class Pool<T extends Poolable> {
  readonly #idle: T[] = [];
  readonly #size: number;

  constructor(size: number) {
    this.#size = size;
  }

  acquire(make: () => T): T {
    return this.#idle.pop() ?? make();
  }

  async release(prepared: T, { isClean }: { readonly isClean: boolean }): Promise<void> {
    if (isClean && prepared.isUsable && this.#idle.length < this.#size) this.#idle.push(prepared);
    else await prepared.close();
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#idle.splice(0).map((prepared) => prepared.close()));
  }
}
