// The row of this process among those that write: it says that the process is there, and what it has kept last.

import type { ClientBase } from 'pg';
import type { Writer } from '../writer.ts';
import type { Tables } from './tables.ts';
import { escapeLiteral } from './text.ts';

export class Presence {
  readonly #tables: Tables;
  readonly #writer: Writer;

  constructor(tables: Tables, writer: Writer) {
    this.#tables = tables;
    this.#writer = writer;
  }

  get id(): string {
    return this.#writer.id;
  }

  /** A statement without parameters, for the end of a transaction: the time is that of the database. */
  sign(batch: number): string {
    const { id, host, pid, started } = this.#writer;
    const start = started === null ? 'NULL' : escapeLiteral(started);
    const values = `${escapeLiteral(id)}, ${escapeLiteral(host)}, ${pid}, ${start}, clock_timestamp(), ${batch}`;
    return this.#tables.name(
      `INSERT INTO {writers} AS known VALUES (${values})
       ON CONFLICT (id) DO UPDATE SET seen = excluded.seen, batch = greatest(known.batch, excluded.batch)`,
    );
  }

  /** The last that was kept, once nobody is about to keep another. */
  async last(client: ClientBase): Promise<number> {
    const statement = this.#tables.name('SELECT batch FROM {writers} WHERE id = $1 FOR UPDATE');
    const { rows } = await client.query<{ batch: string }>(statement, [this.id]);
    return Number(rows[0]?.batch ?? 0);
  }
}
