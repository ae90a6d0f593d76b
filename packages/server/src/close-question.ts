// Ends a session that waits for an answer: nobody can go on with it any more.

import { AgentError, type SessionHead, takesTime, toFailure, withoutEnd } from '@ai-agent/core';
import { type Hall, isOf } from './hall.ts';
import type { Visitor } from './visitor.ts';

/** Gives how it stands then; one that waits for nothing is left as it is. Throws `session-unknown`. */
export function closeQuestion(hall: Hall, id: string, visitor: Visitor): Promise<SessionHead> {
  return hall.alone(id, async () => {
    const ending = hall.live(id);
    if (ending && isOf(ending.head, visitor) && ending.head.endedAt !== undefined) await ending.whenOver();
    const found = hall.find(id, visitor);
    const head = takesTime(found) ? await found : found;
    const { resume, status, failure } = head;
    if (hall.live(id) || resume === undefined) return head;
    const served = hall.agentsFor(visitor).find(({ name }) => name === head.agent);
    await hall.pausesOf(served)?.delete(resume);
    const isWaiting = waiting.includes(status);
    const closed: SessionHead = {
      ...withoutEnd(head),
      endedAt: hall.clock.now(),
      ...(isWaiting ? { status: 'cancelled', failure: toFailure(calledOff()) } : failure ? { failure } : {}),
      ...(head.draft === undefined ? {} : { draft: head.draft }),
    };
    await hall.store.put(closed);
    return closed;
  });
}

const waiting: readonly SessionHead['status'][] = ['needs_user_input', 'needs_client_tools'];

function calledOff(): AgentError {
  return new AgentError('cancelled', 'It was cancelled while it waited for an answer.');
}
