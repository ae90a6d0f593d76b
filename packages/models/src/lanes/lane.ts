// The way to one model of an account: who is under way, and what its provider has said that keeps the next one from starting.

import { AgentError, type Clock, type Entrant, type Lane, type Leave } from '@ai-agent/core';
import { Allowances, type Need } from './allowances.ts';
import { readLimits } from './rate-limit-headers.ts';
import { Throttle } from './throttle.ts';

/** Rates and pauses are durations: the wall clock is not asked. */
export type LaneClock = Pick<Clock, 'monotonicMs' | 'after'>;

export interface LaneOptions {
  /** What the provider is called, for messages. */
  readonly provider: string;
  readonly clock: LaneClock;
  /** Milliseconds since 1970, where somebody knows. */
  readonly now: () => number | undefined;
}

/** What all models of an account have in common. */
export interface Shared {
  /** Whether its configuration sets a limit. */
  readonly isBounded: boolean;
  /** Whether this one may start without waiting for its turn. */
  isOpenTo(entrant: Entrant, now: number): boolean;
  /** One begins; what it gives is called when that one is over. */
  start(entrant: Entrant, now: number): Leave;
  /** The same, where nothing is counted. */
  startFreely(): void;
  /** How long until this one may start, for all that is shared; endless when only the end of another one helps. */
  waitMs(entrant: Entrant, now: number): number;
  endFreely(lane: ModelLane): void;
  wait(waiter: Waiter): void;
  giveUp(waiter: Waiter): void;
  /** Something has changed for those who wait for this lane. */
  learned(lane: ModelLane): void;
}

export interface Waiter {
  readonly lane: ModelLane;
  readonly entrant: Entrant;
  enter(now: number): void;
  refuse(reason: AgentError): void;
}

/** Who would have to wait longer than this for a pause to end is told so at once. */
const longestWaitMs = 60_000;

export class ModelLane implements Lane {
  readonly #model: string;
  readonly #options: LaneOptions;
  readonly #shared: Shared;
  readonly #throttle = new Throttle();
  readonly #allowances = new Allowances();
  #underWay = 0;
  #waiting = 0;
  /** Nothing was learned that bounds it: unless its account is bounded, whoever comes goes on. */
  #isFree = true;
  /** Requests that went out, so that an answer can be put in their order. */
  #sent = 0;
  #usual: Need = { tokens: 0, inputTokens: 0 };

  constructor(model: string, options: LaneOptions, shared: Shared) {
    this.#model = model;
    this.#options = options;
    this.#shared = shared;
  }

