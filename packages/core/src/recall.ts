// What a partner is told of the conversation of its caller.

import type { Message } from './message.ts';
import type { Caller } from './tool.ts';

export type Recalled = Pick<Caller, 'history' | 'attachments'>;

/** What was said before the request, and what came with it. */
export function recalled(opening: readonly Message[], count: number): Recalled {
  const request = opening[count];
  const attachments = request?.role === 'user' ? request.content.filter((part) => part.type === 'file') : [];
  return { history: opening.slice(0, count), ...(attachments.length > 0 ? { attachments } : {}) };
}
