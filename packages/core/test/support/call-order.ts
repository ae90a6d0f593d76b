// Facts of tool calls by turn and position in the reply. The calls of one turn settle in any order.

import type { AgentEvent } from '@ai-agent/core';

export type ToolEnd = Extract<AgentEvent, { type: 'tool-end' }>;

export function endsInCallOrder(events: readonly AgentEvent[]): readonly ToolEnd[] {
  const ends = events.flatMap((event) => (event.type === 'tool-end' ? [event] : []));
  return ends.toSorted((one, other) => one.turn - other.turn || one.index - other.index);
}
