// The sessions of whoever asks, the newest first: in the store, and as they are known here.

import type { SessionHead, SessionQuery } from '@ai-agent/core';
import type { Hall } from './hall.ts';
import type { ListedPage } from './listed-beside.ts';
import type { Visitor } from './visitor.ts';

export type OwnSessions = Omit<SessionQuery, 'owner' | 'user'> & { readonly limit: number };

/** Of those that run here, what is known here counts. */
export async function listSessions(hall: Hall, visitor: Visitor, query: OwnSessions): Promise<ListedPage> {
  const { limit, statuses } = query;
  const { key: owner, user = null } = visitor;
  // The store may not have heard yet that one of them has ended, or has begun.
  const wider = statuses ? { statuses: [...statuses, ...underWay] } : {};
  const isMeant = ({ status }: SessionHead) => !statuses || statuses.includes(status);
  const found: SessionHead[] = [];
  let isComplete = true;
  let last: { readonly before?: string } = {};
  for (;;) {
    const page = await hall.listPage({ ...query, ...wider, ...last, owner, user });
    const { heads } = page;
    isComplete &&= page.isComplete;
    found.push(...heads.map((head) => hall.live(head.id)?.head ?? head).filter(isMeant));
    const oldest = heads.at(-1);
    if (found.length >= limit || heads.length < limit || !oldest) return { heads: found.slice(0, limit), isComplete };
    last = { before: oldest.id };
  }
}

const underWay = ['queued', 'running'] as const;
