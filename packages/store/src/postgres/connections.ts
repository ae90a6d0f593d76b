// Connections to the database: one for what is written, a few for what is read. Those that were lost are made again when asked for.

import type { Client, Pool, PoolConfig } from 'pg';
import { isConnectionLost } from './failures.ts';

export interface Connections {
  readonly writing: Pool;
  readonly reading: Pool;
  close(): Promise<void>;
}

const readers = 4;
/** How long the database may take to let us in, to answer, and to wait for a row that another has. */
const patience = { connectMs: 5_000, answerMs: 15_000, lockMs: 10_000 } as const;

/** Nothing is connected to before something is asked. */
export async function openConnections(url: string): Promise<Connections> {
  const { default: pg } = await import('pg');
  const open = (max: number) => {
    const pool = new pg.Pool({ ...settings, connectionString: url, max, Client: hangingUp(pg.Client) });
    // What was lost in between is found out by who asks next.
    pool.on('error', () => {});
    pool.on('connect', (client) => client.on('error', () => {}));
    return pool;
  };
  const pools = { writing: open(1), reading: open(readers) };
  return {
    ...pools,
    close: async () => {
      await Promise.all([pools.writing.end(), pools.reading.end()]);
    },
  };
}

/** Whoever is not let in would wait until the database hangs up, and its process with it. */
function hangingUp(client: typeof Client): typeof Client {
  class Caller extends client {
    // Of the two ways to connect, that of pools.
    override connect(callback?: unknown): Promise<this> {
      if (typeof callback !== 'function') return super.connect() as Promise<this>;
      super.connect((error: Error) => {
        if (error) this.connection.stream.destroy();
        callback(error);
      });
      return Promise.resolve(this);
    }
  }
  return Caller;
}

/** Reads once more where the connection was lost. */
export async function again<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!isConnectionLost(error)) throw error;
    return read();
  }
}

const settings: PoolConfig = {
  application_name: 'ai-agent',
  connectionTimeoutMillis: patience.connectMs,
  idleTimeoutMillis: 30_000,
  keepAlive: true,
  allowExitOnIdle: true,
  // Later than the database itself gives up: this one is for a database that is not there any more.
  query_timeout: patience.answerMs + 5_000,
  // Said in a statement and not with the connection: poolers in between refuse settings that they do not know.
  onConnect: async (client) => {
    await client.query(
      `SET statement_timeout = ${patience.answerMs}; SET lock_timeout = ${patience.lockMs};
       SET idle_in_transaction_session_timeout = ${patience.answerMs}; SET client_min_messages = warning`,
    );
  },
};
