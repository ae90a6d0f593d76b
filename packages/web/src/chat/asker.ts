// Who of many asks: as the facts name it, and what it was called for.

import type { Question } from '@ai-agent/core';
import type { Round } from '../session/round.ts';

export interface Asker {
  /** With its number where there are several of it: `worker[2]`. */
  readonly name: string;
  /** What its caller wants of it. */
  readonly title?: string;
}

/** One that waits since an earlier round is known from there. */
export function askerOf({ agentName, sessionId }: Question, rounds: readonly Round[]): Asker {
  for (const round of rounds.toReversed()) {
    const session = round.tree.session(sessionId);
    if (!session) continue;
    const { trace, title } = session;
    const isBelow = trace.parentId !== null && title !== null && title !== '';
    return { name: trace.instanceName, ...(isBelow ? { title } : {}) };
  }
  return { name: agentName };
}
