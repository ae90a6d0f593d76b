// Opens the file: makes it where there is none, brings older ones up to date, and leaves alone what it cannot read.

import { accessSync, constants, existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { isBusy, isClosedToWriting, StoreRefusal } from './failure.ts';
import { makeFile } from './make-file.ts';
import { applicationId, migrations } from './migrations.ts';

/** How long it is waited for others who write, before that is a failure. */
const busyMs = 5_000;

export function openDatabase(path: string, versions: readonly string[] = migrations): DatabaseSync {
  makeFile(path);
  // Whoever may only read would leave files beside it that those who write cannot use.
  if (!mayWrite(path) && !existsSync(`${path}-wal`)) return openToRead(path, versions);
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(path);
    setUp(db, path, versions);
    return db;
  } catch (error) {
    db?.close();
    if (isClosedToWriting(error)) return openToRead(path, versions);
    throw error;
  }
}

/** Whole, or not at all: what throws has changed nothing. */
export function transact<T>(db: DatabaseSync, work: () => T): T {
  db.exec('BEGIN IMMEDIATE');
  try {
    const done = work();
    db.exec('COMMIT');
    return done;
  } catch (error) {
    // After some failures there is none any more.
    try {
      db.exec('ROLLBACK');
    } catch {}
    throw error;
  }
}

export function numberOf(db: DatabaseSync, pragma: string): number {
  const row = db.prepare(`PRAGMA ${pragma}`).get() ?? {};
  return Number(Object.values(row)[0] ?? 0);
}

function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function setUp(db: DatabaseSync, path: string, versions: readonly string[]): void {
  db.exec(`PRAGMA busy_timeout = ${busyMs}`);
  if (checkVersion(db, path, versions) < versions.length) migrate(db, path, versions);
  db.exec('PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 16777216; PRAGMA temp_store = MEMORY');
}

function checkVersion(db: DatabaseSync, path: string, versions: readonly string[]): number {
  const { version, owner, isEmpty } = lookInside(db);
  if (!isEmpty && owner !== applicationId)
    throw new StoreRefusal('store-failed', `The store ${path} is a database of something else: name another file.`);
  if (version > versions.length)
    throw new StoreRefusal(
      'store-newer',
      `The store ${path} was written by a newer ai-agent: it has version ${version}, and this one knows ${versions.length}.`,
    );
  return version;
}

/** By one statement, so that all of it is of one moment: somebody else may be making the tables just now. */
function lookInside(db: DatabaseSync): { readonly version: number; readonly owner: number; readonly isEmpty: boolean } {
  const row = db
    .prepare(
      'SELECT user_version, application_id, (SELECT count(*) FROM sqlite_schema) AS parts FROM pragma_user_version, pragma_application_id',
    )
    .get() as { user_version: number; application_id: number; parts: number };
  return { version: row.user_version, owner: row.application_id, isEmpty: row.user_version === 0 && row.parts === 0 };
}

function migrate(db: DatabaseSync, path: string, versions: readonly string[]): void {
  // Only a file that is empty takes it.
  db.exec('PRAGMA auto_vacuum = INCREMENTAL');
  patiently(() => db.exec('PRAGMA journal_mode = WAL'));
  db.exec('BEGIN EXCLUSIVE');
  try {
    // Somebody else may have done it since.
    for (let version = checkVersion(db, path, versions); version < versions.length; version++)
      db.exec(`${versions[version]}; PRAGMA user_version = ${version + 1}`);
    db.exec(`PRAGMA application_id = ${applicationId}; COMMIT`);
  } catch (error) {
    try {
      db.exec('ROLLBACK');
    } catch {}
    throw error;
  }
}

/** SQLite waits for nobody when it changes how a file is written. */
function patiently(work: () => void): void {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let tries = 0; ; tries++) {
    try {
      work();
      return;
    } catch (error) {
      if (!isBusy(error) || tries * 20 > busyMs) throw error;
      Atomics.wait(pause, 0, 0, 20);
    }
  }
}

/** As it is, without what SQLite would write beside it. */
function openToRead(path: string, versions: readonly string[]): DatabaseSync {
  const url = pathToFileURL(path);
  url.searchParams.set('immutable', '1');
  const db = new DatabaseSync(url, { readOnly: true });
  try {
    if (checkVersion(db, path, versions) === versions.length) return db;
    throw new StoreRefusal('store-read-only', `The store ${path} is of an older ai-agent, and may not be written.`);
  } catch (error) {
    db.close();
    throw error;
  }
}
