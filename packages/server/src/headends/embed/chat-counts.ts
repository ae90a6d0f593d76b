// How much has happened in a chat so far, in figures.

import type { AgentEvent } from '@ai-agent/core';

export interface ChatFigures {
  /** Milliseconds since it was asked. */
  readonly elapsed: number;
  readonly reasoningChars: number;
  readonly outputChars: number;
  /** What tools gave, of the whole tree. */
  readonly documentsChars: number;
  readonly tools: number;
  readonly llmCalls: number;
}

export class ChatCounts {
  readonly #now: () => number;
  readonly #from: number;
  #counts = { reasoningChars: 0, outputChars: 0, documentsChars: 0, tools: 0, llmCalls: 0 };

  /** `now` is a monotonic reading in milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
    this.#from = now();
  }

  get elapsed(): number {
    return Math.round(this.#now() - this.#from);
  }

  hear(event: AgentEvent): void {
    const counts = this.#counts;
    if (event.type === 'text-delta') counts.outputChars += event.text.length;
    else if (event.type === 'reasoning-delta') counts.reasoningChars += event.text.length;
    else if (event.type === 'tool-start') counts.tools++;
    else if (event.type === 'tool-end') counts.documentsChars += event.bytesOut;
    else if (event.type === 'model-start') counts.llmCalls++;
  }

  get figures(): ChatFigures {
    return { elapsed: this.elapsed, ...this.#counts };
  }
}
