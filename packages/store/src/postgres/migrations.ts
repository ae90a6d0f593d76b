// The tables of a PostgreSQL store, version after version: each is reached from the one before, by one server at a time.

import { AgentError } from '@ai-agent/core';
import type { ClientBase, Pool } from 'pg';
import type { Tables } from './tables.ts';

/** What is there is brought to this version. Throws `store-newer` where it is ahead of us. */
export async function migrate(pool: Pool, tables: Tables, place: string): Promise<void> {
  if ((await versionOf(pool, tables, place)) === migrations.length) return;
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    // Several servers start at once: the others wait here, and find everything done.
    await client.query(`SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`, [`ai-agent tables ${tables.schema}`]);
    const version = await versionOf(client, tables, place);
    if (version === 0) await createSchema(client, tables);
    for (const statements of migrations.slice(version)) await client.query(tables.name(statements));
    await client.query(tables.name('UPDATE {about} SET version = $1'), [migrations.length]);
    await client.query('COMMIT');
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
}

async function versionOf(client: Pick<ClientBase, 'query'>, tables: Tables, place: string): Promise<number> {
  // By the catalogue itself: functions that look for a table may remember that there was none.
  const look =
    "SELECT FROM pg_class WHERE relname = 'about' AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $1)";
  if ((await client.query(look, [tables.schema])).rowCount === 0) return 0;
  const { rows } = await client.query(tables.name('SELECT version FROM {about}'));
  const version: number = rows[0]?.version ?? 0;
  if (version <= migrations.length) return version;
  const ours = `this ai-agent knows them up to version ${migrations.length}`;
  throw new AgentError('store-newer', `The tables of the database ${place} are of version ${version}: ${ours}.`);
}

/** Who may not create one may still use one that is there. */
async function createSchema(client: ClientBase, tables: Tables): Promise<void> {
  const { rows } = await client.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [tables.schema]);
  if (rows.length === 0) await client.query(tables.name('CREATE SCHEMA {schema}'));
}

// Texts are JSON, or written as in JSON: PostgreSQL takes no character zero. An owner or a user that is missing is the empty
// text, because an index has an order behind a text and none behind nothing. One that was published is never edited.
const migrations: readonly string[] = [
  `
  CREATE TABLE {about} (version integer NOT NULL);
  INSERT INTO {about} VALUES (0);

  CREATE TABLE {sessions} (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text COLLATE "C" NOT NULL UNIQUE,
    owner text NOT NULL,
    on_behalf_of text NOT NULL,
    agent text NOT NULL,
    headend text NOT NULL,
    status text NOT NULL,
    created_at double precision NOT NULL,
    ended_at double precision,
    resumptions integer NOT NULL,
    writer text NOT NULL,
    head text NOT NULL,
    facts integer NOT NULL DEFAULT 0,
    bytes bigint NOT NULL
  );
  CREATE INDEX sessions_by_time ON {sessions} (created_at, number);
  CREATE INDEX sessions_by_owner ON {sessions} (owner, created_at, number);
  CREATE INDEX sessions_by_user ON {sessions} (owner, on_behalf_of, created_at, number);
  CREATE INDEX sessions_by_agent ON {sessions} (agent, created_at, number);
  CREATE INDEX sessions_by_status ON {sessions} (status, created_at, number);
  CREATE INDEX sessions_by_end ON {sessions} (ended_at, number) WHERE ended_at IS NOT NULL;
  CREATE INDEX sessions_under_way ON {sessions} (writer) WHERE status IN ('queued', 'running');

  CREATE TABLE {facts} (
    session bigint NOT NULL REFERENCES {sessions} ON DELETE CASCADE,
    number integer NOT NULL,
    json text NOT NULL,
    PRIMARY KEY (session, number)
  );

  CREATE TABLE {pauses} (handle text COLLATE "C" PRIMARY KEY, kept_at double precision NOT NULL, json text NOT NULL);
  CREATE INDEX pauses_by_time ON {pauses} (kept_at);

  CREATE TABLE {notes} (name text PRIMARY KEY, until double precision NOT NULL, json text NOT NULL);
  CREATE INDEX notes_by_time ON {notes} (until);

  -- Who writes, and the last batch of each.
  CREATE TABLE {writers} (
    id text PRIMARY KEY,
    host text NOT NULL,
    pid integer NOT NULL,
    started text,
    seen timestamptz NOT NULL,
    batch bigint NOT NULL
  );
  `,
  // In the order of the characters, whatever the language of the database: those that begin alike lie beside each other.
  'ALTER TABLE {notes} ALTER COLUMN name TYPE text COLLATE "C"',
];
