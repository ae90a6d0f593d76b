// Sessions that have ended, a page at a time: a cursor names the last one that was seen, whether it is still kept or not.

import type { SessionHead } from '@ai-agent/core';
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { Hall } from '../../hall.ts';
import { listSessions } from '../../own-sessions.ts';
import type { Visitor } from '../../visitor.ts';

/** As many as a client can show; and as far back as anybody looks. */
export const pageSize = 50;
export const mostListed = 1_000;

export interface Page {
  readonly page: readonly SessionHead[];
  /** The last of it, when more follow. */
  readonly next: SessionHead | undefined;
}

/** Throws that the cursor is none of ours. */
export async function pageOf(hall: Hall, visitor: Visitor, cursor: string | undefined): Promise<Page> {
  const seen = cursor === undefined ? undefined : readCursor(cursor);
  const { heads } = await listSessions(hall, visitor, { limit: mostListed });
  const all = heads.filter(({ endedAt }) => endedAt !== undefined);
  const rest = seen ? after(all, seen) : all;
  const page = rest.slice(0, pageSize);
  return { page, next: rest.length > page.length ? page.at(-1) : undefined };
}

export function nextAfter({ id, createdAt }: Seen): string {
  return Buffer.from(JSON.stringify([createdAt, id])).toString('base64url');
}

type Seen = Pick<SessionHead, 'id' | 'createdAt'>;

/** Where the last one has been forgotten since, or goes on, those that are older than it. */
function after(all: readonly SessionHead[], { id, createdAt }: Seen): readonly SessionHead[] {
  const index = all.findIndex((head) => head.id === id);
  return index >= 0 ? all.slice(index + 1) : all.filter((head) => head.createdAt < createdAt);
}

function readCursor(cursor: string): Seen {
  try {
    const [createdAt, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as readonly unknown[];
    if (typeof createdAt === 'number' && typeof id === 'string') return { createdAt, id };
  } catch {}
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Unknown cursor: take nextCursor of a list before.');
}
