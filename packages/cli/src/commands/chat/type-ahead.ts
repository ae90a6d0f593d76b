// What is typed while an answer comes: `/stop` stops it, the rest waits for its turn.

import { oneLine } from '@ai-agent/core';
import { EditedText } from './edited-text.ts';
import { editWith, type Key, nameOf } from './key.ts';
import { goesOn, readTyped } from './message.ts';
import type { TalkKeys } from './talk-keys.ts';

export class TypeAhead {
  readonly #keys: TalkKeys;
  readonly #text = new EditedText();
  #sent: string[] = [];
  #isOver = false;

  constructor(keys: TalkKeys) {
    this.#keys = keys;
  }

  /** From now on keys are for it. */
  begin(): void {
    this.#keys.listen(this.#onKey, () => {
      this.#isOver = true;
    });
  }

  /** Keys are for somebody else. */
  end(): void {
    this.#keys.rest();
  }

  /** Whether no more keys will come. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** A line for below the tree; empty when nothing was typed. */
  readonly shown = (): string => {
    const next = this.#sent.map((text) => `next: ${text}`);
    const typing = this.#text.text === '' ? [] : [`> ${this.#text.text}`];
    return oneLine([...next, ...typing].join('  '));
  };

  /** Whether something was sent that waits. */
  get hasSent(): boolean {
    return this.#sent.length > 0;
  }

  /** The next that was sent, to be answered at once. */
  next(): string | undefined {
    return this.#sent.shift();
  }

  /** All that waits, to be looked at first; it waits no more. */
  take(): string {
    const all = [...this.#sent, this.#text.text].filter((text) => text !== '').join('\n');
    this.#sent = [];
    this.#text.set('');
    return all;
  }

  readonly #onKey = (key: Key): void => {
    const name = nameOf(key);
    if (key.isPasted) editWith(key, this.#text);
    else if (name === 'ctrl-c') this.#keys.interrupt();
    else if (name === 'ctrl-z') this.#keys.suspend();
    else if (name === 'return') this.#enter();
    else editWith(key, this.#text);
  };

  #enter(): void {
    const { text } = this.#text;
    if (goesOn(text)) {
      this.#text.set(`${text}\n`);
      return;
    }
    this.#text.set('');
    const typed = readTyped(text);
    if ('command' in typed && typed.command === 'stop') this.#keys.interrupt();
    else if (!('nothing' in typed)) this.#sent.push(text);
  }
}
