// What the root had written in model calls that were never finished: of these no reply is kept, only what was streamed.

import type { AgentEvent, Outcome } from '@ai-agent/core';

interface Draft {
  readonly attempt: number;
  readonly text: string;
}

export class Written {
  /** By turn. */
  readonly #drafts = new Map<number, Draft>();

  readonly onEvent = (event: AgentEvent): void => {
    if (event.trace.selfId !== event.trace.originId) return;
    if (event.type === 'text-delta') {
      const { turn, attempt, text } = event;
      const before = this.#drafts.get(turn);
      this.#drafts.set(turn, { attempt, text: before?.attempt === attempt ? before.text + text : text });
    }
    if (event.type === 'model-end' && event.reply) this.#drafts.delete(event.turn);
  };

  /** Oldest first; empty when every reply was whole. */
  get text(): string {
    return [...this.#drafts.values()]
      .map(({ text }) => text.trim())
      .filter((text) => text !== '')
      .join('\n\n');
  }

  /** An outcome without an answer has this for its last words, when there is any. */
  addTo(outcome: Outcome): Outcome {
    const isAnswered = outcome.status === 'completed' || outcome.status === 'needs_user_input';
    const isMissing = 'failure' in outcome || outcome.text.trim() === '';
    return isAnswered || !isMissing || this.text === '' ? outcome : { ...outcome, text: this.text };
  }
}
