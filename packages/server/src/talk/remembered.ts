// What is kept for a while under a key: so many and no more, the oldest go first.

export interface RememberedOptions<T> {
  readonly max: number;
  readonly forMs: number;
  readonly now: () => number;
  /** Told what goes because nobody came for it. @default nobody */
  readonly onForget?: (value: T) => void;
}

export class Remembered<T> {
  readonly #options: RememberedOptions<T>;
  /** In the order they were put. */
  readonly #kept = new Map<string, { readonly value: T; readonly until: number }>();

  constructor(options: RememberedOptions<T>) {
    this.#options = options;
  }

  get size(): number {
    return this.#kept.size;
  }

  put(key: string, value: T): void {
    const { max, forMs, now, onForget } = this.#options;
    const at = now();
    this.#kept.delete(key);
    this.#kept.set(key, { value, until: at + forMs });
    for (const [oldest, { value: gone, until }] of this.#kept) {
      if (this.#kept.size <= max && until > at) return;
      this.#kept.delete(oldest);
      onForget?.(gone);
    }
  }

  get(key: string): T | undefined {
    const found = this.#kept.get(key);
    return found && found.until > this.#options.now() ? found.value : undefined;
  }

  delete(key: string): void {
    this.#kept.delete(key);
  }
}
