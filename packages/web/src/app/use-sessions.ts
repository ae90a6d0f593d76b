// The sessions of whoever looks on, the newest first: read page by page, and again when something has changed.

import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Api } from '../server/api.ts';
import { isAtWork, type Standing } from '../server/documents.ts';

export interface Sessions {
  readonly list: readonly Standing[];
  /** Whether they were read, or are not waited for any more. */
  readonly isRead: boolean;
  readonly hasMore: boolean;
  /** The store fails at the moment: there may be more than these. */
  readonly isPartial: boolean;
  /** They could not be read at the moment: they are as they were. */
  readonly isAway: boolean;
  readonly refresh: () => void;
  readonly more: () => void;
  readonly remove: (id: string) => Promise<void>;
}

const pageSize = 30;

/** Milliseconds between reads: while a session is at work or the last read failed, and otherwise. */
const busyMs = 4_000;
const idleMs = 20_000;

/** How long something that only goes by them better waits for them. */
const patienceMs = 1_000;

export function useSessions(api: Api): Sessions {
  const [list, setList] = useState<readonly Standing[]>([]);
  const [size, setSize] = useState(pageSize);
  const [hasMore, setHasMore] = useState(false);
  const [isPartial, setPartial] = useState(false);
  const [isAway, setAway] = useState(false);
  const [isRead, setRead] = useState(false);
  const asked = useRef(0);
  const answered = useRef(0);
  const refresh = useCallback(async () => {
    const number = ++asked.current;
    try {
      const limit = Math.min(size, 100);
      let { sessions, isComplete } = await api.sessions({ limit: String(limit) });
      while (sessions.length < size && sessions.length > 0 && sessions.length % 100 === 0) {
        const next = await api.sessions({ limit: '100', before: sessions.at(-1)?.id ?? '' });
        if (next.sessions.length === 0) break;
        sessions = [...sessions, ...next.sessions];
      }
      // One that was asked for later knows more.
      if (number !== asked.current) return;
      setList(sessions);
      setHasMore(sessions.length >= size);
      setPartial(isComplete === false);
      setAway(false);
    } catch {
      // The list from before is better than none; the talk that is open says what is wrong.
      if (number === asked.current) setAway(true);
    } finally {
      answered.current = Math.max(answered.current, number);
    }
    setRead(true);
  }, [api, size]);
  const isBusy = list.some(isAtWork);
  useEffect(() => {
    void refresh();
    // Whoever answers slowly would never be heard if asked anew.
    const isWaiting = () => answered.current < asked.current;
    const look = () => document.visibilityState === 'visible' && !isWaiting() && void refresh();
    const timer = setInterval(look, isBusy || isAway ? busyMs : idleMs);
    return () => clearInterval(timer);
  }, [refresh, isBusy, isAway]);
  useEffect(() => {
    const timer = setTimeout(() => setRead(true), patienceMs);
    return () => clearTimeout(timer);
  }, []);
  return useMemo(
    () => ({
      list,
      isRead,
      hasMore,
      isPartial,
      isAway,
      refresh: () => void refresh(),
      more: () => setSize((before) => before + pageSize),
      remove: async (id) => {
        await api.remove(id);
        await refresh();
      },
    }),
    [api, list, isRead, hasMore, isPartial, isAway, refresh],
  );
}
