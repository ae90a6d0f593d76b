// The way to one account at a provider: who waits, who is under way, and what keeps the next one from starting.

import { AgentError, type Clock, type Entrant, FairQueue, type Lane, type Leave } from '@ai-agent/core';
import { Allowances, type Need } from './allowances.ts';
import { Meter } from './meter.ts';
import { readLimits } from './rate-limit-headers.ts';
import { Throttle } from './throttle.ts';

/** What a configuration allows; what it leaves out is not bounded until the provider says so. */
export interface LaneLimits {
  readonly maxParallel?: number | undefined;
  readonly requestsPerMinute?: number | undefined;
  readonly tokensPerMinute?: number | undefined;
}

export interface LaneOptions {
  /** What the provider is called, for messages. */
  readonly provider: string;
  /** For waiting; need not know what day it is. */
  readonly clock: Clock;
  /** Milliseconds since 1970, where somebody knows. */
  readonly now: () => number | undefined;
}

/** Who would have to wait longer than this for a pause to end is told so at once. */
const longestWaitMs = 60_000;

interface Waiter {
  readonly entrant: Entrant;
  readonly enter: (leave: Leave) => void;
  readonly refuse: (reason: unknown) => void;
}

export class ProviderLane implements Lane {
  readonly #options: LaneOptions;
  readonly #queue = new FairQueue<Waiter>();
  readonly #throttle = new Throttle();
  readonly #allowances = new Allowances();
  #limits: LaneLimits = {};
  #requests: Meter | undefined;
  #tokens: Meter | undefined;
  #underWay = 0;
  /** Nothing is bounded, by configuration or by what was learned: whoever comes goes on. */
  #isFree = true;
  /** Requests that went out, so that an answer can be put in their order. */
  #sent = 0;
  #usual: Need = { tokens: 0, inputTokens: 0 };
  #cancelTimer: (() => void) | undefined;

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  get holders(): number {
    return this.#underWay;
  }

  get waiting(): number {
    return this.#queue.size;
  }

