// The answer in pieces, as it is written. Those since the last discard come to the text of the outcome, whatever was tried before.

import type { AgentEvent, Outcome } from '@ai-agent/core';

type TextDelta = Extract<AgentEvent, { type: 'text-delta' }>;
type Send = (event: 'text' | 'discard', data: object) => void;

/** Of a JSON report there are none: nobody has checked it until it is whole. */
export class AnswerPieces {
  readonly #send: Send;
  #isWithheld = false;
  #speaker = '';
  #turn = 0;
  #attempt = 0;
  #sent = '';
  /** Whether the reply that it is of has ended: what was cut off may be all that there is going to be. */
  #isWhole = false;

  constructor(send: Send) {
    this.#send = send;
  }

  hear(event: AgentEvent): void {
    const { type, trace } = event;
    if (type === 'text-delta') {
      // What sub-agents and advisors write is part of no answer here.
      if (event.answers === trace.originId && !this.#isWithheld) this.#add(event);
    } else if (type === 'model-end') {
      if (trace.selfId === this.#speaker && event.reply && !event.step) this.#isWhole = true;
    } else if (type === 'turn-start') {
      if (trace.selfId === this.#speaker && this.#isWhole) this.#discard();
    } else if (type === 'session-start' && trace.selfId === trace.originId)
      this.#isWithheld = event.output.format === 'json';
  }

  /** What streamed is set right where it is not the answer: that may have been kept from before, or mended. */
  end({ status, text }: Pick<Outcome, 'status' | 'text'>): void {
    if (this.#isWithheld) return;
    const last = status === 'needs_user_input' ? '' : text;
    if (this.#sent.trim() === last.trim()) return;
    if (!last.startsWith(this.#sent)) this.#discard();
    this.#write(last.slice(this.#sent.length));
  }

  #add({ trace: { selfId }, turn, attempt, text }: TextDelta): void {
    if (turn !== this.#turn || attempt !== this.#attempt || selfId !== this.#speaker) {
      this.#discard();
      this.#speaker = selfId;
      this.#turn = turn;
      this.#attempt = attempt;
    }
    this.#isWhole = false;
    this.#write(text);
  }

  #write(text: string): void {
    if (text === '') return;
    this.#sent += text;
    this.#send('text', { text });
  }

  #discard(): void {
    if (this.#sent === '') return;
    this.#sent = '';
    this.#send('discard', {});
  }
}
