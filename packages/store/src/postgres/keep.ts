// Whoever keeps batches in PostgreSQL: what is written goes into a transaction; what is read has connections of its own.

import { type Answer, type Ask, isRead, type Read } from '../ask.ts';
import type { Keep } from '../batched-store.ts';
import type { Writer } from '../writer.ts';
import { again, type Connections } from './connections.ts';
import { isAboutData, toStoreFailure } from './failures.ts';
import { giveBack } from './heads.ts';
import { Numbers } from './numbers.ts';
import { Presence } from './presence.ts';
import { readOne } from './read.ts';
import type { Tables } from './tables.ts';
import { Transactions, type Work } from './transactions.ts';
import type { Upkeep } from './upkeep.ts';
import { writeAll } from './write.ts';
import type { Taken, Write } from './writing.ts';

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
  /** Sessions that may have been taken for somebody who was told otherwise. */
  #doubtful: readonly Taken[] = [];

  constructor(options: KeepOptions) {
    this.#options = options;
    const presence = new Presence(options.tables, options.writer);
    this.#transactions = new Transactions(options.connections.writing, presence);
  }

  readonly perform = async (asks: readonly Ask[]): Promise<readonly Answer[]> => {
    if (asks.every(isRead)) return Promise.all(asks.map((read) => this.#read(read)));
    return this.#writeAll(asks as readonly Write[]);
  };

  async close(): Promise<void> {
    await this.#options.upkeep.close();
    await this.#options.connections.close();
  }

  async #writeAll(writes: readonly Write[]): Promise<readonly Answer[]> {
    const answers: Answer[] = [];
    let failed: Answer | undefined;
    for (const part of inParts(writes)) {
      // Whoever comes behind what has failed would come too early, and would fail as well.
      const given: readonly Answer[] = failed ? part.map(() => failed as Answer) : await this.#write(part);
      for (const answer of given) answers.push(answer);
      failed = given.find((answer) => 'failure' in answer && answer.failure.code !== 'store-failed');
    }
    return answers;
  }

  async #write(writes: readonly Write[]): Promise<readonly Answer[]> {
    try {
      return await this.#claimLeft(writes, await this.#transact(writes));
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
    const doubtful = this.#doubtful;
    let taken: Taken[] = [];
    const work: Work<readonly Answer[]> = async (client) => {
      taken = [];
      const writing = { client, tables, writer: writer.id, numbers, now, taken };
      numbers.begin();
      if (doubtful.length > 0) await giveBack(writing, doubtful);
      return writeAll(writing, writes);
    };
    const answers = await this.#transactions.run(work).catch((error: unknown) => {
      // Whoever hears that a claim has failed does not run that session.
      this.#doubtful = [...doubtful, ...taken];
      throw error;
    });
    this.#doubtful = [];
    numbers.commit();
    upkeep.hasWritten();
    return answers;
  }

  /** Whoever goes on with a session need not wait until it is noticed that its process is gone. */
  async #claimLeft(writes: readonly Write[], answers: readonly Answer[]): Promise<readonly Answer[]> {
    const isHeld = ({ do: what }: Write, at: number) => what === 'claim' && isNo(answers[at]);
    const held = writes.filter(isHeld);
    if (held.length === 0 || (await this.#options.upkeep.interruptLeft()) === 0) return answers;
    const again = await this.#transact(held);
    return answers.map((answer, at) => again[held.indexOf(writes[at] as Write)] ?? answer);
  }

  async #read(read: Read): Promise<Answer> {
    const { connections, tables, place, now } = this.#options;
    try {
      return { value: await again(() => readOne({ pool: connections.reading, tables, now }, read)) };
    } catch (error) {
      return { failure: toStoreFailure(error, place) };
    }
  }
}

function isNo(answer: Answer | undefined): boolean {
  return answer !== undefined && 'value' in answer && answer.value === false;
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
