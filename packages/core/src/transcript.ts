// The conversation of one session: append-only, and every call in it has its result.

import type { Message } from './message.ts';

export class Transcript {
  readonly #messages: Message[];

  constructor(opening: readonly Message[]) {
    this.#messages = [...opening];
  }

  add(...messages: readonly Message[]): void {
    this.#messages.push(...messages);
  }

  /** A copy: what was handed to an operation does not change under it. */
  view(): readonly Message[] {
    return this.#messages.slice();
  }

  /** The last words of the agent, for endings without an answer. */
  lastText(): string {
    for (const message of this.#messages.toReversed()) {
      if (message.role !== 'assistant') continue;
      const text = message.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
      if (text.trim() !== '') return text;
    }
    return '';
  }
}
