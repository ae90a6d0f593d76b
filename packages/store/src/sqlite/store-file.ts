// One file that is open, in the thread that has it: answers batches, each written as a whole.

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { type Answer, type Ask, isRead, type StoreFailure, type Value } from '../ask.ts';
import { openDatabase, transact } from './database.ts';
import { isOfPlace, StoreRefusal, toFailure } from './failure.ts';
import { Interruption } from './interruption.ts';
import { SessionList } from './list-sessions.ts';
import type { WorkerStart } from './messages.ts';
import { SessionsTable } from './sessions-table.ts';
import { Tending } from './tending.ts';

export interface LastBatch {
  readonly batch: number;
  readonly answers: readonly Answer[];
}

export class StoreFile {
  readonly db: DatabaseSync;
  readonly interruption: Interruption;
  readonly tending: Tending;
  readonly #path: string;
  readonly #sessions: SessionsTable;
  readonly #list: SessionList;
  readonly #lastBatch: StatementSync;
  readonly #small: Readonly<Record<SmallAsk, StatementSync>>;
  #isDamaged = false;

  constructor({ path, writer, retention }: WorkerStart) {
    this.#path = path;
    const db = openDatabase(path);
    this.db = db;
    this.interruption = new Interruption(db, writer);
    this.#sessions = new SessionsTable(db, writer.id);
    this.#list = new SessionList(db);
    this.tending = new Tending(db, this.#sessions, retention);
    this.#lastBatch = db.prepare('SELECT batch, answers FROM writers WHERE id = ?');
    this.#small = {
      'put-pause': db.prepare('INSERT OR REPLACE INTO pauses (handle, kept_at, json) VALUES (?, ?, ?)'),
      'get-pause': db.prepare('SELECT json FROM pauses WHERE handle = ?'),
      'delete-pause': db.prepare('DELETE FROM pauses WHERE handle = ?'),
      'put-note': db.prepare('INSERT OR REPLACE INTO notes (name, until, json) VALUES (?, ?, ?)'),
      'claim-note': db.prepare(
        'INSERT INTO notes (name, until, json) VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE SET until = excluded.until, json = excluded.json WHERE notes.until <= ?',
      ),
      'get-note': db.prepare('SELECT json FROM notes WHERE name = ? AND until > ?'),
      'list-notes': db.prepare('SELECT name, until FROM notes WHERE name >= ? ORDER BY name'),
      'delete-note': db.prepare('DELETE FROM notes WHERE name = ?'),
    };
  }

  /** Nothing is written to it any more. */
  get isDamaged(): boolean {
    return this.#isDamaged;
  }

  /** What this writer has kept last, for who does not know whether it was. */
  lastBatch(writer: string): LastBatch | undefined {
    const row = this.#lastBatch.get(writer) as { batch: number; answers: string } | undefined;
    return row && { batch: row.batch, answers: JSON.parse(row.answers) as readonly Answer[] };
  }

