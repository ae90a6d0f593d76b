// The answer as it comes: the text of the root, written below the panel. Nobody knows yet whether it is the last word.

import type { AgentEvent } from '@ai-agent/core';
import { PrintableStream } from './printable.ts';
import type { Screen } from './screen.ts';

export interface Pausable {
  /** Leaves the screen to the text. */
  leave(): void;
  wake(): void;
}

export class AnswerStream {
  readonly #screen: Screen;
  readonly #panel: Pausable;
  #part = '';
  #stream = new PrintableStream();
  #text = '';
  #isOpen = false;
  #lastLetter = '\n';

  constructor(screen: Screen, panel: Pausable) {
    this.#screen = screen;
    this.#panel = panel;
  }

  /** What was written of the last turn, as it came. */
  get text(): string {
    return this.#text;
  }

  onEvent(event: AgentEvent): void {
    if (event.trace.parentId !== null) return;
    if (event.type === 'text-delta') this.#add(`${event.turn}.${event.attempt}`, event.text);
    // What it said was on the way to something else.
    if (event.type === 'tool-start' || event.type === 'turn-start') this.#pause();
    if (event.type === 'session-end') this.end();
  }

  /** Nothing more comes: the line is finished. */
  end(): void {
    this.#write(this.#stream.end());
    this.breakLine();
  }

  /** Somebody else writes a line. */
  breakLine(): void {
    if (this.#lastLetter !== '\n') this.#write('\n');
  }

  #add(part: string, text: string): void {
    if (part !== this.#part) {
      this.end();
      if (this.#isOpen) this.#write('(once more, the connection broke)\n');
      this.#part = part;
      this.#text = '';
      this.#stream = new PrintableStream();
    }
    if (!this.#isOpen) {
      this.#isOpen = true;
      this.#panel.leave();
      this.#write('\n');
    }
    this.#text += text;
    this.#write(this.#stream.push(text));
  }

  #pause(): void {
    if (!this.#isOpen) return;
    this.end();
    this.#write('\n');
    this.#isOpen = false;
    this.#panel.wake();
  }

  #write(text: string): void {
    if (text === '') return;
    this.#screen.write(text);
    this.#lastLetter = text.at(-1) ?? '\n';
  }
}
