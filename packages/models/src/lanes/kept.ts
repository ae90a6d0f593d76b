// Things by their key, found again as long as they are in use or anybody has them.

/** From here on, those that are idle are let go. */
const most = 1_000;

export class Kept<T extends { readonly isIdle: boolean }> {
  readonly #byKey = new Map<string, T | WeakRef<T>>();
  #tidyAt = most;

  get size(): number {
    return this.#byKey.size;
  }

  of(key: string, make: () => T): T {
    const known = this.#byKey.get(key);
    const one = (known instanceof WeakRef ? known.deref() : known) ?? make();
    if (one === known) return one;
    this.#byKey.set(key, one);
    if (this.#byKey.size > this.#tidyAt) this.#tidy();
    return one;
  }

  get isIdle(): boolean {
    for (const known of this.#byKey.values()) {
      const one = known instanceof WeakRef ? known.deref() : known;
      if (one && !one.isIdle) return false;
    }
    return true;
  }

  /** An idle one is kept only by whoever else has it. */
  #tidy(): void {
    for (const [key, known] of this.#byKey) {
      if (known instanceof WeakRef) {
        if (!known.deref()) this.#byKey.delete(key);
      } else if (known.isIdle) this.#byKey.set(key, new WeakRef(known));
    }
    this.#tidyAt = Math.max(most, this.#byKey.size * 2);
  }
}
