// What is kept for too long, or is too much, goes: a little at a time, so that whoever writes hardly waits. What is under way stays.

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Deleted, Retention } from '../store.ts';
import { hourMs } from '../wall-clock-guard.ts';
import { numberOf, transact } from './database.ts';
import { factsPerSession } from './migrations.ts';
import type { SessionsTable } from './sessions-table.ts';
import { TooMuch } from './too-much.ts';

/** How long a step goes on deleting; what it has begun is done. */
const stepMs = 30;
const sessionsPerStep = 50;
const factsAtOnce = 64;
/** So much room in the file is left for what comes; what is more is given back. */
const sparePages = 256;
const pagesPerStep = 512;

const none: Deleted = { byAge: 0, bySize: 0 };

export class Tending {
  readonly #db: DatabaseSync;
  readonly #sessions: SessionsTable;
  readonly #retention: Required<Retention>;
  readonly #doomed: StatementSync;
  readonly #deleteFacts: StatementSync;
  readonly #undoom: StatementSync;
  readonly #oldNotes: StatementSync;
  readonly #oldPauses: StatementSync;
  readonly #endedBefore: StatementSync;
  readonly #tooMuch: TooMuch;
  #deleted: Deleted = none;

  constructor(db: DatabaseSync, sessions: SessionsTable, retention: Required<Retention>) {
    this.#db = db;
    this.#sessions = sessions;
    this.#retention = retention;
    const onDeleted = (count: number) => this.#count('bySize', count);
    this.#tooMuch = new TooMuch({ db, sessions, maxBytes: retention.maxBytes, onDeleted });
    this.#doomed = db.prepare('SELECT session FROM doomed LIMIT 1');
    this.#deleteFacts = db.prepare(
      'DELETE FROM facts WHERE key IN (SELECT key FROM facts WHERE key > ? AND key <= ? ORDER BY key LIMIT ?)',
    );
    this.#undoom = db.prepare('DELETE FROM doomed WHERE session = ?');
    this.#oldNotes = db.prepare(
      'DELETE FROM notes WHERE name IN (SELECT name FROM notes WHERE until <= ? ORDER BY until LIMIT 100)',
    );
    this.#oldPauses = db.prepare(
      'DELETE FROM pauses WHERE handle IN (SELECT handle FROM pauses WHERE kept_at < ? ORDER BY kept_at LIMIT 20)',
    );
    this.#endedBefore = db.prepare(
      `SELECT id FROM sessions WHERE ended_at < ? ORDER BY ended_at LIMIT ${sessionsPerStep}`,
    );
  }

  /** Deletes a single thing that is due; age counts to `trustedTime`. True if there may be more. */
  step(trustedTime: number): boolean {
    return this.deleteDoomed() || this.#deleteOld(trustedTime) || this.#tooMuch.delete() || this.#giveBack();
  }

  /** The last end of a session that is at least an hour ago; 0 if there is none. */
  lastUse(now: number): number {
    const last = this.#db.prepare('SELECT max(ended_at) AS at FROM sessions WHERE ended_at <= ?');
    return Number(last.get(now - hourMs)?.at ?? 0);
  }

  /** How many sessions have gone since that was asked. */
  takeDeleted(): Deleted {
    const deleted = this.#deleted;
    this.#deleted = none;
    return deleted;
  }

  /** Facts of sessions that are gone. Whether there were any. */
  deleteDoomed(): boolean {
    if (!this.#doomed.get()) return false;
    const endsAt = performance.now() + stepMs;
    transact(this.#db, () => {
      do {
        const session = this.#doomed.get()?.session as number | undefined;
        if (session === undefined) return;
        const first = session * factsPerSession;
        const { changes } = this.#deleteFacts.run(first, first + factsPerSession - 1, factsAtOnce);
        if (changes === 0) this.#undoom.run(session);
      } while (performance.now() < endsAt);
    });
    return true;
  }

  #deleteOld(trustedTime: number): boolean {
    const before = trustedTime - this.#retention.maxAgeMs;
    if (this.#delete(this.#endedBefore.all(before).map(({ id }) => id as string))) return true;
    const isDue = this.#db
      .prepare(
        'SELECT 1 WHERE EXISTS (SELECT 1 FROM notes WHERE until <= ?) OR EXISTS (SELECT 1 FROM pauses WHERE kept_at < ?)',
      )
      .get(trustedTime, before);
    if (!isDue) return false;
    transact(this.#db, () => {
      this.#oldNotes.run(trustedTime);
      this.#oldPauses.run(before);
    });
    return true;
  }

  #delete(sessions: readonly string[]): boolean {
    if (sessions.length === 0) return false;
    const count = transact(this.#db, () => sessions.filter((id) => this.#sessions.delete(id)).length);
    this.#count('byAge', count);
    return count > 0;
  }

  #count(why: keyof Deleted, count: number): void {
    this.#deleted = { ...this.#deleted, [why]: this.#deleted[why] + count };
  }

  #giveBack(): boolean {
    const free = numberOf(this.#db, 'freelist_count');
    if (free <= sparePages) return false;
    this.#db.exec(`PRAGMA incremental_vacuum(${Math.min(pagesPerStep, free - sparePages)})`);
    // A file becomes shorter when its log is brought into it.
    if (free - sparePages <= pagesPerStep) this.#db.exec('PRAGMA wal_checkpoint(PASSIVE)');
    return true;
  }
}
