// A request of a session that is not answered yet: who waits for it, and for how long it goes on when nobody does.

import type { Clock } from '@ai-agent/core';

export interface HttpCallOptions {
  readonly clock: Clock;
  /** How long nobody may wait for it. */
  readonly graceMs: number;
}

export class HttpCall {
  readonly #clock: Clock;
  readonly #graceMs: number;
  readonly #lost = new AbortController();
  #waiting = 0;
  #unset: (() => void) | undefined;

  constructor({ clock, graceMs }: HttpCallOptions) {
    this.#clock = clock;
    this.#graceMs = graceMs;
  }

  /** Aborts when nobody came back in time. */
  get signal(): AbortSignal {
    return this.#lost.signal;
  }

  /** Somebody takes what is said for it. */
  attend(): void {
    this.#waiting += 1;
    this.#unset?.();
    this.#unset = undefined;
  }

  /** They have gone; another may have come before that was noticed. */
  leave(): void {
    this.#waiting -= 1;
    if (this.#waiting > 0) return;
    this.#unset = this.#clock.after(this.#graceMs, () => this.#lost.abort());
  }

  /** It is answered, or never will be. */
  close(): void {
    this.#unset?.();
    this.#unset = undefined;
    this.#waiting = Number.POSITIVE_INFINITY;
  }
}
