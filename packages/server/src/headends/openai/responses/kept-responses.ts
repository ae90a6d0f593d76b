// Responses that are kept for whoever asked for them, so that the next request can go on from one. Bounded, and for a day.

import type { Clock } from '@ai-agent/core';
import { Remembered } from '../../../talk/remembered.ts';
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

export class KeptResponses {
  readonly #kept: Remembered<KeptResponse>;
  /** Of every item of an owner the newest response that has it: ids may be made by clients, and be those of others too. */
  readonly #items = new Map<string, { readonly item: Item; readonly responseId: string }>();

  constructor(clock: Clock, options: KeptOptions = {}) {
    const { responses, bytes, forMs } = responseBounds;
    const { maxResponses: max = responses, maxBytes = bytes, maxAgeMs = forMs } = options;
    const onForget = (kept: KeptResponse) => this.#forgetItems(kept);
    this.#kept = new Remembered({ max, maxBytes, forMs: maxAgeMs, now: () => clock.now(), onForget });
  }

  keep(kept: KeptResponse): void {
    const { id } = kept.response;
    for (const item of itemsOf(kept)) this.#items.set(keyOf(kept, item.id), { item, responseId: id });
    this.#kept.put(id, kept);
  }

  /** Of others there are none. */
  find(id: string, owner: string | null): KeptResponse | undefined {
    const kept = this.#kept.get(id);
    return kept?.owner === owner ? kept : undefined;
  }

  item(id: string, owner: string | null): Item | undefined {
    const { item, responseId = '' } = this.#items.get(keyOf({ owner }, id)) ?? {};
    return this.find(responseId, owner) && item;
  }

  forget(id: string): void {
    const kept = this.#kept.get(id);
    this.#kept.delete(id);
    if (kept) this.#forgetItems(kept);
  }

  #forgetItems(kept: KeptResponse): void {
    for (const item of itemsOf(kept)) {
      const key = keyOf(kept, item.id);
      if (this.#items.get(key)?.responseId === kept.response.id) this.#items.delete(key);
    }
  }
}

function keyOf({ owner }: Pick<KeptResponse, 'owner'>, itemId: unknown): string {
  return JSON.stringify([owner, itemId]);
}

function itemsOf({ input, response }: KeptResponse): readonly Item[] {
  return [...input, ...response.output];
}
