// Answers of tools and of agents that may be given again, kept for a time.

import { keptResults } from './defaults.ts';
import { utf8Bytes } from './text.ts';

/** For how long a tool's answers may be given again, and to whom. */
export interface ToolCaching {
  /** Tells apart what must not be mixed up: the server, its settings, whose key it is. */
  readonly key: string;
  readonly ttlMs: number;
}

/** For how long an agent's answer to the same question may be given again. */
export interface ResponseCaching {
  readonly ttlMs: number;
  /**
   * Changes with everything that makes its answers, the agents below it included: then an answer is found before a server is
   * started. @default the system prompt as rendered, and the tools as listed
   */
  readonly version?: string;
}

/** Keeps plain text under plain text. What it does not know any more is worked out again. */
export interface ResultCache {
  get(key: string): string | undefined | Promise<string | undefined>;
  put(key: string, value: string, ttlMs: number): void | Promise<void>;
}

export interface MemoryCacheOptions {
  /** @default 1000 */
  readonly maxEntries?: number;
  /** Of keys and values together. @default 32 MB */
  readonly maxBytes?: number;
}

interface Entry {
  readonly value: string;
  readonly bytes: number;
  readonly until: number;
}

/** In memory, bounded: when it is full, what was not asked for the longest goes. */
export class MemoryCache implements ResultCache {
  readonly #clock: { monotonicMs(): number };
  readonly #maxEntries: number;
  readonly #maxBytes: number;
  /** Least recently used first. Made when first needed: most trees keep nothing. */
  #entries: Map<string, Entry> | undefined;
  #bytes = 0;

  constructor(clock: { monotonicMs(): number }, options: MemoryCacheOptions = {}) {
    this.#clock = clock;
    this.#maxEntries = options.maxEntries ?? keptResults.entries;
    this.#maxBytes = options.maxBytes ?? keptResults.bytes;
  }

  get(key: string): string | undefined {
    const entry = this.#entries?.get(key);
    if (!entry) return undefined;
    this.#drop(key);
    if (entry.until <= this.#clock.monotonicMs()) return undefined;
    this.#add(key, entry);
    return entry.value;
  }

  put(key: string, value: string, ttlMs: number): void {
    this.#drop(key);
    const bytes = utf8Bytes(key) + utf8Bytes(value);
    // What would push out everything else is not worth it.
    if (bytes > this.#maxBytes) return;
    this.#add(key, { value, bytes, until: this.#clock.monotonicMs() + ttlMs });
    for (const oldest of this.#entries?.keys() ?? []) {
      if (this.#bytes <= this.#maxBytes && (this.#entries?.size ?? 0) <= this.#maxEntries) return;
      this.#drop(oldest);
    }
  }

  #add(key: string, entry: Entry): void {
    this.#entries ??= new Map();
    this.#entries.set(key, entry);
    this.#bytes += entry.bytes;
  }

  #drop(key: string): void {
    this.#bytes -= this.#entries?.get(key)?.bytes ?? 0;
    this.#entries?.delete(key);
  }
}
