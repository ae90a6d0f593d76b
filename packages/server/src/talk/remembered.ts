// What is kept for a while under a key: so many and no more, the oldest go first.

import { sizeOf } from '@ai-agent/core';

export interface RememberedOptions<T extends object> {
  readonly max: number;
  /** All together, about; the newest is kept however large it is. @default no bound */
  readonly maxBytes?: number;
  readonly forMs: number;
  /** A monotonic reading in milliseconds. */
  readonly now: () => number;
  /** Told what goes because nobody came for it. @default nobody */
  readonly onForget?: (value: T) => void;
}

export class Remembered<T extends object> {
  readonly #options: RememberedOptions<T>;
  /** In the order they were put. */
  readonly #kept = new Map<string, Kept<T>>();
  #bytes = 0;

  constructor(options: RememberedOptions<T>) {
    this.#options = options;
  }

  get size(): number {
    return this.#kept.size;
  }

  put(key: string, value: T): void {
    const { max, maxBytes, forMs, now, onForget } = this.#options;
    const at = now();
    const bytes = maxBytes === undefined ? 0 : sizeOf(value);
    this.delete(key);
    this.#kept.set(key, { value, bytes, until: at + forMs });
    this.#bytes += bytes;
    for (const [oldest, { value: gone, until }] of this.#kept) {
      const fits = maxBytes === undefined || this.#bytes <= maxBytes || this.#kept.size === 1;
      if (this.#kept.size <= max && until > at && fits) return;
      this.delete(oldest);
      onForget?.(gone);
    }
  }

  get(key: string): T | undefined {
    const found = this.#kept.get(key);
    return found && found.until > this.#options.now() ? found.value : undefined;
  }

  delete(key: string): void {
    this.#bytes -= this.#kept.get(key)?.bytes ?? 0;
    this.#kept.delete(key);
  }
}

interface Kept<T extends object> {
  readonly value: T;
  readonly bytes: number;
  readonly until: number;
}
