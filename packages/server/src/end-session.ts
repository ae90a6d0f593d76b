// Ends a session from outside, however it stands: one that runs here, one that another server runs, one that waits for an answer.

import { isUnderWay, type SessionHead } from '@ai-agent/core';
import { closeQuestion } from './close-question.ts';
import type { Hall } from './hall.ts';
import type { LiveSession } from './live-session.ts';
import type { Visitor } from './visitor.ts';
import type { Wish } from './wishes.ts';

export interface Standing {
  readonly head: SessionHead;
  readonly live: LiveSession | undefined;
}

export interface Ending {
  readonly head: SessionHead;
  /** It is on its way; its question is closed; or there was nothing to end. */
  readonly came: 'told' | 'closed' | 'nothing';
}

/** Both as they are at one moment. Throws `session-unknown`. */
export async function endSession(hall: Hall, { head, live }: Standing, visitor: Visitor, wish: Wish): Promise<Ending> {
  if (live && head.endedAt === undefined) {
    if (wish === 'stop') live.stop();
    else live.cancel('Whoever started it cancelled it.');
    return { head: live.head, came: 'told' };
  }
  // Another server runs it.
  if (isUnderWay(head) && (await hall.wish(head, wish))) return { head, came: 'told' };
  const closed = await closeQuestion(hall, head.id, visitor);
  const wasOpen = head.resume !== undefined && closed.resume === undefined;
  return { head: closed, came: wasOpen ? 'closed' : 'nothing' };
}
