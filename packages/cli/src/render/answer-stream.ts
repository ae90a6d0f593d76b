// The answer as it comes, written below the panel: of the root, or of the last of a chain. Nobody knows yet whether it is the last word.

import { type AgentEvent, type AnswerText, isOfAnswer } from '@ai-agent/core';
import { PrintableStream } from './printable.ts';
import type { Screen } from './screen.ts';

export interface Pausable {
  /** Leaves the screen to the text. */
  leave(): void;
  wake(): void;
}

export class AnswerStream {
  readonly #screen: Screen;
  readonly #panel: Pausable | undefined;
  #speaker = '';
  #part = '';
  #stream = new PrintableStream();
  /** What it said before the present turn, and in it. */
  readonly #said: string[] = [];
  #text = '';
  #isOpen = false;
  #lastLetter = '\n';

  /** Without a panel there is only the text. */
  constructor(screen: Screen, panel?: Pausable) {
    this.#screen = screen;
    this.#panel = panel;
  }

  /** Whether this was the whole of what was written in a turn. */
  has(text: string): boolean {
    const wanted = text.trim();
    return wanted !== '' && [...this.#said, this.#text].some((said) => said.trim() === wanted);
  }

  onEvent(event: AgentEvent): void {
    if (isOfAnswer(event)) this.#add(event);
    const { parentId, selfId } = event.trace;
    if (parentId !== null && selfId !== this.#speaker) return;
    // What it said was on the way to something else.
    if (event.type === 'tool-start' || event.type === 'turn-start') this.#pause();
    if (event.type === 'session-end' && parentId === null) this.end();
  }

  /** Whether the screen is left to the text. */
  get isOpen(): boolean {
    return this.#isOpen;
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

  #add({ trace: { selfId }, turn, attempt, text }: AnswerText): void {
    const part = `${selfId} ${turn}.${attempt}`;
    if (part !== this.#part) {
      this.end();
      if (this.#isOpen && selfId === this.#speaker) this.#write('(once more, the connection broke)\n');
      this.#speaker = selfId;
      this.#part = part;
      if (this.#text !== '') this.#said.push(this.#text);
      this.#text = '';
      this.#stream = new PrintableStream();
    }
    if (!this.#isOpen) {
      this.#isOpen = true;
      this.#panel?.leave();
      if (this.#panel) this.#write('\n');
    }
    this.#text += text;
    this.#write(this.#stream.push(text));
  }

  #pause(): void {
    if (!this.#isOpen) return;
    this.end();
    this.#write('\n');
    this.#isOpen = false;
    this.#panel?.wake();
  }

  #write(text: string): void {
    if (text === '') return;
    this.#screen.write(text);
    this.#lastLetter = text.at(-1) ?? '\n';
  }
}
