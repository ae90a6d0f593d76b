// The shared middle of all headends: finds the agent, and starts a session of it.

import type { SessionHead } from '@ai-agent/core';
import type { Answering, Asked } from './asked.ts';
import type { Hall } from './hall.ts';
import { LiveSession } from './live-session.ts';
import { start } from './start.ts';

/** Throws what is wrong with the request: `agent-unknown`, `agent-cycle`, `server-full` and the like. */
export function answer(hall: Hall, asked: Asked): Answering {
  const served = hall.agent(asked.agent, asked.visitor);
  const id = hall.ports.ids.next();
  const { visitor, headend, signal, budget, output, title, retryOf } = asked;
  const head: SessionHead = {
    id,
    agent: served.name,
    owner: visitor.key,
    ...(visitor.user === undefined ? {} : { user: visitor.user }),
    headend,
    ...(served.source === undefined ? {} : { source: served.source }),
    isDetached: signal === undefined,
    status: 'queued',
    createdAt: hall.clock.now(),
    ...(title === undefined ? {} : { title }),
    ...(retryOf ? { retryOf } : {}),
    ...(budget ? { budget } : {}),
    ...(output ? { output } : {}),
    facts: 0,
    resumptions: 0,
  };
  return start(hall, { ...asked, served, sessionId: id }, new LiveSession(head, hall));
}