  get holders(): number {
    return this.#underWay;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** Whether nobody would notice if it were made anew. */
  get isIdle(): boolean {
    if (this.#underWay > 0 || this.#waiting > 0) return false;
    return this.#isFree || this.heldBackMs(this.#usual, this.#now()) === 0;
  }

  /** Not async: most of the time there is nothing to wait for. */
  enter(entrant: Entrant): Leave | Promise<Leave> {
    if (this.#isFree && !this.#shared.isBounded) {
      this.#underWay++;
      this.#shared.startFreely();
      return this.#leave;
    }
    const now = this.#now();
    const tooLong = this.tooLong(entrant, now);
    if (tooLong) return Promise.reject(tooLong);
    const isNext = this.#waiting === 0 && this.heldBackMs(entrant, now) === 0;
    if (isNext && this.#shared.isOpenTo(entrant, now)) return this.#start(entrant, now);
    if (entrant.onWait) this.#tellWait(entrant, now);
    return this.#wait(entrant);
  }

  /** A request goes out; gives its place in their order. */
  send(): number {
    return ++this.#sent;
  }

  /** Its answer has begun. */
  hear({ ok, headers }: Pick<Response, 'ok' | 'headers'>, order: number): void {
    const said = readLimits(headers, this.#options.now);
    if (said.length === 0 && this.#isFree) {
      if (ok) this.#throttle.answeredFreely();
      return;
    }
    const now = this.#now();
    if (ok) this.#throttle.answered(now);
    const unknown = { requests: this.#sent - order, usual: this.#usual };
    for (const limit of said) this.#allowances.hear(limit, now, unknown);
    this.#isFree &&= this.#allowances.isEmpty;
    this.#shared.learned(this);
  }

  /** A call failed. Too many requests slow down everybody; an overload does, when it comes with a time to wait. */
  failed({ code, retryAfterMs }: Pick<AgentError, 'code' | 'retryAfterMs'>): void {
    const isRefusal = code === 'model-rate-limit';
    if (!isRefusal && (code !== 'model-unavailable' || retryAfterMs === undefined)) return;
    const now = this.#now();
    if (isRefusal) this.#throttle.refused(now, this.#underWay, retryAfterMs);
    else this.#throttle.pause(now, retryAfterMs ?? 0);
    if (retryAfterMs !== undefined) this.#allowances.clear();
    this.#isFree = false;
    this.#shared.learned(this);
  }

  /** How long until this one may start, for all that its model knows. */
  heldBackMs(need: Need, now: number): number {
    return Math.max(this.#throttle.waitMs(now, this.#underWay), this.#allowances.waitMs(need, now));
  }

  /** What is said to who would have to wait too long, or for a model that has let nobody in for as long. */
  tooLong(need: Need, now: number): AgentError | undefined {
    const pausedMs = this.#throttle.pausedMs(now);
    const waitMs = Math.max(pausedMs, this.#allowances.waitMs(need, now));
    if (waitMs > longestWaitMs)
      return this.#turnBack(`wants no requests to ${this.#model} for another`, waitMs, waitMs);
    const refusedMs = pausedMs > 0 ? this.#throttle.refusedMs(now) : 0;
    if (refusedMs <= longestWaitMs) return undefined;
    return this.#turnBack(`has refused every request to ${this.#model} for`, refusedMs, pausedMs);
  }

  #turnBack(what: string, durationMs: number, retryAfterMs: number): AgentError {
    const message = `The provider ${this.#options.provider} ${what} ${Math.ceil(durationMs / 1000)} s; this one was not sent.`;
    return new AgentError('model-rate-limit', message, { retryAfterMs: Math.ceil(retryAfterMs) });
  }

  #now(): number {
    return this.#options.clock.monotonicMs();
  }

  #start(entrant: Entrant, now: number): Leave {
    this.#underWay++;
    this.#throttle.started();
    this.#allowances.started(entrant);
    this.#usual = toUsual(this.#usual, entrant);
    this.#isFree = this.#waiting === 0 && this.#throttle.isOff && this.#allowances.isEmpty;
    const leave = this.#shared.start(entrant, now);
    return (usedTokens) => {
      this.#end();
      leave(usedTokens);
    };
  }

  /** Who is held back by what is known has a time; who waits for others has none. */
  #tellWait(entrant: Entrant, now: number): void {
    const heldBackMs = this.heldBackMs(entrant, now);
    const waitMs = Math.max(heldBackMs, this.#shared.waitMs(entrant, now));
    const isTimed = waitMs > 0 && waitMs < Number.POSITIVE_INFINITY;
    if (isTimed) entrant.onWait?.('rate_limit', Math.ceil(waitMs));
    else entrant.onWait?.(heldBackMs > 0 ? 'rate_limit' : 'queue');
  }

  #end(): void {
    if (--this.#underWay === 0) this.#throttle.rested();
  }

  readonly #leave: Leave = () => {
    this.#end();
    this.#shared.endFreely(this);
  };

  #wait(entrant: Entrant): Promise<Leave> {
    const { signal } = entrant;
    if (signal.aborted) return Promise.reject(signal.reason);
    return new Promise<Leave>((resolve, reject) => {
      const end = () => {
        signal.removeEventListener('abort', cancel);
        this.#waiting--;
      };
      const cancel = () => {
        end();
        reject(signal.reason);
        this.#shared.giveUp(waiter);
      };
      const waiter: Waiter = {
        lane: this,
        entrant,
        enter: (now) => {
          end();
          resolve(this.#start(entrant, now));
        },
        refuse(reason) {
          end();
          reject(reason);
        },
      };
      signal.addEventListener('abort', cancel, { once: true });
      this.#waiting++;
      this.#shared.wait(waiter);
    });
  }
}

/** Follows what requests come to, the last ones most. */
function toUsual(before: Need, { tokens, inputTokens }: Need): Need {
  if (before.tokens === 0) return { tokens, inputTokens };
  return { tokens: (before.tokens * 3 + tokens) / 4, inputTokens: (before.inputTokens * 3 + inputTokens) / 4 };
}
