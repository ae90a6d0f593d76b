// What a store does by itself: says that its process is there, finds sessions that were left under way, and deletes what is old.

import type { Deleted } from '../store.ts';
import { WallClockGuard } from '../wall-clock-guard.ts';
import { beatMs, goneAfterMs, type Writer } from '../writer.ts';
import type { Connections } from './connections.ts';
import { toStoreError } from './failures.ts';
import { interruptLeft } from './interrupt-left.ts';
import { Presence } from './presence.ts';
import { deleteOld, type Limits, lastUse } from './retention.ts';
import type { Tables } from './tables.ts';

export interface UpkeepOptions {
  readonly connections: Connections;
  readonly tables: Tables;
  readonly place: string;
  readonly writer: Writer;
  readonly limits: Limits;
  readonly onBug: (error: unknown) => void;
  readonly onTended: (deleted: Deleted) => void;
  readonly onWarning: (sentence: string) => void;
  readonly now: () => number;
}

/** How often what is old is looked for. */
const tidyEveryMs = 60_000;

export class Upkeep {
  readonly #options: UpkeepOptions;
  readonly #timers: readonly NodeJS.Timeout[];
  #underWay: Promise<void> = Promise.resolve();
  #hasWritten = false;
  #isFailing = false;
  /** How many chores wait for their turn. */
  #waiting = 0;
  #lastBeat = performance.now();
  #clockGuard: WallClockGuard | undefined;
  /** How many came in their time since the database, or this machine, was away. */
  #steadyBeats = Number.POSITIVE_INFINITY;

  constructor(options: UpkeepOptions) {
    this.#options = options;
    const every = (ms: number, work: () => Promise<void>) => setInterval(() => this.#do(work), ms).unref();
    this.#timers = [every(beatMs, this.#beat), every(tidyEveryMs, this.#tidy)];
    this.#do(this.#tidy);
  }

  /** From now on others look for this process. */
  hasWritten(): void {
    this.#hasWritten = true;
  }

  /** How many were. */
  async interruptLeft(): Promise<number> {
    const { connections, tables, writer } = this.#options;
    const couldHear = this.#steadyBeats * beatMs > goneAfterMs;
    return interruptLeft({ pool: connections.reading, tables, self: writer.id, couldHear });
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.#underWay;
    if (this.#hasWritten) await this.#leave().catch((error: unknown) => this.#tell(error));
  }

  /** One after the other. What fails is tried again in its time, and told once. */
  #do(work: () => Promise<void>): void {
    // A database that is slow is not asked more and more.
    if (this.#waiting > 1) return;
    this.#waiting += 1;
    this.#underWay = this.#underWay.then(work).then(
      () => {
        this.#waiting -= 1;
        this.#isFailing = false;
      },
      (error: unknown) => {
        this.#waiting -= 1;
        this.#tell(error);
      },
    );
  }

  #tell(error: unknown): void {
    const told = toStoreError(error, this.#options.place);
    // Who only reads does not look after others.
    if (!this.#isFailing && told.code !== 'store-read-only') this.#options.onBug(told);
    this.#isFailing = true;
    this.#steadyBeats = 0;
  }

  readonly #beat = async (): Promise<void> => {
    const { connections, tables, writer } = this.#options;
    const isLate = performance.now() - this.#lastBeat > 2 * beatMs;
    this.#lastBeat = performance.now();
    this.#steadyBeats = isLate ? 0 : this.#steadyBeats + 1;
    if (this.#hasWritten) await connections.reading.query(new Presence(tables, writer).sign(0));
    await this.interruptLeft();
  };

  readonly #tidy = async (): Promise<void> => {
    const { connections, tables, limits, now, onTended, onWarning } = this.#options;
    const deleted = { byAge: 0, bySize: 0 };
    const database = { pool: connections.reading, tables };
    this.#clockGuard ??= new WallClockGuard({ now, onWarning, lastUse: await lastUse(database, now()) });
    try {
      await deleteOld({ ...database, trustedTime: this.#clockGuard.trustedTime(), deleted }, limits);
    } finally {
      if (deleted.byAge + deleted.bySize > 0) onTended(deleted);
    }
  };

  /** What is under way yet is nobody's from now on. */
  async #leave(): Promise<void> {
    const { connections, tables, writer } = this.#options;
    await connections.reading.query(tables.name('DELETE FROM {writers} WHERE id = $1'), [writer.id]);
    await this.interruptLeft();
  }
}
