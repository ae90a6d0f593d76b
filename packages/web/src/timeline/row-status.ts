// How a row stands, and in which words: a colour alone says nothing to many.

import type { Failure, OperationNode, SessionNode } from '@ai-agent/core';

export type RowStatus =
  | 'waiting'
  | 'running'
  | 'ok'
  | 'partial'
  | 'asks'
  /** And was answered: a later round goes on with it. */
  | 'asked'
  | 'failed'
  | 'refused'
  | 'cancelled'
  /** Its process was gone before it could say more. */
  | 'interrupted';

export interface Standing {
  readonly status: RowStatus;
  /** The class of a failure, or the limit that cut it short. */
  readonly reason?: string;
}

export interface RoundState {
  readonly isLive: boolean;
  readonly isLast: boolean;
}

export function standingOfSession({ status, limit, failure }: SessionNode, { isLive, isLast }: RoundState): Standing {
  if (status === 'running') return { status: isLive ? 'running' : 'interrupted' };
  if (status === 'completed') return { status: 'ok' };
  if (status === 'partial') return { status: 'partial', ...(limit === undefined ? {} : { reason: limit }) };
  if (!isLast && (status === 'needs_user_input' || status === 'needs_client_tools')) return { status: 'asked' };
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
  return reason === undefined ? word : `${word}${status === 'asks' ? ' ' : ': '}${reason}`;
}

const words: Readonly<Record<RowStatus, string>> = {
  waiting: 'waiting',
  running: 'running',
  ok: 'done',
  partial: 'cut short',
  asks: 'waits for',
  asked: 'asked',
  failed: 'failed',
  refused: 'refused',
  cancelled: 'cancelled',
  interrupted: 'interrupted',
};

function reasonOf(failure: Failure | undefined): { readonly reason?: string } {
  return failure ? { reason: failure.class } : {};
}
