// Strikes out of a text that comes in pieces what would be struck out of the whole, wherever the pieces were cut.

import { struck } from './strike.ts';

/** Where something to strike out begins and ends. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** What is looked for. Both are asked of a text that goes on. */
export interface Search {
  /** The first finding from a position on. */
  next(text: string, from: number): Span | undefined;
  /** From where on the end of the text could become a finding, or a longer one; its length when nowhere. */
  open(text: string, from: number): number;
  /** Whether there is surely neither in it, whatever came before. Nearly always true, and cheap to say. */
  isPlain(text: string): boolean;
}

export class StruckStream {
  readonly #search: Search;
  /** The end of what came so far, which may yet have to be struck out. */
  #held = '';
  /** The two characters before that: a word that goes on does not begin a key, unless its first letter belongs to a sign. */
  #before = '';

  constructor(search: Search) {
    this.#search = search;
  }

  /** As much as can be given out now. */
  push(text: string): string {
    if (this.#held !== '' || !this.#search.isPlain(text))
      return this.#give(text, (all, from) => this.#search.open(all, from));
    if (text !== '') this.#before = (text.length > 1 ? text : this.#before + text).slice(-2);
    return text;
  }

  /** The rest: nothing goes on. */
  end(): string {
    if (this.#held === '') return '';
    return this.#give('', (all) => all.length);
  }

  #give(text: string, openFrom: (all: string, from: number) => number): string {
    const all = this.#before + this.#held + text;
    let given = '';
    let at = this.#before.length;
    for (;;) {
      const open = openFrom(all, at);
      // What is still open is not looked into again with every piece.
      const found = open > at ? this.#search.next(all, at) : undefined;
      if (!found || found.start >= open) {
        this.#before = all.slice(Math.max(0, open - 2), open);
        this.#held = all.slice(open);
        return given + all.slice(at, open);
      }
      given += all.slice(at, found.start) + struck;
      at = found.end;
    }
  }
}
