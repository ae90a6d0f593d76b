// Deltas on their way to whoever listens: what may turn out to be a thought or a call waits until that is clear.

import { type ModelDelta, textOf } from '@ai-agent/core';
import type { Offer } from './offer.ts';
import { lineOpening, mayBeReport, wholeOpening } from './openings.ts';
import { Prose } from './prose.ts';
import type { PutRight } from './put-right.ts';
import { maxBlank, type Opening, opensThought, startedLength, thoughtOpening } from './thoughts.ts';

/**
 * `start`: may be a thought; `unsure`: is one if it is closed; `thought`: is one; `after`: blanks behind it; `first`: may be
 * a call if it is all there is; `prose`: a call may begin with any line; `held`: one may have begun, the end will tell;
 * `free`: nothing is looked for.
 */
type Phase = 'start' | 'unsure' | 'thought' | 'after' | 'first' | 'prose' | 'held' | 'free';

export class HeldDeltas {
  readonly #offer: Offer;
  readonly #tell: (delta: ModelDelta) => void;
  #phase: Phase;
  /** What came and is neither told nor passed over. While all is held it is not kept here: the reply has it. */
  #buffer = '';
  /** What came since a thought has begun that may be none. */
  #unsure: string[] = [];
  #unsureEnd = '';
  #opening: Opening | undefined;
  #isThoughtBegun = false;
  #isTold = false;
  readonly #prose = new Prose();
  /** The line that is being written, as far as it is told. */
  #line = '';
  #isLineStart = true;
  /** Of the text so far, how much came, and how much is told or passed over. */
  #seen = 0;
  #done = 0;

  constructor(offer: Offer, tell: (delta: ModelDelta) => void) {
    this.#offer = offer;
    this.#tell = tell;
    this.#phase = offer.leaksThoughts ? 'start' : this.#answer;
  }

  /** Another block of text begins: a thought does not go on in it, all else does. */
  nextBlock(): void {
    if (this.#seen === 0) return;
    if (
      this.#phase === 'unsure' ||
      (this.#phase === 'start' && typeof thoughtOpening(this.#buffer.trimStart()) === 'object')
    ) {
      this.#unsure.push(this.#buffer);
      this.#hold();
    }
    if (this.#phase === 'thought') this.#give('reasoning', this.#buffer.length);
    if (this.#phase === 'start' || this.#phase === 'thought' || this.#phase === 'after') this.#phase = this.#answer;
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

  /** Nearly every piece: nothing is looked for any more, or the line that it goes on with is no beginning. */
  #isPlain(piece: string): boolean {
    if (this.#phase === 'free') return true;
    if (this.#phase !== 'prose' || !this.#isTold || this.#isLineStart || this.#buffer !== '' || piece.includes('\n'))
      return false;
    this.#line += piece;
    return true;
  }

  /** A real call has come: then there is no other in the text. */
  release(): void {
    const isSaid = this.#phase === 'first' || this.#phase === 'prose' || this.#phase === 'free';
    if (!isSaid && this.#seen > 0) return;
    this.#give('text', this.#buffer.length);
    this.#phase = 'free';
  }

  /** The rest, as it turned out. */
  finish({ reply, cut, thought }: PutRight): void {
    if (this.#phase === 'thought') this.#give('reasoning', this.#buffer.length);
    if (this.#unsure.length > 0 && cut > 0) {
      this.#done = cut;
      if (thought.trim() !== '') this.#tell({ type: 'reasoning', text: thought });
    }
    if (this.#done >= this.#seen) return;
    const text = textOf(reply.message).slice(Math.max(0, this.#done - cut));
    if (text !== '') this.#tell({ type: 'text', text });
  }

  get #answer(): Phase {
    return this.#offer.leaksCalls ? 'first' : 'free';
  }

  #step(phase: Phase): void {
    if (phase === 'start') this.#start();
    else if (phase === 'unsure') this.#wait();
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
      this.#phase = this.#answer;
      return;
    }
    const length = blank + opening.open.length;
    const isSure = opening.isClosed ? 'yes' : opensThought(this.#buffer.slice(length, length + maxBlank), opening);
    if (isSure === 'maybe') return;
    this.#opening = opening;
    if (isSure === 'yes') this.#pass(length);
    this.#phase = isSure === 'no' ? 'unsure' : opening.isClosed ? 'after' : 'thought';
  }

  /** Looks for the end of the thought in what is new. */
  #wait(): void {
    const { open, close } = this.#opening as Opening;
    const fresh = this.#unsureEnd + this.#buffer;
    this.#unsure.push(this.#buffer);
    this.#unsureEnd = fresh.slice(1 - close.length);
    this.#buffer = '';
    if (!fresh.includes(close)) return;
    this.#buffer = this.#unsure.join('');
    this.#unsure = [];
    this.#pass(this.#buffer.indexOf(open) + open.length);
    this.#phase = 'thought';
  }

  #think(): void {
    const { close } = this.#opening as Opening;
    if (!this.#isThoughtBegun) this.#pass(this.#buffer.length - this.#buffer.trimStart().length);
    const end = this.#buffer.indexOf(close);
    this.#give('reasoning', end === -1 ? this.#buffer.length - startedLength(this.#buffer, close) : end);
    if (end === -1) return;
    this.#pass(close.length);
    this.#phase = 'after';
  }

  #skipBlanks(): void {
    this.#pass(this.#buffer.length - this.#buffer.trimStart().length);
    if (this.#buffer !== '') this.#phase = this.#answer;
  }

  #begin(): void {
    const text = this.#buffer.trimStart();
    const isLong = this.#buffer.length - text.length > maxBlank;
    const opening = isLong ? 'no' : wholeOpening(text, this.#offer);
    const isReport = this.#offer.output.format === 'json' && opening === 'no' ? mayBeReport(text) : 'no';
    if (opening === 'yes') this.#hold();
    else if (isReport === 'yes') this.#phase = 'free';
    else if (opening === 'no' && isReport === 'no') this.#phase = 'prose';
  }

  #walk(): void {
    const text = this.#buffer;
    const prose = this.#prose;
    for (let at = 0; ; ) {
      const { opening } = this.#isLineStart ? lineOpening({ text, at, prose }, this.#offer) : { opening: 'no' };
      if (opening !== 'no' || at === text.length) {
        this.#giveWalked(at);
        if (opening === 'yes') this.#hold();
        return;
      }
      const end = text.indexOf('\n', at);
      this.#isLineStart = end !== -1;
      this.#line += text.slice(at, end === -1 ? text.length : end);
      at = end === -1 ? text.length : end + 1;
      if (end === -1) continue;
      prose.take(this.#line);
      this.#line = '';
    }
  }

  /** Blanks at the very beginning wait for what follows: before a call they are no text. */
  #giveWalked(at: number): void {
    if (this.#isTold || at > maxBlank || this.#buffer.slice(0, at).trim() !== '') {
      this.#give('text', at);
      return;
    }
    this.#isLineStart = true;
    this.#line = '';
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
