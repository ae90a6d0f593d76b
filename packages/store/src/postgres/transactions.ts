// One transaction that happens once: when the connection goes while it is committed, the database is asked whether it was.

import type { ClientBase, Pool } from 'pg';
import { isConnectionLost, isInTheWay } from './failures.ts';
import type { Presence } from './presence.ts';

/** What is done in it. Called again when nothing of it has been kept. */
export type Work<T> = (client: ClientBase) => Promise<T>;

export class Transactions {
  readonly #pool: Pool;
  readonly #presence: Presence;
  #count = 0;

  constructor(pool: Pool, presence: Presence) {
    this.#pool = pool;
    this.#presence = presence;
  }

  /** Settles when it is kept for good. Whether one that fails because nobody answers was kept is not known. */
  async run<T>(work: Work<T>): Promise<T> {
    const number = ++this.#count;
    let doubt: { readonly result: T } | undefined;
    for (let attempt = 1; ; attempt++) {
      try {
        const client = await this.#pool.connect();
        return await this.#try(client, { number, doubt, work, onCommit: (result) => (doubt = { result }) });
      } catch (error) {
        const isWorthIt = isConnectionLost(error) || isInTheWay(error);
        if (!isWorthIt || attempt === mostAttempts) throw error;
      }
    }
  }

  async #try<T>(client: Releasable, { number, doubt, work, onCommit }: Attempt<T>): Promise<T> {
    try {
      await client.query('BEGIN');
      // Waits for an earlier attempt that is still at it.
      if (doubt && (await this.#presence.last(client)) >= number) {
        await client.query('ROLLBACK');
        client.release();
        return doubt.result;
      }
      const result = await work(client);
      onCommit(result);
      await client.query(`${this.#presence.sign(number)}; COMMIT`);
      client.release();
      return result;
    } catch (error) {
      // What it has begun ends with its connection.
      client.release(true);
      throw error;
    }
  }
}

type Releasable = ClientBase & { release(isBroken?: boolean): void };

interface Attempt<T> {
  readonly number: number;
  /** What came of an earlier attempt that may have been kept. */
  readonly doubt: { readonly result: T } | undefined;
  readonly work: Work<T>;
  readonly onCommit: (result: T) => void;
}

const mostAttempts = 3;
