// Responses that are kept for whoever asked for them, so that the next request can go on from one. Bounded, and for a day.

import { type Clock, sizeOf } from '@ai-agent/core';
import type { Conversed } from './conversation.ts';
import type { Item } from './read-items.ts';
import type { ResponseObject } from './response-object.ts';

export interface KeptResponse {
  /** The key of whoever asked. */
  readonly owner: string | null;
  readonly response: ResponseObject;
  /** Of its request. */
  readonly input: readonly Item[];
  /** Up to its end. Missing where it failed: nobody can go on from there. */
  readonly conversed?: Conversed | undefined;
}

export interface KeptOptions {
  /** @default 1000 */
  readonly maxResponses?: number;
  /** All together, about. @default 64 MiB */
  readonly maxBytes?: number;
  /** @default a day */
  readonly maxAgeMs?: number;
}

export const responseBounds = { responses: 1_000, bytes: 64 * 1024 * 1024, forMs: 24 * 60 * 60_000 } as const;

interface Entry extends KeptResponse {
  readonly bytes: number;
  readonly until: number;
}

export class KeptResponses {
  readonly #clock: Clock;
  readonly #options: Required<KeptOptions>;
  /** By their ids, the oldest first. */
  readonly #entries = new Map<string, Entry>();
  /** Of every item of an owner the newest response that has it: ids may be made by clients, and be those of others too. */
  readonly #items = new Map<string, { readonly item: Item; readonly responseId: string }>();
  #bytes = 0;

  constructor(clock: Clock, options: KeptOptions = {}) {
    const { responses, bytes, forMs } = responseBounds;
    const { maxResponses = responses, maxBytes = bytes, maxAgeMs = forMs } = options;
    this.#clock = clock;
    this.#options = { maxResponses, maxBytes, maxAgeMs };
  }

  keep(kept: KeptResponse): void {
    const bytes = sizeOf(kept);
    const { id } = kept.response;
    this.#entries.set(id, { ...kept, bytes, until: this.#clock.now() + this.#options.maxAgeMs });
    this.#bytes += bytes;
    for (const item of itemsOf(kept)) this.#items.set(keyOf(kept, item.id), { item, responseId: id });
    this.#forgetOldest();
  }

  /** Of others there are none. */
  find(id: string, owner: string | null): KeptResponse | undefined {
    this.#forgetOldest();
    const entry = this.#entries.get(id);
    return entry?.owner === owner ? entry : undefined;
  }

  item(id: string, owner: string | null): Item | undefined {
    const { item, responseId = '' } = this.#items.get(keyOf({ owner }, id)) ?? {};
    return this.find(responseId, owner) && item;
  }

  forget(id: string): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    this.#entries.delete(id);
    this.#bytes -= entry.bytes;
    for (const item of itemsOf(entry)) {
      const key = keyOf(entry, item.id);
      if (this.#items.get(key)?.responseId === id) this.#items.delete(key);
    }
  }

  /** The newest stays until the next one comes, however large it is. */
  #forgetOldest(): void {
    const { maxResponses, maxBytes } = this.#options;
    const now = this.#clock.now();
    for (const [id, { until }] of this.#entries) {
      const fits = this.#entries.size <= maxResponses && this.#bytes <= maxBytes;
      if (until > now && (fits || this.#entries.size === 1)) return;
      this.forget(id);
    }
  }
}

function keyOf({ owner }: Pick<KeptResponse, 'owner'>, itemId: unknown): string {
  return JSON.stringify([owner, itemId]);
}

function itemsOf({ input, response }: KeptResponse): readonly Item[] {
  return [...input, ...response.output];
}
