// When all of it is more than it may be: the oldest sessions that have ended go with what they wait for. Notes, and what waits for
// sessions that are not here, may take half of the room each.

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { numberOf, transact } from './database.ts';
import type { SessionsTable } from './sessions-table.ts';

type Kind = 'sessions' | 'notes' | 'pauses';

interface Old {
  readonly name: string;
  readonly bytes: number;
}

const sessionsPerStep = 50;
const othersPerStep = 500;

export interface Room {
  readonly db: DatabaseSync;
  readonly sessions: SessionsTable;
  readonly maxBytes: number;
  /** So many sessions have gone. */
  readonly onDeleted: (sessions: number) => void;
}

export class TooMuch {
  readonly #db: DatabaseSync;
  readonly #sessions: SessionsTable;
  readonly #maxBytes: number;
  readonly #onDeleted: (sessions: number) => void;
  readonly #oldest: Readonly<Record<Kind, StatementSync>>;
  readonly #sum: Readonly<Record<'notes' | 'pauses', StatementSync>>;
  readonly #deleteNote: StatementSync;
  readonly #deletePause: StatementSync;

  constructor({ db, sessions, maxBytes, onDeleted }: Room) {
    this.#db = db;
    this.#sessions = sessions;
    this.#maxBytes = maxBytes;
    this.#onDeleted = onDeleted;
    const waiting = `SELECT coalesce(sum(octet_length(json)), 0) FROM pauses WHERE handle >= id AND handle < id || char(0x10ffff)`;
    this.#oldest = {
      // The last that has ended can be read, whatever it comes to.
      sessions: db.prepare(
        `SELECT id AS name, bytes + (${waiting}) AS bytes FROM sessions
         WHERE ended_at < (SELECT MAX(ended_at) FROM sessions WHERE ended_at IS NOT NULL)
         ORDER BY ended_at LIMIT ${sessionsPerStep}`,
      ),
      notes: db.prepare(
        `SELECT name, octet_length(json) AS bytes FROM notes ORDER BY until, name LIMIT ${othersPerStep}`,
      ),
      pauses: db.prepare(
        `SELECT handle AS name, octet_length(json) AS bytes FROM pauses ORDER BY kept_at, handle LIMIT ${othersPerStep}`,
      ),
    };
    this.#sum = {
      notes: db.prepare('SELECT coalesce(sum(octet_length(json)), 0) AS bytes FROM notes'),
      pauses: db.prepare('SELECT coalesce(sum(octet_length(json)), 0) AS bytes FROM pauses'),
    };
    this.#deleteNote = db.prepare('DELETE FROM notes WHERE name = ?');
    this.#deletePause = db.prepare('DELETE FROM pauses WHERE handle = ?');
  }

  /** Some of it. Whether there was any that may go. */
  delete(): boolean {
    const pages = numberOf(this.#db, 'page_count') - numberOf(this.#db, 'freelist_count');
    const excess = pages * numberOf(this.#db, 'page_size') - this.#maxBytes;
    if (excess <= 0) return false;
    return (
      this.#go('notes', this.#beyondHalf('notes'), (name) => Number(this.#deleteNote.run(name).changes) > 0) ||
      this.#go('sessions', excess, (id) => this.#sessions.delete(id)) ||
      this.#go('pauses', this.#beyondHalf('pauses'), (handle) => Number(this.#deletePause.run(handle).changes) > 0)
    );
  }

  #beyondHalf(kind: 'notes' | 'pauses'): number {
    return Number(this.#sum[kind].get()?.bytes ?? 0) - this.#maxBytes / 2;
  }

  #go(kind: Kind, bytes: number, remove: (name: string) => boolean): boolean {
    if (bytes <= 0) return false;
    let left = bytes;
    const going: Old[] = [];
    for (const one of this.#oldest[kind].all() as unknown as readonly Old[]) {
      if (left <= 0) break;
      left -= one.bytes;
      going.push(one);
    }
    if (going.length === 0) return false;
    const count = transact(this.#db, () => going.filter(({ name }) => remove(name)).length);
    if (kind === 'sessions') this.#onDeleted(count);
    return count > 0;
  }
}