  /** All of them write, or all of them read. */
  perform(asks: readonly Ask[], batch: number, now: number): readonly Answer[] {
    if (asks.every(isRead)) return asks.map((ask) => this.#read(ask, now));
    try {
      if (this.#isDamaged)
        throw new StoreRefusal('store-damaged', `The store ${this.#path} is damaged: nothing is written to it.`);
      this.#lookAfterClaims(asks, now);
      return this.#write(asks, batch, now);
    } catch (error) {
      const failure = this.toFailure(error);
      return asks.map(() => ({ failure }));
    }
  }

  #write(asks: readonly Ask[], batch: number, now: number): readonly Answer[] {
    const keep = (answer: (ask: Ask) => Answer) =>
      transact(this.db, () => {
        const answers = asks.map(answer);
        // With all of them, once: whoever finds it there finds what came of each.
        this.interruption.noteBatch(batch, JSON.stringify(answers), now);
        return answers;
      });
    try {
      return keep((ask) => this.#try(ask, now));
    } catch (error) {
      if (isOfPlace(error)) throw error;
      // What one of them suffers from is not for the others.
      return keep((ask) => this.#tryApart(ask, now));
    }
  }

  /** Whoever goes on with a session need not wait until it is noticed that its process is gone. */
  #lookAfterClaims(asks: readonly Ask[], now: number): void {
    const isHeld = asks.some((ask) => ask.do === 'claim' && this.#sessions.otherWriter(ask.head.id) !== undefined);
    if (isHeld) this.interruption.sweep(now);
  }

  #read(ask: Ask, now: number): Answer {
    try {
      return this.#try(ask, now);
    } catch (error) {
      return { failure: this.toFailure(error) };
    }
  }

  /** What throws has changed nothing, and what was done before it in the same transaction stays. */
  #tryApart(ask: Ask, now: number): Answer {
    this.db.exec('SAVEPOINT apart');
    try {
      return this.#try(ask, now);
    } catch (error) {
      // Some failures end the whole transaction.
      if (isOfPlace(error) || !this.db.isTransaction) throw error;
      this.db.exec('ROLLBACK TO apart');
      return { failure: this.toFailure(error) };
    } finally {
      if (this.db.isTransaction) this.db.exec('RELEASE apart');
    }
  }

  #try(ask: Ask, now: number): Answer {
    try {
      return { value: this.#do(ask, now) };
    } catch (error) {
      if (error instanceof StoreRefusal) return { failure: this.toFailure(error) };
      throw error;
    }
  }

  #do(ask: Ask, now: number): Value {
    switch (ask.do) {
      case 'put':
        this.#sessions.put(ask.head);
        return null;
      case 'claim':
        return this.#sessions.claim(ask.head);
      case 'append':
        this.#sessions.append(ask.id, ask.facts);
        return null;
      case 'delete':
        return this.#sessions.delete(ask.id);
      case 'get':
        return this.#get(ask.id);
      case 'facts':
        return this.#sessions.facts(ask.id, ask.after, ask.limit);
      case 'list':
        return this.#list.find(ask.query, this.interruption.left());
      default:
        return this.#doSmall(ask, now);
    }
  }

  /** What runs no more is told as that, also where it cannot be written. */
  #get(id: string): string | null {
    for (const head of this.interruption.left().values()) if (head.id === id) return JSON.stringify(head);
    return this.#sessions.get(id);
  }

  #doSmall(ask: Extract<Ask, { do: SmallAsk }>, now: number): Value {
    const statement = this.#small[ask.do];
    switch (ask.do) {
      case 'put-pause':
        statement.run(ask.handle, now, ask.json);
        return null;
      case 'get-pause':
        return (statement.get(ask.handle)?.json as string | undefined) ?? null;
      case 'delete-pause':
        return Number(statement.run(ask.handle).changes) > 0;
      case 'put-note':
        statement.run(ask.name, ask.untilMs, ask.json);
        return null;
      case 'claim-note':
        return Number(statement.run(ask.name, ask.untilMs, ask.json, now).changes) > 0;
      case 'get-note':
        return (statement.get(ask.name, now)?.json as string | undefined) ?? null;
      case 'list-notes':
        return namesOf(statement.iterate(ask.prefix), ask, now);
      case 'delete-note':
        statement.run(ask.name);
        return null;
    }
  }

  /** One that is damaged stays as it is. */
  toFailure(error: unknown): StoreFailure {
    const failure = toFailure(error, this.#path);
    if (failure.code === 'store-damaged') this.#isDamaged = true;
    return failure;
  }
}

type SmallAsk = `${'put' | 'get' | 'delete'}-${'pause' | 'note'}` | 'claim-note' | 'list-notes';

/** All that begin so follow each other, and are read no further than that. */
function namesOf(
  rows: Iterable<Record<string, unknown>>,
  { prefix, limit }: Extract<Ask, { do: 'list-notes' }>,
  now: number,
): readonly string[] {
  const names: string[] = [];
  // A half of a character is kept as a sign that stands for it.
  const beginning = prefix.toWellFormed();
  for (const row of rows) {
    const { name, until } = row as { name: string; until: number };
    if (!name.startsWith(beginning)) break;
    if (until > now) names.push(name);
    if (names.length === limit) break;
  }
  return names;
}
