// What a partner is told of the conversation of its caller.

import type { Message } from './message.ts';
import type { Caller } from './tool.ts';

export type Recalled = Pick<Caller, 'history' | 'attachments'>;

/** What was said before the request, and what came with it; the system prompt is nobody else's. */
export function recalled(conversation: readonly Message[] = [], count: number): Recalled {
  const [request, ...history] = conversation.slice(1, count + 2).reverse();
  const attachments = request?.role === 'user' ? request.content.filter((part) => part.type === 'file') : [];
  return { history: history.reverse(), ...(attachments.length > 0 ? { attachments } : {}) };
}
