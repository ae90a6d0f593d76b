// The headers that say which session a reply is of, and how it ended.

import type { Outcome } from '@ai-agent/core';
import type { Answering } from '../../answer.ts';

export type ReplyHeaders = Readonly<Record<string, string>>;

/** Those that scripts of other sites may read, where they may ask at all. */
export const exposedHeaders: readonly string[] = [
  'x-ai-agent-session-id',
  'x-ai-agent-origin-id',
  'x-ai-agent-call-path',
  'x-ai-agent-status',
  'x-ai-agent-limit',
];

/** Known before the run begins. */
export function traceHeaders({ head, originId, callPath }: Omit<Answering, 'outcome'>): ReplyHeaders {
  return {
    'x-ai-agent-session-id': head.id,
    'x-ai-agent-origin-id': originId,
    'x-ai-agent-call-path': callPath.map(encodeURIComponent).join(':'),
    'cache-control': 'no-store',
  };
}

export function endHeaders(outcome: Outcome): ReplyHeaders {
  return {
    'x-ai-agent-status': outcome.status,
    ...(outcome.status === 'partial' ? { 'x-ai-agent-limit': outcome.limit } : {}),
  };
}
