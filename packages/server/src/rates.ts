// How often a key may ask: a bucket that a minute fills, so that a burst is possible and a flood is not.

import { AgentError } from '@ai-agent/core';

const minuteMs = 60_000;

export interface RateOptions {
  /** Whose it is, at the beginning of a sentence. @default This key */
  readonly who?: string;
  /** How many at once, when nobody asked for long. From 1. @default as many as in a minute */
  readonly burst?: number | undefined;
}

export class Rate {
  readonly #perMinute: number;
  readonly #now: () => number;
  readonly #who: string;
  readonly #most: number;
  #left: number;
  #at: number;

  /** At least 1 a minute; as many at once, when nobody asked for a minute, or as many as `burst` says. */
  constructor(perMinute: number, now: () => number, { who = 'This key', burst = perMinute }: RateOptions = {}) {
    this.#perMinute = perMinute;
    this.#now = now;
    this.#who = who;
    this.#most = Math.max(1, burst);
    this.#left = this.#most;
    this.#at = now();
  }

  /** Throws `too-many-requests`. */
  take(): void {
    this.#fill();
    if (this.#left < 1) throw this.#tooMany();
    this.#left -= 1;
  }

  /** Whether nobody has asked for long. */
  get isFull(): boolean {
    this.#fill();
    return this.#left === this.#most;
  }

  #fill(): void {
    const now = this.#now();
    // A clock that is set back gives nothing, and takes nothing away.
    const gained = (Math.max(0, now - this.#at) * this.#perMinute) / minuteMs;
    this.#left = Math.min(this.#most, this.#left + gained);
    this.#at = now;
  }

  #tooMany(): AgentError {
    const retryAfterMs = Math.ceil(((1 - this.#left) * minuteMs) / this.#perMinute);
    const message = `${this.#who} may start ${countOf(this.#perMinute)} a minute, and that many were started.`;
    return new AgentError('too-many-requests', message, { retryAfterMs });
  }
}

function countOf(runs: number): string {
  return runs === 1 ? '1 run' : `${runs} runs`;
}
