// One row before tools: so many calls at once, so many begun in any minute, and owners take turns.

import { type Clock, FairQueue, type LeaveQueue, type QueuedCall, type ToolQueue } from '@ai-agent/core';
import type { QueueSize } from './set-up.ts';
import { StartRate } from './start-rate.ts';

export class Row implements ToolQueue {
  readonly #clock: Clock;
  readonly #waiting = new FairQueue<Waiter>();
  #concurrent: number;
  #isConcurrentSaid = false;
  #rate: StartRate | undefined;
  #underWay = 0;
  #cancelTimer: (() => void) | undefined;

  /** `concurrent` holds until somebody says something else. */
  constructor(clock: Clock, concurrent: number) {
    this.#clock = clock;
    this.#concurrent = concurrent;
  }

  get holders(): number {
    return this.#underWay;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Of what is said of one row in several places, the largest number at once and the latest rate hold; silence changes nothing. */
  resize({ concurrent, callsPerMinute }: QueueSize): void {
    if (concurrent !== undefined) {
      this.#concurrent = this.#isConcurrentSaid ? Math.max(this.#concurrent, concurrent) : concurrent;
      this.#isConcurrentSaid = true;
    }
    if (callsPerMinute !== undefined && this.#rate) this.#rate.setBound(callsPerMinute);
    else if (callsPerMinute !== undefined) this.#rate = new StartRate(callsPerMinute);
    this.#callIn();
  }

  /** Not async: most of the time there is nothing to wait for. */
  enter(call: QueuedCall): LeaveQueue | Promise<LeaveQueue> {
    if (call.signal.aborted) return Promise.reject(call.signal.reason);
    const isBack = call.isBack === true;
    if (this.#waiting.size === 0 && this.#waitMs(isBack) === 0) return this.#start(isBack);
    return this.#wait(call, isBack);
  }

  #wait({ owner, signal }: QueuedCall, isBack: boolean): Promise<LeaveQueue> {
    return new Promise((resolve, reject) => {
      const enter = () => {
        signal.removeEventListener('abort', giveUp);
        resolve(this.#start(isBack));
      };
      const waiter = { enter, isBack };
      const giveUp = () => {
        this.#waiting.remove(owner, waiter);
        reject(signal.reason);
        if (this.#waiting.size === 0) this.#callIn();
      };
      signal.addEventListener('abort', giveUp, { once: true });
      this.#waiting.add(owner, waiter);
      if (this.#waiting.size === 1 || isBack) this.#callIn();
    });
  }

  /** Who comes back has begun before. */
  #start(isBack: boolean): LeaveQueue {
    this.#underWay++;
    if (!isBack) this.#rate?.count(this.#clock.monotonicMs());
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#underWay--;
      this.#callIn();
    };
  }

  /** Until the next one may begin; endless when only the end of another one helps. */
  #waitMs(isBack = false): number {
    if (this.#underWay >= this.#concurrent) return Number.POSITIVE_INFINITY;
    if (isBack) return 0;
    return this.#rate?.waitMs(this.#clock.monotonicMs()) ?? 0;
  }

  /** Everybody whose turn it is; for the next one there is a timer, as long as somebody waits for time to pass. */
  #callIn(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    while (this.#waiting.size > 0) {
      const waitMs = this.#waitMs();
      const isFull = waitMs === Number.POSITIVE_INFINITY;
      const next = isFull ? undefined : this.#waiting.take(({ isBack }) => (waitMs === 0 || isBack ? 'take' : 'skip'));
      if (!next) {
        if (!isFull) this.#cancelTimer = this.#clock.after(Math.ceil(waitMs), this.#wake);
        return;
      }
      next.enter();
    }
  }

  readonly #wake = () => {
    this.#cancelTimer = undefined;
    this.#callIn();
  };
}

interface Waiter {
  enter(): void;
  readonly isBack: boolean;
}
