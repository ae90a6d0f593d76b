// Progress of one request as notes to its client: each has a larger number, a burst is told by its last, and silence is broken now and then.

import type { Clock } from '@ai-agent/core';

export interface ProgressNotesOptions {
  readonly clock: Clock;
  /** Settles when it is sent, or cannot be. */
  readonly send: (note: ProgressNote) => Promise<void>;
  /** How long nothing is said before it is said that work goes on: clients give up on what is silent. More than 0. @default 10 000 */
  readonly heartbeatMs?: number | undefined;
}

export interface ProgressNote {
  /** Counts from one. How much there is in all nobody knows. */
  readonly progress: number;
  readonly message: string;
}

/** As many as this in each span of time, and under way; then the newest waits. */
const mostInSpan = 10;
const spanMs = 1_000;

export const defaultHeartbeatMs = 10_000;

export class ProgressNotes {
  readonly #options: ProgressNotesOptions;
  #count = 0;
  #last = '';
  /** Since when that is so. */
  #since = 0;
  /** What is to be said when it may be. */
  #pending: string | undefined;
  #underWay = 0;
  #span = { from: Number.NEGATIVE_INFINITY, count: 0 };
  #unset = () => {};
  #isClosed = false;

  constructor(options: ProgressNotesOptions) {
    this.#options = options;
  }

  say(message: string): void {
    if (this.#isClosed || message === this.#last) return;
    this.#last = message;
    this.#since = this.#options.clock.monotonicMs();
    this.#pending = message;
    this.#sendNext();
  }

  /** Says at once what is still to be said, and nothing any more. */
  close(): void {
    if (this.#mayTry()) this.#send();
    this.#isClosed = true;
    this.#unset();
  }

  #sendNext(): void {
    if (!this.#mayTry()) return;
    const now = this.#options.clock.monotonicMs();
    if (now - this.#span.from >= spanMs) this.#span = { from: now, count: 0 };
    if (this.#span.count >= mostInSpan) {
      this.#wake(this.#span.from + spanMs - now, () => this.#sendNext());
      return;
    }
    this.#span.count++;
    this.#send();
    this.#wake(this.#options.heartbeatMs ?? defaultHeartbeatMs, () => this.#repeat());
  }

  /** Whoever reads slowly gets the newest when it has read some: nothing piles up for it. */
  #mayTry(): boolean {
    return !this.#isClosed && this.#underWay < mostInSpan && this.#pending !== undefined;
  }

  #send(): void {
    const message = this.#pending ?? '';
    this.#pending = undefined;
    this.#underWay++;
    const sent = () => {
      this.#underWay--;
      this.#sendNext();
    };
    // A client that is gone is told by others.
    this.#options.send({ progress: ++this.#count, message }).then(sent, sent);
  }

  /** With how long it has been so: said again as it was, it would look as if it had begun again. */
  #repeat(): void {
    const seconds = Math.round((this.#options.clock.monotonicMs() - this.#since) / 1_000);
    this.#pending ??= `${this.#last} (for ${seconds} s now)`;
    this.#sendNext();
  }

  #wake(afterMs: number, work: () => void): void {
    this.#unset();
    if (!this.#isClosed) this.#unset = this.#options.clock.after(afterMs, work);
  }
}
