// Which streamed text is the answer of a run: the root's own, or that of whoever answers in its place.

import type { AgentEvent } from '@ai-agent/core';

export type AnswerText = Extract<AgentEvent, { type: 'text-delta' }>;

/** What agents before the last of a chain write is never among it, nor what sub-agents and advisors do. */
export function isOfAnswer(event: AgentEvent): event is AnswerText {
  return event.type === 'text-delta' && event.answers === event.trace.originId;
}
