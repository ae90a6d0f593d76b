// Whoever keeps batches in PostgreSQL: what is written goes into a transaction, what is read is read behind it.

import { type Answer, type Ask, isRead } from '../ask.ts';
import type { Keep } from '../batched-store.ts';
import type { Writer } from '../writer.ts';
import { again, type Connections } from './connections.ts';
import { isAboutData, toStoreFailure } from './failures.ts';
import { Numbers } from './numbers.ts';
import { Presence } from './presence.ts';
import { type Read, readOne } from './read.ts';
import type { Tables } from './tables.ts';
import { Transactions } from './transactions.ts';
import type { Upkeep } from './upkeep.ts';
import { writeAll } from './write.ts';
import type { Write } from './writing.ts';

export interface KeepOptions {
  readonly connections: Connections;
  readonly tables: Tables;
  readonly place: string;
  readonly writer: Writer;
  readonly upkeep: Upkeep;
  readonly now: () => number;
}

/** What one transaction takes. */
const most = { characters: 8 * 1024 * 1024, writes: 1_000 } as const;

export class PostgresKeep implements Keep {
  readonly #options: KeepOptions;
  readonly #transactions: Transactions;
  readonly #numbers = new Numbers();

  constructor(options: KeepOptions) {
    this.#options = options;
    const presence = new Presence(options.tables, options.writer);
    this.#transactions = new Transactions(options.connections.writing, presence);
  }

  readonly perform = async (asks: readonly Ask[]): Promise<readonly Answer[]> => {
    const answers = new Map<Ask, Answer>();
    await this.#writeAll(
      asks.filter((ask): ask is Write => !isRead(ask)),
      answers,
    );
    const reads = asks.filter((ask): ask is Read => isRead(ask));
    await Promise.all(reads.map(async (read) => answers.set(read, await this.#read(read))));
    return asks.map((ask) => answers.get(ask) ?? { value: null });
  };

  async close(): Promise<void> {
    await this.#options.upkeep.close();
    await this.#options.connections.close();
  }

  async #writeAll(writes: readonly Write[], answers: Map<Ask, Answer>): Promise<void> {
    let failed: Answer | undefined;
    for (const part of inParts(writes)) {
      // Whoever comes behind what has failed would come too early, and would fail as well.
      const given = failed ? part.map(() => failed as Answer) : await this.#write(part);
      for (const [at, write] of part.entries()) answers.set(write, given[at] ?? { value: null });
      failed ??= given.every((answer) => 'failure' in answer) ? given[0] : undefined;
    }
  }

  async #write(writes: readonly Write[]): Promise<readonly Answer[]> {
    try {
      return await this.#transact(writes);
    } catch (error) {
      const failure = toStoreFailure(error, this.#options.place);
      if (writes.length === 1 || !isAboutData(error)) return writes.map(() => ({ failure }));
      // One of them does not fit: the others are kept without it.
      const answers: Answer[] = [];
      for (const write of writes) answers.push(...(await this.#write([write])));
      return answers;
    }
  }

  async #transact(writes: readonly Write[]): Promise<readonly Answer[]> {
    const { tables, writer, now, upkeep } = this.#options;
    const numbers = this.#numbers;
    const answers = await this.#transactions.run((client) => {
      numbers.begin();
      return writeAll({ client, tables, writer: writer.id, numbers, now }, writes);
    });
    numbers.commit();
    upkeep.hasWritten();
    return answers;
  }

  async #read(read: Read): Promise<Answer> {
    const { connections, tables, place } = this.#options;
    try {
      return { value: await again(() => readOne({ pool: connections.reading, tables }, read)) };
    } catch (error) {
      return { failure: toStoreFailure(error, place) };
    }
  }
}

function* inParts(writes: readonly Write[]): Generator<readonly Write[]> {
  let part: Write[] = [];
  let size = 0;
  for (const write of writes) {
    const more = sizeOf(write);
    if (part.length > 0 && (part.length === most.writes || size + more > most.characters)) {
      yield part;
      part = [];
      size = 0;
    }
    part.push(write);
    size += more;
  }
  if (part.length > 0) yield part;
}

function sizeOf(write: Write): number {
  if (write.do === 'append') return write.facts.reduce((sum, text) => sum + text.length, 0);
  if ('head' in write) return write.head.json.length;
  return 'json' in write ? write.json.length : 0;
}
