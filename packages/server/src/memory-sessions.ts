// Sessions in memory, bounded: when there are too many, or they are too large, the oldest that have ended go.

import type { Fact } from '@ai-agent/core';
import type { SessionHead, SessionStore } from './session-store.ts';

export interface MemorySessionsOptions {
  /** Sessions that are kept after their end. At least 1. @default 1000 */
  readonly maxSessions?: number;
  /** What the facts of all sessions may come to, by estimate. @default 64 MB */
  readonly maxBytes?: number;
}

export const keptSessions = { sessions: 1_000, bytes: 64 * 1024 * 1024 } as const;

interface Kept {
  head: SessionHead;
  readonly facts: Fact[];
  bytes: number;
}

export class MemorySessions implements SessionStore {
  readonly #maxSessions: number;
  readonly #maxBytes: number;
  /** Oldest first. */
  readonly #live = new Map<string, Kept>();
  readonly #ended = new Map<string, Kept>();
  #endedBytes = 0;

  constructor({ maxSessions = keptSessions.sessions, maxBytes = keptSessions.bytes }: MemorySessionsOptions = {}) {
    this.#maxSessions = maxSessions;
    this.#maxBytes = maxBytes;
  }

  put(head: SessionHead): void {
    const { id, endedAt } = head;
    const kept = this.#find(id) ?? { head, facts: [], bytes: 0 };
    kept.head = head;
    if (this.#ended.delete(id)) this.#endedBytes -= kept.bytes;
    this.#live.delete(id);
    if (endedAt === undefined) {
      this.#live.set(id, kept);
      return;
    }
    this.#ended.set(id, kept);
    this.#endedBytes += kept.bytes;
    this.#forgetOldest();
  }

  append(id: string, facts: readonly Fact[]): void {
    const kept = this.#find(id);
    if (!kept) return;
    const bytes = facts.reduce((sum, fact) => sum + sizeOf(fact), 0);
    kept.facts.push(...facts);
    kept.bytes += bytes;
    if (this.#ended.has(id)) this.#endedBytes += bytes;
  }

  get(id: string): SessionHead | undefined {
    return this.#find(id)?.head;
  }

  facts(id: string, after: number): readonly Fact[] {
    return this.#find(id)?.facts.slice(after) ?? [];
  }

  list(owner: string | null, limit: number): readonly SessionHead[] {
    const heads = [...this.#ended.values(), ...this.#live.values()].map(({ head }) => head);
    const own = heads.filter((head) => head.owner === owner);
    return own.sort((one, other) => other.createdAt - one.createdAt).slice(0, limit);
  }

  #find(id: string): Kept | undefined {
    return this.#live.get(id) ?? this.#ended.get(id);
  }

  #forgetOldest(): void {
    for (const [id, { bytes }] of this.#ended) {
      if (this.#ended.size <= this.#maxSessions && this.#endedBytes <= this.#maxBytes) return;
      this.#ended.delete(id);
      this.#endedBytes -= bytes;
    }
  }
}

/** About what it takes in memory: letters, and something for everything that holds them. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return 16 + value.length;
  if (typeof value !== 'object' || value === null) return 8;
  let size = 32;
  for (const part of Object.values(value)) size += sizeOf(part);
  return size;
}
