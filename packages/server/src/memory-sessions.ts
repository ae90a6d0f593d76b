// Sessions in memory, bounded: when there are too many, or they are too large, the oldest that have ended go.

import { type Fact, sizeOf } from '@ai-agent/core';
import type { SessionHead, SessionStore } from './session-store.ts';

export interface MemorySessionsOptions {
  /** Sessions that are kept after their end. At least 1. @default 1000 */
  readonly maxSessions?: number;
  /** What the facts of those may come to, by estimate; the one that ended last is kept whatever it comes to. @default 64 MB */
  readonly maxBytes?: number;
}

export const keptSessions = { sessions: 1_000, bytes: 64 * 1024 * 1024 } as const;

interface Kept {
  head: SessionHead;
  readonly facts: Fact[];
  /** Messages that are in `bytes`. */
  readonly counted: WeakSet<object>;
  bytes: number;
  /** Counts sessions as they come: those of one moment have an order too. */
  readonly number: number;
}

export class MemorySessions implements SessionStore {
  readonly #maxSessions: number;
  readonly #maxBytes: number;
  readonly #live = new Map<string, Kept>();
  /** In the order in which they ended. */
  readonly #ended = new Map<string, Kept>();
  #endedBytes = 0;
  #count = 0;

  constructor({ maxSessions = keptSessions.sessions, maxBytes = keptSessions.bytes }: MemorySessionsOptions = {}) {
    this.#maxSessions = maxSessions;
    this.#maxBytes = maxBytes;
  }

  put(head: SessionHead): void {
    const { id, endedAt } = head;
    const known = this.#find(id);
    const kept = known ?? { head, facts: [], counted: new WeakSet(), bytes: 0, number: ++this.#count };
    if (this.#ended.delete(id)) this.#endedBytes -= kept.bytes;
    kept.bytes += (head.draft?.length ?? 0) - (known?.head.draft?.length ?? 0);
    kept.head = head;
    if (endedAt === undefined) {
      this.#live.set(id, kept);
      return;
    }
    this.#live.delete(id);
    this.#ended.set(id, kept);
    this.#endedBytes += kept.bytes;
    this.#forgetOldest();
  }

  append(id: string, facts: readonly Fact[]): void {
    const kept = this.#find(id);
    if (!kept) return;
    let bytes = 0;
    for (const fact of facts) {
      kept.facts.push(fact);
      bytes += bytesOf(fact, kept.counted);
    }
    kept.bytes += bytes;
    if (!this.#ended.has(id)) return;
    this.#endedBytes += bytes;
    this.#forgetOldest();
  }

  get(id: string): SessionHead | undefined {
    return this.#find(id)?.head;
  }

  facts(id: string, after: number, limit = Number.POSITIVE_INFINITY): readonly Fact[] {
    return this.#find(id)?.facts.slice(after, after + limit) ?? [];
  }

  list(owner: string | null, limit: number): readonly SessionHead[] {
    const own = [...this.#ended.values(), ...this.#live.values()].filter(({ head }) => head.owner === owner);
    own.sort((one, other) => other.head.createdAt - one.head.createdAt || other.number - one.number);
    return own.slice(0, limit).map(({ head }) => head);
  }

  #find(id: string): Kept | undefined {
    return this.#live.get(id) ?? this.#ended.get(id);
  }

  /** Whoever has just ended can be read at least until the next one has. */
  #forgetOldest(): void {
    for (const [id, { bytes }] of this.#ended) {
      const fits = this.#ended.size <= this.#maxSessions && this.#endedBytes <= this.#maxBytes;
      if (fits || this.#ended.size === 1) return;
      this.#ended.delete(id);
      this.#endedBytes -= bytes;
    }
  }
}

/** A session that goes on tells again of all that was said before: where those are the same messages, they are kept once. */
function bytesOf(fact: Fact, counted: WeakSet<object>): number {
  if (fact.type !== 'session-start') return sizeOf(fact);
  const messages = fact.messages.filter((message) => !counted.has(message));
  for (const message of messages) counted.add(message);
  return sizeOf({ ...fact, messages });
}
