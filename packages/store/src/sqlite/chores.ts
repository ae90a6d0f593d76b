// What the thread does when nobody asks: says that it is there, looks after other writers, and deletes what is kept for too long.

import type { StoreFailure } from '../ask.ts';
import type { Deleted } from '../store.ts';
import { WallClockGuard } from '../wall-clock-guard.ts';
import { beatMs } from '../writer.ts';
import type { StoreFile } from './store-file.ts';

/** The first look at what is kept comes when the first answers are out. */
const firstTendingMs = 300;
const tendingMs = 60_000;
/** What was deleted is gone from the file when it is closed, as far as that takes no longer. */
const lastTendingMs = 1_000;

export interface ChoresOptions {
  readonly now: () => number;
  readonly onFailure: (failure: StoreFailure) => void;
  readonly onTended: (deleted: Deleted) => void;
  readonly onWarning: (sentence: string) => void;
}

export class Chores {
  readonly #file: StoreFile;
  readonly #options: ChoresOptions;
  readonly #beating: NodeJS.Timeout;
  #tending: NodeJS.Timeout | NodeJS.Immediate;
  #lastBeat: number;
  #clockGuard: WallClockGuard | undefined;
  /** Told once, until it is another. */
  #told: string | undefined;

  constructor(file: StoreFile, options: ChoresOptions) {
    this.#file = file;
    this.#options = options;
    this.#lastBeat = options.now();
    this.#attempt(() => file.interruption.sweep(options.now()));
    this.#beating = setInterval(() => this.#beat(), beatMs);
    this.#tending = setTimeout(() => this.#tend(), firstTendingMs);
  }

  /** Something was deleted. */
  tendSoon(): void {
    clear(this.#tending);
    this.#tending = setImmediate(() => this.#tend());
  }

  end(): void {
    clearInterval(this.#beating);
    clear(this.#tending);
    const endsAt = performance.now() + lastTendingMs;
    while (performance.now() < endsAt && this.#attempt(() => this.#file.tending.deleteDoomed()));
    this.#attempt(() => this.#file.interruption.leave());
  }

  #beat(): void {
    const { interruption } = this.#file;
    const now = this.#options.now();
    // A machine that has slept wakes everybody at once: who is late itself lets the others speak first.
    const isLate = now - this.#lastBeat > 2 * beatMs;
    this.#lastBeat = now;
    this.#attempt(() => interruption.beat(now));
    if (!isLate) this.#attempt(() => interruption.sweep(now));
  }

  #tend(): void {
    const isMore = this.#attempt(() => this.#step());
    if (!isMore) this.#tellTended();
    // Whoever asks meanwhile comes first.
    this.#tending = isMore ? setImmediate(() => this.#tend()) : setTimeout(() => this.#tend(), tendingMs);
  }

  #step(): boolean {
    const { tending } = this.#file;
    const { now, onWarning } = this.#options;
    this.#clockGuard ??= new WallClockGuard({ now, onWarning, lastUse: tending.lastUse(now()) });
    return tending.step(this.#clockGuard.trustedTime());
  }

  /** Once for all that went together. */
  #tellTended(): void {
    const deleted = this.#file.tending.takeDeleted();
    if (deleted.byAge + deleted.bySize > 0) this.#options.onTended(deleted);
  }

  #attempt<T>(work: () => T): T | undefined {
    if (this.#file.isDamaged) return undefined;
    try {
      const done = work();
      this.#told = undefined;
      return done;
    } catch (error) {
      const failure = this.#file.toFailure(error);
      // What can only be read has nothing to be looked after.
      if (failure.code !== 'store-read-only' && this.#told !== failure.message) this.#options.onFailure(failure);
      this.#told = failure.message;
      return undefined;
    }
  }
}

function clear(timer: NodeJS.Timeout | NodeJS.Immediate): void {
  if ('hasRef' in timer && 'refresh' in timer) clearTimeout(timer);
  else clearImmediate(timer as NodeJS.Immediate);
}
