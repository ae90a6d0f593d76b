// What has become of a session whose process is gone: it had ended, it still asks, or it was interrupted.

import type { Fact, SessionHead, Totals } from '@ai-agent/core';

export interface Left {
  /** As it was when it was under way. */
  readonly head: SessionHead;
  /** How many facts of it are kept, and the last of them. */
  readonly facts: number;
  readonly last: Fact | undefined;
  /** Whether what waits under this handle is kept. */
  readonly isWaiting: (handle: string) => boolean;
}

export function headOfLeft({ head, facts, last, isWaiting }: Left): SessionHead {
  const interrupted = { ...head, status: 'interrupted', endedAt: last?.at ?? head.createdAt, facts } as const;
  if (last?.type !== 'session-end' || last.trace.selfId !== last.trace.originId) return interrupted;
  const { ending, endedAt, usage } = last;
  // Nobody can answer it; what was said until then can be gone on with.
  if ('resume' in ending && !isWaiting(ending.resume)) return interrupted;
  const ended = { ...head, status: ending.status, endedAt, ...waitsOf(ending), facts };
  // Its process was gone between the last fact and the head that says so.
  if (facts > (head.earlierFacts ?? 0)) return { ...ended, usage: sumOf(usage, head.usage) };
  // It was to go on with an answer, and had not begun: that can be given again.
  return 'resume' in ending ? ended : interrupted;
}

type Ending = Extract<Fact, { type: 'session-end' }>['ending'];

function waitsOf(ending: Ending): Pick<SessionHead, 'question' | 'calls' | 'resume'> {
  if (ending.status === 'needs_user_input') return { question: ending.question, resume: ending.resume };
  return ending.status === 'needs_client_tools' ? { calls: ending.calls, resume: ending.resume } : {};
}

/** Here by hand: the thread of a store loads nothing of core. */
function sumOf(one: Totals, other: Totals | undefined): Totals {
  const entries = Object.entries(one).map(([name, value]) => [name, value + (other?.[name as keyof Totals] ?? 0)]);
  return Object.fromEntries(entries) as Totals;
}
