// The headers that say which session a reply is of, and how it ended.

import type { Outcome } from '@ai-agent/core';
import type { Answering } from './asked.ts';

/** Says which session to go on with, and of which one a reply is. */
export const sessionHeader = 'x-ai-agent-session';

export type ReplyHeaders = Readonly<Record<string, string>>;

/** Known before the run begins. */
export function traceHeaders({ head, originId, callPath }: Omit<Answering, 'outcome'>): ReplyHeaders {
  return {
    [sessionHeader]: head.id,
    'x-ai-agent-origin-id': originId,
    'x-ai-agent-call-path': callPath.map(encodeURIComponent).join(':'),
    'cache-control': 'no-store',
  };
}

export function endHeaders(outcome: Outcome): ReplyHeaders {
  return {
    'x-ai-agent-status': outcome.status,
    ...(outcome.status === 'partial' ? { 'x-ai-agent-limit': outcome.limit } : {}),
    ...incompleteHeaders(outcome),
  };
}

/** The number of children whose work is missing from the answer. No header if there are none. */
export function incompleteHeaders({ incomplete = [] }: Partial<Pick<Outcome, 'incomplete'>>): ReplyHeaders {
  return incomplete.length === 0 ? {} : { 'x-ai-agent-incomplete': String(incomplete.length) };
}
