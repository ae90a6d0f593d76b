// An answer that cannot be taken back once it is written: what may still turn out to be no part of it waits.

import { AgentError, type AgentEvent, type Failure, isOfAnswer, toFailure } from '@ai-agent/core';
import type { Said } from './said.ts';

/** What is said before a call is seldom longer; what is longer is written while it comes. */
export const heldBackLetters = 500;

export class OneWayAnswer {
  readonly #write: (piece: string) => void;
  /** Sessions that may call tools: what they say may be said on the way. */
  readonly #callers = new Set<string>();
  #isWithheld = false;
  #speaker = '';
  #turn = 0;
  #attempt = 0;
  /** What this attempt has said so far. */
  #said = '';
  /** What was written of it, by whichever attempt. */
  #written = '';
  /** What was written in a turn before: the answer, where none came after it. */
  #before = '';
  /** Whether some of that is of an attempt that broke off. */
  #wasCut = false;
  /** Whether this attempt says something else. */
  #isOther = false;
  #all = '';

  constructor(write: (piece: string) => void) {
    this.#write = write;
  }

  /** Everything that was written. */
  get all(): string {
    return this.#all;
  }

  hear(event: AgentEvent): void {
    const { selfId, parentId } = event.trace;
    if (event.type === 'session-start') {
      if (event.tools.length > 0) this.#callers.add(selfId);
      // Nobody has checked a report until it is whole.
      if (parentId === null) this.#isWithheld = event.output.format === 'json';
    }
    // Also one that is not streamed is another answer than the one before.
    if (event.type === 'model-start' && selfId === this.#speaker && event.turn !== this.#turn)
      this.#begin(selfId, event.turn);
    if (!isOfAnswer(event) || this.#isWithheld) return;
    const { turn, attempt, text } = event;
    if (selfId !== this.#speaker || turn !== this.#turn) this.#begin(selfId, turn);
    if (attempt !== this.#attempt) this.#try(attempt);
    // Mostly: nothing of what it has said is compared again.
    const isWritten = this.#said !== '' && this.#said.length === this.#written.length && !this.#isOther;
    this.#said += text;
    if (isWritten) {
      this.#add(text);
      return;
    }
    const isFlowing = this.#written !== '' || !this.#callers.has(selfId) || this.#said.length > heldBackLetters;
    if (isFlowing) this.#goOn(this.#said);
  }

  /** What was not written yet. A failure when what was written is no part of the answer, because the model broke off and began anew. */
  end({ status, text }: Pick<Said, 'status' | 'text'>): Failure | undefined {
    // Half of something that was said on the way harms nobody.
    const isAnswer = status === 'completed' || status === 'partial';
    if (this.#written.trim() === text.trim() || (this.#written === '' && this.#before === text.trim()))
      return undefined;
    if (!text.startsWith(this.#written)) {
      if (isAnswer && this.#wasCut) return toFailure(brokenOff());
      this.#begin('', 0);
    }
    this.#isOther = false;
    this.#goOn(text);
    return undefined;
  }

  #begin(speaker: string, turn: number): void {
    this.#speaker = speaker;
    this.#turn = turn;
    if (this.#written !== '') this.#before = this.#written.trim();
    this.#written = '';
    this.#try(0);
  }

  #try(attempt: number): void {
    this.#attempt = attempt;
    this.#said = '';
    this.#wasCut = this.#written !== '';
    this.#isOther = false;
  }

  #goOn(said: string): void {
    if (said.startsWith(this.#written)) this.#add(said.slice(this.#written.length));
    // A new attempt that has not come as far as the one before may still say the same.
    else if (!this.#written.startsWith(said)) this.#isOther = true;
  }

  #add(piece: string): void {
    if (piece === '' || this.#isOther) return;
    const isApart = this.#written === '' && this.#all !== '';
    this.#written += piece;
    const written = isApart ? `\n\n${piece}` : piece;
    this.#all += written;
    this.#write(written);
  }
}

function brokenOff(): AgentError {
  const message =
    'The model broke off in the middle of its answer, and its next one is another: what was sent cannot be taken back.';
  return new AgentError('model-network', message, { remedy: 'Ask again, or ask without streaming.' });
}
