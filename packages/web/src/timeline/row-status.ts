// How a row stands, and in which words: a colour alone says nothing to many.

import type { Failure, OperationNode, SessionNode } from '@ai-agent/core';

export type RowStatus =
  | 'waiting'
  | 'running'
  | 'ok'
  | 'partial'
  | 'asks'
  /** It asked, and a later round goes on from the answer. */
  | 'answered'
  | 'failed'
  | 'refused'
  | 'cancelled'
  /** An earlier answer was given again, and nothing was done. */
  | 'cached'
  /** Its process was gone before it could say more. */
  | 'interrupted';

export interface Standing {
  readonly status: RowStatus;
  /** The class of a failure, or the limit that cut it short. */
  readonly reason?: string;
}

export interface RoundStanding {
  readonly isLive: boolean;
  /** Whether no round has come after it. */
  readonly isLast: boolean;
}

export function standingOfSession({ status, limit, failure, isCached }: SessionNode, round: RoundStanding): Standing {
  if (status === 'running') return { status: round.isLive ? 'running' : 'interrupted' };
  if (status === 'completed') return { status: isCached ? 'cached' : 'ok' };
  if (status === 'partial') return { status: 'partial', ...(limit === undefined ? {} : { reason: limit }) };
  if (status.startsWith('needs_') && !round.isLast) return { status: 'answered' };
  if (status === 'needs_user_input') return { status: 'asks', reason: 'an answer' };
  if (status === 'needs_client_tools') return { status: 'asks', reason: 'its client' };
  return { status, ...reasonOf(failure) };
}

export function standingOfCall({ status, failure }: OperationNode, isLive: boolean): Standing {
  if (status === 'running') return { status: isLive ? 'running' : 'interrupted' };
  if (status === 'ok' || status === 'cancelled') return { status };
  // It did not fail by itself: it was told to stop, or there was nothing left to spend.
  if (failure?.code === 'stopped' || failure?.class === 'cancelled') return { status: 'cancelled' };
  if (failure?.code === 'budget-exhausted') return { status: 'refused', ...reasonOf(failure) };
  return { status, ...reasonOf(failure) };
}

export function inWords({ status, reason }: Standing): string {
  const word = words[status];
  if (status === 'partial' && reason === 'stop') return 'stopped';
  return reason === undefined || saysNoMore(status, reason)
    ? word
    : `${word}${status === 'asks' ? ' ' : ': '}${reason}`;
}

/** Whose class is that of the call, or the word again. */
function saysNoMore(status: RowStatus, reason: string): boolean {
  return reason === status || (status === 'refused' && reason === 'tool');
}

const words: Readonly<Record<RowStatus, string>> = {
  waiting: 'waiting',
  running: 'running',
  ok: 'done',
  partial: 'cut short',
  asks: 'waits for',
  answered: 'answered',
  failed: 'failed',
  refused: 'refused',
  cancelled: 'cancelled',
  cached: 'from cache',
  interrupted: 'interrupted',
};

function reasonOf(failure: Failure | undefined): { readonly reason?: string } {
  return failure ? { reason: failure.class } : {};
}
