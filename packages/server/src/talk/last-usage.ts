// What the last call of the root used: for a client that runs tools of its own, that is how full its context is.

import type { Fact } from '@ai-agent/core';
import type { SaidUsage } from './said.ts';

export class LastUsage {
  #last: SaidUsage | undefined;

  /** Nothing when its model was not asked. */
  get last(): SaidUsage | undefined {
    return this.#last;
  }

  hear(fact: Fact): void {
    if (fact.type !== 'model-end' || fact.trace.parentId !== null || !fact.reply || fact.step) return;
    const { usage } = fact.reply;
    const { inputTokens = 0, outputTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0, reasoningTokens = 0 } = usage;
    this.#last = { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens };
  }
}
