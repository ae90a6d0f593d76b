// Who waits, by owner. Owners take turns, so that one with many does not starve one with few.

export class FairQueue<T> {
  readonly #waiting = new Map<string, T[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(owner: string, item: T): void {
    const own = this.#waiting.get(owner);
    if (own) own.push(item);
    else this.#waiting.set(owner, [item]);
    this.#size++;
  }

  /** Whose turn it is; stays in the queue. */
  peek(): T | undefined {
    const [first] = this.#waiting.values();
    return first?.[0];
  }

  /** Takes whose turn it is out; its owner goes to the end of the row. */
  take(): T | undefined {
    const [first] = this.#waiting;
    if (!first) return undefined;
    const [owner, own] = first;
    const item = own.shift();
    this.#waiting.delete(owner);
    if (own.length > 0) this.#waiting.set(owner, own);
    this.#size--;
    return item;
  }

  remove(owner: string, item: T): void {
    const own = this.#waiting.get(owner);
    const at = own?.indexOf(item) ?? -1;
    if (!own || at < 0) return;
    own.splice(at, 1);
    this.#size--;
    if (own.length === 0) this.#waiting.delete(owner);
  }
}
