// What was written of an answer that never came, as the round after it was told: no fact of its own round has it.

import { type Fact, textOf } from '@ai-agent/core';
import type { Round } from './round.ts';

/** Whether the round that begins now may know more of what this one has said than its facts. */
export function mayHaveDraft({ draft, ending }: Round): boolean {
  return draft === undefined && ending?.status !== 'completed' && !ending?.status.startsWith('needs_');
}

/** By the whole first fact of the round after it. */
export function draftIn({ messages }: Extract<Fact, { type: 'session-start' }>, { said }: Round): string | undefined {
  const last = messages.at(-2);
  const text = last?.role === 'assistant' ? textOf(last) : '';
  return text === '' || said.some((one) => one.text === text) ? undefined : text;
}
