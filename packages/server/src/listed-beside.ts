// A list of sessions while the store lacks some of them: those are as they are known here, each in its place.

import type { SessionHead, SessionQuery, SessionStore } from '@ai-agent/core';
import { andThen, attempt, type Soon } from './at-once.ts';
import type { MemorySessions } from './memory-sessions.ts';

export interface ListedPage {
  readonly heads: readonly SessionHead[];
  /** Whether the store had its say: otherwise those that it alone knows are missing. */
  readonly isComplete: boolean;
}

/** What is known here. */
export interface Known {
  readonly store: Pick<SessionStore, 'list' | 'get'>;
  readonly memory: Pick<MemorySessions, 'list' | 'get'>;
  /** Sessions of which the store lacks something. */
  readonly behind: ReadonlySet<string>;
  readonly onBug: (error: unknown) => void;
}

/** Throws what the store throws where nothing is known of it here. */
export function listBeside(known: Known, query: SessionQuery): Soon<ListedPage> {
  const { memory, onBug } = known;
  const listed = () =>
    andThen(
      andThen(lastOf(known, query), (last) => listBehind(known, query, last)),
      (heads) => ({ heads, isComplete: true }),
    );
  return attempt<ListedPage>(listed, (error) => {
    const { before } = query;
    if (before !== undefined && !memory.get(before)) throw error;
    onBug(error);
    return { heads: memory.list(query), isComplete: false };
  });
}

function lastOf({ store, memory, behind }: Known, { before }: SessionQuery): Soon<SessionHead | undefined> {
  if (before === undefined || behind.size === 0) return undefined;
  return behind.has(before)
    ? memory.get(before)
    : attempt(
        () => store.get(before),
        () => memory.get(before),
      );
}

/** Those behind `last`. The store may never have heard of it, nor of those that are behind. Of one moment, what it lacks comes first. */
function listBehind(
  { store, memory, behind }: Known,
  query: SessionQuery,
  last: SessionHead | undefined,
): Soon<readonly SessionHead[]> {
  if (behind.size === 0 || (query.before !== undefined && !last)) return store.list(query);
  const { before: _before, limit = Number.MAX_SAFE_INTEGER, ...all } = query;
  const isLastBehind = last !== undefined && behind.has(last.id);
  const older =
    last && isLastBehind ? { ...all, until: Math.min(all.until ?? last.createdAt + 1, last.createdAt + 1) } : query;
  const most = Math.min(limit + behind.size, Number.MAX_SAFE_INTEGER);
  return andThen(store.list({ ...older, limit: most }), (heads) => {
    const newer = memory.list(isLastBehind ? { ...all, before: last.id } : all).filter(({ id, createdAt }) => {
      return behind.has(id) && (!last || isLastBehind || createdAt < last.createdAt);
    });
    const others = heads.filter(({ id }) => !behind.has(id));
    return [...newer, ...others].sort((one, other) => other.createdAt - one.createdAt).slice(0, limit);
  });
}
