// What is counted of somebody who may ask only so often, and use only so much: of a key, or of one person among many.

import { Allowance, type AllowanceSettings } from './allowances.ts';
import { Rate } from './rates.ts';
import type { Spender, Spending } from './visitor.ts';

export interface BookSettings {
  /** Runs to start or to go on with in a minute; as many at once. From 1. @default any number */
  readonly requestsPerMinute?: number | undefined;
  /** What all runs together may use. @default no bound */
  readonly allowance?: AllowanceSettings | undefined;
}

export class Book {
  readonly #rate: Rate | undefined;
  readonly #allowance: Allowance | undefined;

  /** `who` begins a sentence. */
  constructor({ requestsPerMinute, allowance }: BookSettings, now: () => number, who = 'This key') {
    this.#rate = requestsPerMinute === undefined ? undefined : new Rate(requestsPerMinute, now, { who });
    this.#allowance = allowance && new Allowance(allowance, now, who);
  }

  /** Throws `too-many-requests`, `allowance-spent`. */
  admit(): void {
    this.#allowance?.check();
    this.#rate?.take();
  }

  /** Throws `allowance-spent`. Undefined where nobody counts. */
  open(spender: Spender): Spending | undefined {
    return this.#allowance?.open(spender);
  }

  /** Whether a new one would say the same. */
  get isBlank(): boolean {
    return (this.#rate?.isFull ?? true) && (this.#allowance?.isUntouched ?? true);
  }
}
