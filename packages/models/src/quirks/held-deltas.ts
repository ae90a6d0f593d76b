// Deltas on their way to whoever listens: what may turn out to be a thought or a call waits until that is clear.

import { type ModelDelta, textOf } from '@ai-agent/core';
import type { Offer } from './offer.ts';
import { type Likeness, openingAt, wholeOpening } from './openings.ts';
import { Prose } from './prose.ts';
import type { PutRight } from './put-right.ts';
import { maxBlank, startedLength, thoughtOpening } from './thoughts.ts';

/**
 * `start`: may be a thought; `thought`: is one; `after`: blanks behind it; `first`: may be a call if it is all there is;
 * `prose`: a call may begin anywhere; `held`: one may have begun, the end will tell; `free`: nothing is looked for.
 */
type Phase = 'start' | 'thought' | 'after' | 'first' | 'prose' | 'held' | 'free';

export class HeldDeltas {
  readonly #offer: Offer;
  readonly #tell: (delta: ModelDelta) => void;
  #phase: Phase = 'start';
  /** What came and is neither told nor passed over. While all is held it is not kept here: the reply has it. */
  #buffer = '';
  #closing = '';
  #isThoughtBegun = false;
  #isTold = false;
  #prose = new Prose();
  /** Of the text so far, how much came, and how much is told or passed over. */
  #seen = 0;
  #done = 0;

  constructor(offer: Offer, tell: (delta: ModelDelta) => void) {
    this.#offer = offer;
    this.#tell = tell;
  }

  /** Another block of text begins. */
  nextBlock(): void {
    if (this.#seen === 0 || this.#phase === 'held' || this.#phase === 'free') return;
    this.#give(this.#phase === 'thought' ? 'reasoning' : 'text', this.#buffer.length);
    this.#phase = this.#offer.tools.length > 0 ? 'first' : 'free';
    this.#prose = new Prose();
    this.#isTold = false;
  }

  text(piece: string): void {
    this.#seen += piece.length;
    if (this.#phase === 'held') return;
    if (this.#isPlain(piece)) {
      this.#done = this.#seen;
      this.#tell({ type: 'text', text: piece });
      return;
    }
    this.#buffer += piece;
    try {
      // Each step either moves on to another phase, or waits for more.
      for (let before: Phase | undefined; before !== this.#phase; ) {
        before = this.#phase;
        this.#step(before);
      }
    } catch {
      this.#phase = 'free';
      this.#give('text', this.#buffer.length);
    }
  }

  /** Nearly every piece: nothing is looked for any more, or nothing in it could be a beginning. */
  #isPlain(piece: string): boolean {
    if (this.#phase === 'free') return true;
    return this.#phase === 'prose' && this.#isTold && this.#buffer === '' && this.#prose.isUntouchedBy(piece);
  }

  /** A real call has come: then there is no other in the text. */
  release(): void {
    const isThought = this.#phase === 'thought' || this.#phase === 'after' || this.#phase === 'start';
    if (this.#phase === 'held' || (isThought && this.#seen > 0)) return;
    this.#give('text', this.#buffer.length);
    this.#phase = 'free';
  }

  /** The rest, as it turned out. */
  finish({ reply, cut }: PutRight): void {
    if (this.#phase === 'thought') this.#give('reasoning', this.#buffer.length);
    if (this.#done >= this.#seen) return;
    const text = textOf(reply.message).slice(Math.max(0, this.#done - cut));
    if (text !== '') this.#tell({ type: 'text', text });
  }

  #step(phase: Phase): void {
    if (phase === 'start') this.#start();
    else if (phase === 'thought') this.#think();
    else if (phase === 'after') this.#skipBlanks();
    else if (phase === 'first') this.#begin();
    else if (phase === 'prose') this.#walk();
    else if (phase === 'free') this.#give('text', this.#buffer.length);
  }

  #start(): void {
    const text = this.#buffer.trimStart();
    const blank = this.#buffer.length - text.length;
    const opening = blank > maxBlank ? 'no' : thoughtOpening(text);
    if (opening === 'maybe') return;
    if (opening === 'no') {
      this.#phase = this.#offer.tools.length > 0 ? 'first' : 'free';
      return;
    }
    this.#pass(blank + opening.open.length);
    this.#closing = opening.close;
    this.#phase = opening.isClosed ? 'after' : 'thought';
  }

  #think(): void {
    if (!this.#isThoughtBegun) this.#pass(this.#buffer.length - this.#buffer.trimStart().length);
    const end = this.#buffer.indexOf(this.#closing);
    this.#give('reasoning', end === -1 ? this.#buffer.length - startedLength(this.#buffer, this.#closing) : end);
    if (end === -1) return;
    this.#pass(this.#closing.length);
    this.#phase = 'after';
  }

  #skipBlanks(): void {
    this.#pass(this.#buffer.length - this.#buffer.trimStart().length);
    if (this.#buffer !== '') this.#phase = this.#offer.tools.length > 0 ? 'first' : 'free';
  }

  #begin(): void {
    const text = this.#buffer.trimStart();
    const isLong = this.#buffer.length - text.length > maxBlank;
    const opening = isLong ? 'no' : wholeOpening(text, this.#offer);
    if (opening === 'yes') this.#hold();
    else if (opening === 'no') this.#phase = 'prose';
  }

  #walk(): void {
    const prose = this.#prose;
    let opening: Likeness = 'no';
    while (opening === 'no' && prose.next(this.#buffer, false)) {
      opening = openingAt({ text: this.#buffer, at: prose.at, isLineStart: prose.isLineStart }, this.#offer);
      if (opening === 'no') prose.pass(this.#buffer);
    }
    this.#giveWalked();
    if (opening === 'yes') this.#hold();
  }

  /** Blanks at the very beginning wait for what follows: before a call they are no text. */
  #giveWalked(): void {
    const { at } = this.#prose;
    if (!this.#isTold && at <= maxBlank && this.#buffer.slice(0, at).trim() === '') return;
    this.#prose.forget(this.#buffer);
    this.#give('text', at);
  }

  #hold(): void {
    this.#buffer = '';
    this.#phase = 'held';
  }

  #give(type: ModelDelta['type'], length: number): void {
    if (length === 0) return;
    const text = this.#buffer.slice(0, length);
    this.#pass(length);
    if (type === 'text') this.#isTold = true;
    else this.#isThoughtBegun = true;
    this.#tell({ type, text });
  }

  #pass(length: number): void {
    this.#buffer = this.#buffer.slice(length);
    this.#done += length;
  }
}
