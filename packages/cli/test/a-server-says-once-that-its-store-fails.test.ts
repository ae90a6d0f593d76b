// The promise: a store that fails under a server is one line in the log with what to do, and one when it works again; no defect, no stack.

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { AgentError, type Fact, type SessionHead } from '@ai-agent/core';
import { openStore, type Store } from '@ai-agent/store';
import { expect, onTestFinished, test } from 'vitest';
import { ServerLog } from '../src/commands/serve/server-log.ts';
import { openStoreOfServer } from '../src/commands/serve/store-of-server.ts';
import { canWrite, StoreWatch, watchStore } from '../src/commands/serve/watched-store.ts';
import { agentFile, folderWith, localProvider } from './support/command.ts';
import { storeIn } from './support/kept.ts';
import { served } from './support/served.ts';
import { serving } from './support/serving.ts';

function watched() {
  const lines: string[] = [];
  const stderr = { write: (text: string) => lines.push(text) } as never;
  const log = new ServerLog({ stderr }, { detail: 'usual', isJson: false, now: () => 0 });
  const state = { isBroken: false };
  const work = async () => {
    if (state.isBroken) throw new AgentError('store-read-only', 'The store s.db may not be written: it is read-only.');
  };
  const written = { put: work, append: work, claim: async () => false, delete: async () => true };
  const pauses = { put: work, get: async () => undefined, delete: async () => false };
  const listed = { get: async () => undefined, names: async () => [] };
  const notes = { put: work, claim: async () => true, delete: async () => {}, ...listed };
  const read = { get: async () => undefined, facts: async () => [], list: async () => [] };
  const inner: Store = { ...written, ...read, pauses, notes, place: 's.db', close: async () => {} };
  const watch = new StoreWatch('s.db', log);
  return { store: watchStore(inner, watch), state, lines, watch };
}

const head = { id: 'a' } as SessionHead;
const facts: readonly Fact[] = [];

test('it begins to fail, and works again', async () => {
  const { store, state, lines } = watched();
  await store.append('a', facts);
  state.isBroken = true;
  for (let i = 0; i < 3; i++) {
    await expect(store.put(head)).rejects.toThrow('may not be written');
    await expect(store.append('a', facts)).rejects.toThrow('may not be written');
    // What can be read, or is small enough, says nothing.
    await store.get('a');
    await store.delete('a');
  }
  state.isBroken = false;
  await store.append('a', facts);
  await store.append('a', facts);
  expect(lines).toEqual([
    '1970-01-01T00:00:00.000Z Sessions are kept in memory alone for now: The store s.db may not be written: it is read-only. Allow writing to the file and its folder, or name another place (--store of the command).\n',
    '1970-01-01T00:00:00.000Z The store s.db works again.\n',
  ]);
});

test('what it has deleted by itself is a line: how many sessions, and why', () => {
  const { watch, lines } = watched();
  watch.tended({ byAge: 120, bySize: 0 });
  watch.tended({ byAge: 0, bySize: 1 });
  watch.tended({ byAge: 2, bySize: 3 });
  const said = '1970-01-01T00:00:00.000Z Deleted from the store s.db:';
  expect(lines).toEqual([
    `${said} 120 sessions that ended too long ago.\n`,
    `${said} 1 session, the oldest, because it had grown too large.\n`,
    `${said} 2 sessions that ended too long ago; 3 sessions, the oldest, because it had grown too large.\n`,
  ]);
});

test('whether it can be written is known at the start', async () => {
  const { store, state, lines } = watched();
  expect(await canWrite(store, 0)).toBe(true);
  expect(lines).toEqual([]);
  state.isBroken = true;
  expect(await canWrite(store, 0)).toBe(false);
  expect(lines).toHaveLength(1);
});

test('a server does not say that sessions are kept where nothing can be written', async () => {
  const path = join(await folderWith({}), 's.db');
  await (await openStore(path)).close();
  const words = { words: [], flags: [['--store', path]] } as const;
  const found = { registry: { agents: [] } } as never;
  const said: string[] = [];
  const log = { fail: (line: string) => said.push(line), say: () => {}, bug: () => {} };
  const open = async () => {
    const { store, sentence } = await openStoreOfServer(words, { found, cwd: '.', log });
    await store?.close();
    return sentence;
  };
  expect(await open()).toBe(`Sessions are kept in ${path}.`);
  expect(said).toEqual([]);
  const db = new DatabaseSync(path);
  db.exec("CREATE TRIGGER closed BEFORE INSERT ON notes BEGIN SELECT RAISE(FAIL, 'nothing is taken'); END");
  db.close();
  expect(await open()).toBe(`Sessions are kept in memory until ${path} can be written.`);
  expect(said).toEqual([expect.stringContaining('nothing is taken')]);
});

test('a defect is one still', () => {
  const { watch, lines } = watched();
  watch.failed(new TypeError('no such thing'));
  expect(lines.join('')).toContain('A defect of ours: TypeError: no such thing');
});

test('a server has one line for all of its sessions', async () => {
  const model = await served(() => 'Good day.');
  const cwd = await folderWith({
    'desk.ai': agentFile(['models: local/m']),
    '.ai-agent.json': localProvider(model.baseUrl),
  });
  const server = await serving(['serve', 'desk.ai', '--port', '0'], { cwd });
  const db = new DatabaseSync(storeIn(cwd));
  onTestFinished(() => db.close());
  db.exec("CREATE TRIGGER closed BEFORE INSERT ON facts BEGIN SELECT RAISE(FAIL, 'nothing is taken'); END");
  const asked = async () => expect((await server.get('/v1/desk?q=hello')).status).toBe(200);
  for (let i = 0; i < 3; i++) await asked();
  const told = () => server.log().flatMap(({ event, message }) => (event === 'run' ? [] : [[event, message]]));
  expect(told()).toEqual([['problem', expect.stringContaining('nothing is taken')]]);
  db.exec('DROP TRIGGER closed');
  await asked();
  await expect.poll(told).toEqual([expect.anything(), ['server', `The store ${storeIn(cwd)} works again.`]]);
  expect(server.stderr()).not.toContain('stack');
});