  /** Whether nobody would notice if it were made anew. */
  get isIdle(): boolean {
    if (this.#underWay > 0 || this.#queue.size > 0) return false;
    const now = this.#now();
    const isUsed = [this.#requests, this.#tokens].some((meter) => meter && !meter.isIdle(now));
    return !isUsed && !this.#isHeldBack(this.#usual, now);
  }

  /** Of several configurations for one account, the tightest holds. */
  tighten({ maxParallel, requestsPerMinute, tokensPerMinute }: LaneLimits): void {
    const before = this.#limits;
    this.#limits = {
      maxParallel: least(before.maxParallel, maxParallel),
      requestsPerMinute: least(before.requestsPerMinute, requestsPerMinute),
      tokensPerMinute: least(before.tokensPerMinute, tokensPerMinute),
    };
    const { requestsPerMinute: requests, tokensPerMinute: tokens } = this.#limits;
    if (requests !== undefined) this.#requests = meterOf(this.#requests, requests);
    if (tokens !== undefined) this.#tokens = meterOf(this.#tokens, tokens);
    this.#isFree &&= Object.values(this.#limits).every((limit) => limit === undefined);
  }

  /** Not async: most of the time there is nothing to wait for. */
  enter(entrant: Entrant): Leave | Promise<Leave> {
    if (this.#isFree) {
      this.#underWay++;
      return this.#leave;
    }
    const now = this.#now();
    const tooLong = this.#tooLong(entrant, now);
    if (tooLong) return Promise.reject(tooLong);
    if (this.#queue.size === 0 && this.#waitMs(entrant, now) === 0) return this.#start(entrant, now);
    return this.#wait(entrant);
  }

  /** A request goes out; gives its place in their order. */
  send(): number {
    return ++this.#sent;
  }

  /** Its answer has begun. */
  hear({ ok, headers }: Pick<Response, 'ok' | 'headers'>, order: number): void {
    const said = readLimits(headers, this.#options.now);
    if (said.length === 0 && this.#isFree) return;
    const now = this.#now();
    if (ok) this.#throttle.answered(now);
    const unknown = { requests: this.#sent - order, usual: this.#usual };
    for (const limit of said) this.#allowances.hear(limit, now, unknown);
    this.#isFree &&= this.#allowances.isEmpty;
    this.#callIn();
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
    this.#callIn();
  }

  #now(): number {
    return this.#options.clock.now();
  }

  #start(entrant: Entrant, now: number): Leave {
    this.#underWay++;
    this.#throttle.started();
    this.#allowances.started(entrant);
    this.#usual = toUsual(this.#usual, entrant);
    this.#requests?.count(1, now);
    const meter = this.#tokens;
    this.#isFree = this.#isUnbounded();
    if (!meter) return this.#leave;
    const counted = meter.count(entrant.tokens, now);
    return (usedTokens) => {
      if (usedTokens !== undefined) meter.correct(counted, usedTokens, this.#now());
      this.#leave();
    };
  }

  readonly #leave: Leave = () => {
    this.#underWay--;
    this.#callIn();
  };

  #isUnbounded(): boolean {
    const { maxParallel, requestsPerMinute, tokensPerMinute } = this.#limits;
    return (
      maxParallel === undefined &&
      requestsPerMinute === undefined &&
      tokensPerMinute === undefined &&
      this.#queue.size === 0 &&
      this.#throttle.isOff &&
      this.#allowances.isEmpty
    );
  }

  #wait(entrant: Entrant): Promise<Leave> {
    const { signal, owner } = entrant;
    if (signal.aborted) return Promise.reject(signal.reason);
    return new Promise<Leave>((resolve, reject) => {
      const end = () => {
        this.#queue.remove(owner, waiter);
        reject(signal.reason);
        this.#callIn();
      };
      const waiter: Waiter = {
        entrant,
        enter(leave) {
          signal.removeEventListener('abort', end);
          resolve(leave);
        },
        refuse(reason) {
          signal.removeEventListener('abort', end);
          reject(reason);
        },
      };
      signal.addEventListener('abort', end, { once: true });
      this.#queue.add(owner, waiter);
      this.#callIn();
    });
  }

  /** Everybody whose turn it is; for the next one there is a timer, as long as somebody waits. */
  #callIn(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    if (this.#queue.size === 0) return;
    const now = this.#now();
    for (let next = this.#queue.peek(); next; next = this.#queue.peek()) {
      const tooLong = this.#tooLong(next.entrant, now);
      const waitMs = tooLong ? 0 : this.#waitMs(next.entrant, now);
      if (waitMs > 0) {
        if (waitMs < Number.POSITIVE_INFINITY) this.#callInAfter(waitMs);
        return;
      }
      this.#queue.take();
      if (tooLong) next.refuse(tooLong);
      else next.enter(this.#start(next.entrant, now));
    }
  }

  /** Keeps the process alive, and is right to: somebody waits for it. */
  #callInAfter(waitMs: number): void {
    this.#cancelTimer = this.#options.clock.after(Math.ceil(waitMs), () => {
      this.#cancelTimer = undefined;
      this.#callIn();
    });
  }

  /** How long until this one may start, as things stand; endless when only the end of another one helps. */
  #waitMs(entrant: Entrant, now: number): number {
    if (this.#underWay >= (this.#limits.maxParallel ?? Number.POSITIVE_INFINITY)) return Number.POSITIVE_INFINITY;
    return Math.max(
      this.#throttle.waitMs(now, this.#underWay),
      this.#allowances.waitMs(entrant, now),
      this.#requests?.waitMs(1, now) ?? 0,
      this.#tokens?.waitMs(entrant.tokens, now) ?? 0,
    );
  }

  #isHeldBack(need: Need, now: number): boolean {
    return this.#throttle.waitMs(now, this.#underWay) > 0 || this.#allowances.waitMs(need, now) > 0;
  }

  #tooLong(entrant: Entrant, now: number): AgentError | undefined {
    const waitMs = Math.ceil(Math.max(this.#throttle.pausedMs(now), this.#allowances.waitMs(entrant, now)));
    if (waitMs <= longestWaitMs) return undefined;
    const message = `The provider ${this.#options.provider} wants no requests for another ${Math.ceil(waitMs / 1000)} s; this one was not sent.`;
    return new AgentError('model-rate-limit', message, { retryAfterMs: waitMs });
  }
}

function least(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}

/** What was counted stays counted. */
function meterOf(meter: Meter | undefined, perMinute: number): Meter {
  if (!meter) return new Meter(perMinute);
  meter.setBound(perMinute);
  return meter;
}

/** Follows what requests come to, the last ones most. */
function toUsual(before: Need, { tokens, inputTokens }: Need): Need {
  if (before.tokens === 0) return { tokens, inputTokens };
  return { tokens: (before.tokens * 3 + tokens) / 4, inputTokens: (before.inputTokens * 3 + inputTokens) / 4 };
}
