// Sessions in memory, bounded: when there are too many, or they are too large, the oldest that have ended go.

import {
  AgentError,
  type Fact,
  isUnderWay,
  limitOf,
  type SessionHead,
  type SessionQuery,
  type SessionStore,
  sizeOf,
} from '@ai-agent/core';

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

  claim(head: SessionHead): boolean {
    const known = this.#find(head.id)?.head;
    if (!known || isUnderWay(known) || known.resumptions !== head.resumptions - 1) return false;
    this.put(head);
    return true;
  }

  append(id: string, facts: readonly Fact[]): void {
    const kept = this.#find(id);
    if (!kept)
      throw new AgentError('store-failed', `There is no session ${id}, or not any more: nothing was kept of it.`);
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

  list(query: SessionQuery): readonly SessionHead[] {
    const all = [...this.#ended.values(), ...this.#live.values()];
    const last = query.before === undefined ? undefined : this.#find(query.before);
    if (query.before !== undefined && !last) return [];
    const found = all.filter((one) => isMeant(one.head, query) && (!last || newestFirst(last, one) < 0));
    return found
      .sort(newestFirst)
      .slice(0, limitOf(query))
      .map(({ head }) => head);
  }

  delete(id: string): boolean {
    const kept = this.#ended.get(id);
    if (!kept) return false;
    this.#ended.delete(id);
    this.#endedBytes -= kept.bytes;
    return true;
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

function newestFirst(one: Kept, other: Kept): number {
  return other.head.createdAt - one.head.createdAt || other.number - one.number;
}

function isMeant(head: SessionHead, query: SessionQuery): boolean {
  const { owner, user, agent, headend, statuses, since, until, prefix = '' } = query;
  const { createdAt, status } = head;
  return (
    (owner === undefined || head.owner === owner) &&
    (user === undefined || (head.user ?? null) === user) &&
    (agent === undefined || head.agent === agent) &&
    (headend === undefined || head.headend === headend) &&
    (statuses === undefined || statuses.includes(status)) &&
    head.id.startsWith(prefix) &&
    createdAt >= (since ?? 0) &&
    createdAt < (until ?? Number.POSITIVE_INFINITY)
  );
}

/** A session that goes on tells again of all that was said before: where those are the same messages, they are kept once. */
function bytesOf(fact: Fact, counted: WeakSet<object>): number {
  if (fact.type !== 'session-start') return sizeOf(fact);
  const messages = fact.messages.filter((message) => !counted.has(message));
  for (const message of messages) counted.add(message);
  return sizeOf({ ...fact, messages });
}
