// The time a session and those below it were at work: counted while anything works, stopped while all of it waits.

import { wrapUp } from '../defaults.ts';
import type { Clock } from '../ports.ts';

/** What happens at a deadline: sessions of this level get their last word; at level -1 nobody has one any more. */
type OnDeadline = (level: number) => void;

export interface WorkTimeOptions {
  readonly clock: Clock;
  readonly limitMs: number;
  readonly usedMs: number;
  /** How far below its owner the deepest session stands that is alive now. */
  readonly deepest: () => number;
  readonly onDeadline: OnDeadline;
}

/** Every level of sessions gets its own time for a last word: the deepest is told first, the owner last. */
export class WorkTime {
  readonly #options: WorkTimeOptions;
  #limitMs: number;
  /** Used by work of this process. */
  #workedMs = 0;
  /** Used before a restart, by the session that this one continues, or in other processes. */
  #knownMs: number;
  #working = 0;
  #since = 0;
  #toldUntil = 0;
  /** The highest level that was told already, counted from the owner at 0. */
  #toldFrom = Number.POSITIVE_INFINITY;
  #cancel: (() => void) | undefined;

  constructor(options: WorkTimeOptions) {
    this.#options = options;
    this.#knownMs = options.usedMs;
    this.#limitMs = options.limitMs;
  }

  get usedMs(): number {
    const underWayMs = this.#working > 0 ? this.#options.clock.monotonicMs() - this.#since : 0;
    return this.#knownMs + this.#workedMs + underWayMs;
  }

  /** Work of another process, which has not counted it for this budget. */
  spend(startedAt: number, endedAt: number): void {
    // Work side by side is one time.
    this.#knownMs += Math.max(0, endedAt - Math.max(startedAt, this.#toldUntil));
    this.#toldUntil = Math.max(this.#toldUntil, endedAt);
    this.#arm();
  }

  /** Takes the total that was recorded when a call ended. Adds the part that this process has not counted itself. */
  recall(usedMs: number): void {
    this.#knownMs += Math.max(0, usedMs - this.usedMs);
    this.#arm();
  }

  /** Whoever comes now has it too, at whatever level; those who were told before are ending. */
  raise(limitMs: number): void {
    if (limitMs <= this.#limitMs) return;
    this.#limitMs = limitMs;
    this.#toldFrom = Number.POSITIVE_INFINITY;
    this.update();
  }

  isOver(level: number): boolean {
    return level >= this.#toldFrom || this.usedMs >= this.#deadline(level);
  }

  begin(): void {
    this.#working++;
    if (this.#working > 1) return;
    this.#since = this.#options.clock.monotonicMs();
    this.#arm();
  }

  end(): void {
    this.#working--;
    if (this.#working > 0) return;
    this.#workedMs += this.#options.clock.monotonicMs() - this.#since;
    this.stop();
  }

  /** Sessions came or went: another level may be the next to be told. */
  update(): void {
    if (this.#working > 0) this.#arm();
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #arm(): void {
    this.stop();
    if (this.#working === 0 || this.#toldFrom < 0) return;
    const level = Math.min(this.#options.deepest(), this.#toldFrom - 1);
    const leftMs = Math.max(0, this.#deadline(level) - this.usedMs);
    this.#cancel = this.#options.clock.after(Math.ceil(leftMs), () => {
      this.#cancel = undefined;
      this.#toldFrom = level;
      this.#options.onDeadline(level);
      this.#arm();
    });
  }

  #deadline(level: number): number {
    const lastWordMs = Math.min(wrapUp.timeMs, this.#limitMs * wrapUp.share);
    return this.#limitMs - lastWordMs * (level + 1);
  }
}
