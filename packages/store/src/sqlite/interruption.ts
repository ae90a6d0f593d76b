// Who writes to the file, and what became of those who do not any more: their sessions are interrupted.

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Fact, SessionHead } from '@ai-agent/core';
import { headOfLeft } from '../left-behind.ts';
import { isGone, type Writer } from '../writer.ts';
import { transact } from './database.ts';
import { factsPerSession } from './migrations.ts';

export class Interruption {
  readonly #db: DatabaseSync;
  readonly #self: Writer;
  readonly #note: StatementSync;
  readonly #seen: StatementSync;
  readonly #writers: StatementSync;
  readonly #unknown: StatementSync;
  readonly #isAtWork: StatementSync;
  readonly #open: StatementSync;
  readonly #lastFact: StatementSync;
  readonly #pause: StatementSync;
  readonly #settle: StatementSync;
  readonly #forget: StatementSync;
  /** Writers that are gone, while that could not be written. */
  #unburied: readonly string[] = [];

  constructor(db: DatabaseSync, self: Writer) {
    this.#db = db;
    this.#self = self;
    const underWay = "status IN ('queued', 'running')";
    this.#note = db.prepare(
      'INSERT INTO writers (id, host, pid, started, seen, batch, answers) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET seen = excluded.seen, batch = excluded.batch, answers = excluded.answers',
    );
    this.#seen = db.prepare('UPDATE writers SET seen = ? WHERE id = ?');
    this.#writers = db.prepare('SELECT id, host, pid, started, seen FROM writers WHERE id <> ?');
    this.#unknown = db.prepare(
      `SELECT DISTINCT writer FROM sessions WHERE ${underWay} AND writer <> ? AND writer NOT IN (SELECT id FROM writers)`,
    );
    this.#isAtWork = db.prepare(`SELECT 1 FROM sessions WHERE ${underWay} AND writer = ? LIMIT 1`);
    this.#open = db.prepare(`SELECT number, facts, head FROM sessions WHERE ${underWay} AND writer = ?`);
    this.#lastFact = db.prepare('SELECT json FROM facts WHERE key = ?');
    this.#pause = db.prepare('SELECT 1 FROM pauses WHERE handle = ?');
    this.#settle = db.prepare('UPDATE sessions SET status = ?, ended_at = ?, head = ? WHERE number = ?');
    this.#forget = db.prepare('DELETE FROM writers WHERE id = ?');
  }

  /** With each batch that is written: that it is there, which batch that was, and what it came to. */
  noteBatch(batch: number, answers: string, now: number): void {
    const { id, host, pid, started } = this.#self;
    this.#note.run(id, host, pid, started, now, batch, answers);
  }

  /** Whoever has nothing under way need not be seen. */
  beat(now: number): void {
    if (this.#isAtWork.get(this.#self.id)) this.#seen.run(now, this.#self.id);
  }

  /** Nothing is written where nobody is gone. */
  sweep(now: number): void {
    const gone = this.#findGone(now);
    this.#unburied = gone;
    if (gone.length === 0) return;
    // What was read before may be over: whoever is gone is looked for again, where nobody writes meanwhile.
    transact(this.#db, () => {
      for (const id of this.#findGone(now)) this.#bury(id);
    });
    this.#unburied = [];
  }

  /** Sessions of those who are gone, as they will be when that can be written: a disk may be full. By number. */
  left(): ReadonlyMap<number, SessionHead> {
    return new Map(this.#unburied.flatMap((writer) => this.#leftBy(writer)));
  }

  /** This one writes no more. */
  leave(): void {
    if (this.#isAtWork.get(this.#self.id) || this.#wasNoted()) transact(this.#db, () => this.#bury(this.#self.id));
  }

  #wasNoted(): boolean {
    return this.#db.prepare('SELECT 1 FROM writers WHERE id = ?').get(this.#self.id) !== undefined;
  }

  #findGone(now: number): readonly string[] {
    const writers = this.#writers.all(this.#self.id) as unknown as readonly (Writer & { readonly seen: number })[];
    const gone = writers.filter((writer) => isGone(writer, now)).map(({ id }) => id);
    const unknown = this.#unknown.all(this.#self.id).map((row) => row.writer as string);
    return [...gone, ...unknown];
  }

  #bury(writer: string): void {
    for (const [number, left] of this.#leftBy(writer))
      this.#settle.run(left.status, left.endedAt ?? null, JSON.stringify(left), number);
    this.#forget.run(writer);
  }

  #leftBy(writer: string): readonly (readonly [number, SessionHead])[] {
    return this.#open.all(writer).map((row) => {
      const { number, facts, head } = row as unknown as { number: number; facts: number; head: string };
      const last = this.#lastFact.get(number * factsPerSession + facts)?.json as string | undefined;
      const left = headOfLeft({
        head: JSON.parse(head) as SessionHead,
        facts,
        last: last === undefined ? undefined : (JSON.parse(last) as Fact),
        isWaiting: (handle) => this.#pause.get(handle) !== undefined,
      });
      return [number, left];
    });
  }
}
