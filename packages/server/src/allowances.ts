// What all runs of a key together may use in an hour, a day or a month: counted while they run, and refused when it is spent.

import { AgentError, type Budget } from '@ai-agent/core';
import { type Amounts, RunSpending } from './run-spending.ts';
import type { Spender, Spending } from './visitor.ts';

export interface AllowanceSettings {
  /** Input and output tokens of all model calls. */
  readonly tokens?: number;
  /** Money; every model needs a known price. */
  readonly costUsd?: number;
  /** Of the calendar, in UTC. */
  readonly per: 'hour' | 'day' | 'month';
}

const none: Amounts = { tokens: 0, costUsd: 0 };

/** Kept in memory: a server that starts again counts from nothing. */
export class Allowance {
  readonly #settings: AllowanceSettings;
  readonly #now: () => number;
  readonly #who: string;
  readonly #running = new Set<Spender>();
  #spent = none;
  #endsAt: number;

  /** `who` begins a sentence. */
  constructor(settings: AllowanceSettings, now: () => number, who = 'This key') {
    this.#settings = settings;
    this.#now = now;
    this.#who = who;
    this.#endsAt = endOf(settings.per, now());
  }

  /** Throws `allowance-spent`. */
  check(): void {
    this.#turnPage();
    if (this.#isSpent) throw this.#toSpent('is spent');
  }

  /** Throws `allowance-spent`. The run may use what is left, beside others that are under way. */
  open(spender: Spender): Spending {
    this.check();
    this.#running.add(spender);
    const spending = new RunSpending((used) => this.#charge(used), spender.prices);
    const budget = this.#left();
    const isNarrower = (limit: string | undefined, own: Budget) =>
      isBound(limit) && (budget[limit] ?? Number.POSITIVE_INFINITY) < (own[limit] ?? Number.POSITIVE_INFINITY);
    return {
      budget,
      hear: spending.hear,
      judge: (outcome, own) => {
        if (outcome.status === 'partial')
          return isNarrower(outcome.limit, own) ? { ...outcome, limit: 'allowance' } : outcome;
        const { code, limit } = 'failure' in outcome ? outcome.failure : {};
        if (code === 'budget-exhausted' && isNarrower(limit, own))
          throw this.#toSpent('is spent but for too little to begin with');
        return outcome;
      },
      close: () => {
        this.#running.delete(spender);
        spending.close();
      },
    };
  }

  #toSpent(how: string): AgentError {
    const retryAfterMs = Math.max(1, this.#endsAt - this.#now());
    const who = `${this.#who.charAt(0).toLowerCase()}${this.#who.slice(1)}`;
    return new AgentError('allowance-spent', `What ${who} may use in one ${this.#settings.per} ${how}.`, {
      retryAfterMs,
    });
  }

  /** Whether nothing was used of it, and nobody uses it now. */
  get isUntouched(): boolean {
    this.#turnPage();
    return this.#running.size === 0 && this.#spent === none;
  }

  get #isSpent(): boolean {
    const { tokens = Number.POSITIVE_INFINITY, costUsd = Number.POSITIVE_INFINITY } = this.#settings;
    return this.#spent.tokens >= tokens || this.#spent.costUsd >= costUsd;
  }

  #left(): Budget {
    const { tokens, costUsd } = this.#settings;
    return {
      ...(tokens === undefined ? {} : { tokens: tokens - this.#spent.tokens }),
      ...(costUsd === undefined ? {} : { costUsd: costUsd - this.#spent.costUsd }),
    };
  }

  #charge({ tokens, costUsd }: Amounts): void {
    this.#turnPage();
    this.#spent = { tokens: this.#spent.tokens + tokens, costUsd: this.#spent.costUsd + costUsd };
    if (!this.#isSpent) return;
    for (const spender of this.#running) spender.stop();
    this.#running.clear();
  }

  #turnPage(): void {
    // Compared for equality: a wall clock that was far ahead and is set right must not keep an old period open.
    const endsAt = endOf(this.#settings.per, this.#now());
    if (endsAt === this.#endsAt) return;
    this.#endsAt = endsAt;
    this.#spent = none;
  }
}

function isBound(limit: string | undefined): limit is keyof Amounts {
  return limit === 'tokens' || limit === 'costUsd';
}

function endOf(per: AllowanceSettings['per'], now: number): number {
  const date = new Date(now);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  if (per === 'month') return Date.UTC(year, month + 1);
  return per === 'day' ? Date.UTC(year, month, day + 1) : Date.UTC(year, month, day, date.getUTCHours() + 1);
}
