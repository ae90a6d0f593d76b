// Heads and facts as stores see them.

import type { Fact, SessionHead } from '@ai-agent/core';

export function headOf(id: string, more: Partial<SessionHead> = {}): SessionHead {
  const status = more.endedAt === undefined ? 'running' : 'completed';
  const known = { agent: 'echo', owner: null, headend: 'rest', isDetached: true, resumptions: 0, facts: 0 };
  return { id, ...known, status, createdAt: 1, ...more };
}

/** A fact as a store sees it: data, and which one it is. */
export function factOf(seq: number, text = ''): Fact {
  const trace = { originId: 's', parentId: null, selfId: 's' };
  return { kind: 'fact', type: 'turn-end', seq, at: seq, op: `turn.${seq}`, turn: seq, trace, text } as unknown as Fact;
}
