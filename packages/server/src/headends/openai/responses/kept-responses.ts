// Responses that are kept for whoever asked for them, so that the next request can go on from one. For a day.

import { Noted, type NotedIn } from '../../../talk/noted.ts';
import { Remembered } from '../../../talk/remembered.ts';
import type { Conversed } from './conversation.ts';
import type { Item } from './read-items.ts';
import type { ResponseObject } from './response-object.ts';

/** Plain data. */
export interface KeptResponse {
  readonly whose: string;
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

/** Those that are kept here alone. */
export const responseBounds = { responses: 1_000, bytes: 64 * 1024 * 1024, forMs: 24 * 60 * 60_000 } as const;

/** Ids that clients made themselves say nothing of the response that they are in: so many are remembered, and here alone. */
const mostNames = 10_000;

/** One request names items of so many responses. */
const mostResponses = 1_000;

export class KeptResponses {
  readonly #kept: Noted<KeptResponse>;
  /** Of every item of somebody the newest response that has it: ids that clients make may be those of others too. */
  readonly #names: Remembered<{ readonly responseId: string }>;

  constructor(hall: NotedIn, options: KeptOptions = {}) {
    const { responses, bytes, forMs } = responseBounds;
    const { maxResponses: max = responses, maxBytes = bytes, maxAgeMs = forMs } = options;
    this.#kept = new Noted(hall, { kind: 'response', max, maxBytes, forMs: maxAgeMs });
    this.#names = new Remembered({ max: mostNames, forMs: maxAgeMs, now: () => hall.clock.monotonicMs() });
  }

  /** Settles when it is kept. */
  async keep(kept: KeptResponse): Promise<void> {
    const { id: responseId } = kept.response;
    for (const { id } of itemsOf(kept))
      if (responseOf(id) !== responseId) this.#names.put(JSON.stringify([kept.whose, id]), { responseId });
    await this.#kept.put(responseId, kept);
  }

  /** Of others there are none. */
  async find(id: string, whose: string): Promise<KeptResponse | undefined> {
    const kept = await this.#kept.get(id);
    return kept?.whose === whose ? kept : undefined;
  }

  /** Those of these ids that are there. */
  async items(ids: readonly string[], whose: string): Promise<ReadonlyMap<string, Item>> {
    const found = new Map<string, Item>();
    const responses = new Map<string, KeptResponse | undefined>();
    for (const id of ids) {
      const { responseId = responseOf(id) } = this.#names.get(JSON.stringify([whose, id])) ?? {};
      if (responseId === undefined) continue;
      if (!responses.has(responseId) && responses.size < mostResponses)
        responses.set(responseId, await this.find(responseId, whose));
      const kept = responses.get(responseId);
      const item = kept && itemsOf(kept).findLast((one) => one.id === id);
      if (item) found.set(id, item);
    }
    return found;
  }

  async forget(id: string): Promise<void> {
    await this.#kept.delete(id);
  }
}

/** An item that got its id here is named after its response. */
function responseOf(itemId: unknown): string | undefined {
  const [, reply] = /^[a-z]+_([A-Za-z\d]+)_\d+$/.exec(String(itemId)) ?? [];
  return reply === undefined ? undefined : `resp_${reply}`;
}

function itemsOf({ input, response }: KeptResponse): readonly Item[] {
  return [...input, ...response.output];
}
