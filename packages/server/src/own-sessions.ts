// The sessions of whoever asks, the newest first: in the store, and as they are known here.

import type { SessionHead, SessionQuery } from '@ai-agent/core';
import type { Hall } from './hall.ts';
import type { Visitor } from './visitor.ts';

export type OwnSessions = Omit<SessionQuery, 'owner' | 'user'> & { readonly limit: number };

/** Of those that run here, what is known here counts. */
export async function listSessions(hall: Hall, visitor: Visitor, query: OwnSessions): Promise<readonly SessionHead[]> {
  const { limit, statuses } = query;
  const { key: owner, user = null } = visitor;
  // The store may not have heard yet that one of them has ended, or has begun.
  const wider = statuses ? { statuses: [...statuses, ...underWay] } : {};
  const isMeant = ({ status }: SessionHead) => !statuses || statuses.includes(status);
  const found: SessionHead[] = [];
  let last: { readonly before?: string } = {};
  for (;;) {
    const heads = await hall.store.list({ ...query, ...wider, ...last, owner, user });
    found.push(...heads.map((head) => hall.live(head.id)?.head ?? head).filter(isMeant));
    const oldest = heads.at(-1);
    if (found.length >= limit || heads.length < limit || !oldest) return found.slice(0, limit);
    last = { before: oldest.id };
  }
}

const underWay = ['queued', 'running'] as const;
