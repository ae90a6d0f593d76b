// A report on its way to whoever listens: its tags are never shown, nor half of one, and nothing that comes after it.

import { type Seen, TagScanner } from './tag-scanner.ts';

export class ReportStream {
  #scanner: TagScanner | undefined;
  /** What was given while nothing was looked for. */
  #unread = '';
  #isInside = false;
  #isSaid = false;
  #isOver = false;
  /** Blanks inside, which may be the last. */
  #gap = '';

  /** As much as can be given out now. Nearly every piece is given as it is. */
  push(text: string): string {
    if (this.#isOver) return '';
    if ((this.#scanner?.isFree ?? true) && !text.includes('<')) {
      this.#unread += text;
      return this.#isInside ? this.#give(text) : text;
    }
    this.#scanner ??= new TagScanner();
    this.#scanner.note(this.#unread);
    this.#unread = '';
    return this.#read(this.#scanner.push(text));
  }

  /** The rest: nothing goes on. */
  end(): string {
    return this.#scanner && !this.#isOver ? this.#read(this.#scanner.end()) : '';
  }

  #read(seen: readonly Seen[]): string {
    let given = '';
    for (const one of seen) {
      if (this.#isOver) break;
      if (typeof one === 'object') given += this.#isInside ? this.#give(one.text) : one.text;
      else this.#cross(one);
    }
    return given;
  }

  /** After a report that said nothing, the words around it are the answer. */
  #cross(border: 'open' | 'close'): void {
    this.#isInside = border === 'open';
    this.#isOver = border === 'close' && this.#isSaid;
    this.#gap = '';
  }

  /** Blanks at both ends are no part of a report. */
  #give(text: string): string {
    const words = text.trimEnd();
    const said = words === '' ? '' : this.#isSaid ? this.#gap + words : words.trimStart();
    this.#gap = words === '' ? this.#gap + text : text.slice(words.length);
    this.#isSaid ||= words !== '';
    return said;
  }
}
