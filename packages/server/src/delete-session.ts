// Deletes a session that has ended, with all that is kept of it.

import { AgentError, isUnderWay, takesTime } from '@ai-agent/core';
import type { Hall } from './hall.ts';
import type { Visitor } from './visitor.ts';

/** Throws `session-unknown`, and `session-busy` while it runs, here or elsewhere. */
export function deleteSession(hall: Hall, id: string, visitor: Visitor): Promise<void> {
  return hall.alone(id, async () => {
    const found = hall.find(id, visitor);
    const head = takesTime(found) ? await found : found;
    if (hall.live(id) || isUnderWay(head)) throw busy(id);
    if (!(await hall.store.delete(id)) && (await hall.store.get(id))) throw busy(id);
    if (head.resume !== undefined) await hall.pausesOf(hall.servedAs(head.agent))?.delete(head.resume);
  });
}

function busy(id: string): AgentError {
  return new AgentError('session-busy', `The session ${id} is at work, and is not deleted.`, {
    remedy: 'Stop it, or wait until it has ended; then delete it.',
  });
}
