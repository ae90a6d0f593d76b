// One account at a provider: who waits for any of its models, and what its configuration allows to all of them.

import { type AgentError, type Entrant, FairQueue, type Judgement, type Leave } from '@ai-agent/core';
import { Kept } from './kept.ts';
import { type LaneOptions, ModelLane, type Shared, type Waiter } from './lane.ts';
import { Meter } from './meter.ts';

/** What a configuration allows; what it leaves out is not bounded until the provider says so. */
export interface AccountLimits {
  readonly maxParallel?: number | undefined;
  readonly requestsPerMinute?: number | undefined;
  readonly tokensPerMinute?: number | undefined;
}

/** What is found out while those who wait are gone through. */
interface Round {
  readonly now: number;
  readonly heldBack: Set<ModelLane>;
  /** How many wait for these. */
  skipped: number;
  /** Until the first of all may start. */
  waitMs: number;
}

export class Account implements Shared {
  readonly #options: LaneOptions;
  readonly #lanes = new Kept<ModelLane>();
  readonly #queue = new FairQueue<Waiter>();
  #limits: AccountLimits = {};
  #isBounded = false;
  #requests: Meter | undefined;
  #tokens: Meter | undefined;
  #underWay = 0;
  #cancelTimer: (() => void) | undefined;

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  get isBounded(): boolean {
    return this.#isBounded;
  }

  /** How many of its models are kept. */
  get lanes(): number {
    return this.#lanes.size;
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
    return [this.#requests, this.#tokens].every((meter) => !meter || meter.isIdle(now)) && this.#lanes.isIdle;
  }

  /** The way to one of its models: pauses are its own, and so is what its provider says is left. */
  lane(model: string): ModelLane {
    return this.#lanes.of(model, () => new ModelLane(model, this.#options, this));
  }

  /** Of several configurations for one account, the tightest holds. */
  tighten({ maxParallel, requestsPerMinute, tokensPerMinute }: AccountLimits): void {
    const before = this.#limits;
    this.#limits = {
      maxParallel: least(before.maxParallel, maxParallel),
      requestsPerMinute: least(before.requestsPerMinute, requestsPerMinute),
      tokensPerMinute: least(before.tokensPerMinute, tokensPerMinute),
    };
    const { requestsPerMinute: requests, tokensPerMinute: tokens } = this.#limits;
    if (requests !== undefined) this.#requests = meterOf(this.#requests, requests);
    if (tokens !== undefined) this.#tokens = meterOf(this.#tokens, tokens);
    this.#isBounded = Object.values(this.#limits).some((limit) => limit !== undefined);
  }

  isOpenTo(entrant: Entrant, now: number): boolean {
    return !this.#isBounded || (this.#queue.size === 0 && this.waitMs(entrant, now) === 0);
  }

  start(entrant: Entrant, now: number): Leave {
    this.#underWay++;
    this.#requests?.count(1, now);
    const meter = this.#tokens;
    const counted = meter?.count(entrant.tokens, now);
    return (usedTokens) => {
      if (meter && counted && usedTokens !== undefined) meter.correct(counted, usedTokens, this.#now());
      this.#underWay--;
      this.#callIn();
    };
  }

  startFreely(): void {
    this.#underWay++;
  }

  endFreely(lane: ModelLane): void {
    this.#underWay--;
    // Where nothing is shared, only those who wait for the same model can have waited for this.
    if (this.#isBounded || lane.waiting > 0) this.#callIn();
  }

  waitMs(entrant: Entrant, now: number): number {
    if (this.#underWay >= (this.#limits.maxParallel ?? Number.POSITIVE_INFINITY)) return Number.POSITIVE_INFINITY;
    return Math.max(this.#requests?.waitMs(1, now) ?? 0, this.#tokens?.waitMs(entrant.tokens, now) ?? 0);
  }

  wait(waiter: Waiter): void {
    this.#queue.add(waiter.entrant.owner, waiter);
    this.#callIn();
  }

  giveUp(waiter: Waiter): void {
    this.#queue.remove(waiter.entrant.owner, waiter);
    this.#callIn();
  }

  learned(lane: ModelLane): void {
    if (lane.waiting === 0) return;
    const now = this.#now();
    if (lane.tooLong(nothing, now))
      for (const waiter of this.#queue.takeAll((one) => one.lane === lane))
        waiter.refuse(lane.tooLong(waiter.entrant, now) as AgentError);
    this.#callIn();
  }

  #now(): number {
    return this.#options.clock.monotonicMs();
  }

  /** Everybody whose turn it is; for the next one there is a timer, as long as somebody waits. */
  #callIn(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    if (this.#queue.size === 0) return;
    const round: Round = {
      now: this.#now(),
      heldBack: new Set(),
      skipped: 0,
      waitMs: Number.POSITIVE_INFINITY,
    };
    const judge = (waiter: Waiter) => this.#judge(waiter, round);
    for (let next = this.#queue.take(judge); next; next = this.#queue.take(judge)) next.enter(round.now);
    if (this.#queue.size > 0 && round.waitMs < Number.POSITIVE_INFINITY) this.#callInAfter(round.waitMs);
  }

  /**
   * Who waits for a model that is held back keeps up those behind it that want the same model, and nobody else; who waits
   * for what is shared keeps up everybody.
   */
  #judge({ lane, entrant }: Waiter, round: Round): Judgement {
    if (round.skipped === this.#queue.size) return 'stop';
    if (round.heldBack.has(lane)) return 'skip';
    const heldBackMs = lane.heldBackMs(entrant, round.now);
    const waitMs = heldBackMs > 0 ? heldBackMs : this.waitMs(entrant, round.now);
    if (waitMs === 0) return 'take';
    round.waitMs = Math.min(round.waitMs, waitMs);
    if (heldBackMs === 0) return 'stop';
    round.heldBack.add(lane);
    round.skipped += lane.waiting;
    return 'skip';
  }

  /** Keeps the process alive, and is right to: somebody waits for it. */
  #callInAfter(waitMs: number): void {
    this.#cancelTimer = this.#options.clock.after(Math.ceil(waitMs), () => {
      this.#cancelTimer = undefined;
      this.#callIn();
    });
  }
}

const nothing = { tokens: 0, inputTokens: 0 };

function least(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}

/** What was counted stays counted. */
function meterOf(meter: Meter | undefined, perMinute: number): Meter {
  if (!meter) return new Meter(perMinute);
  meter.setBound(perMinute);
  return meter;
}
