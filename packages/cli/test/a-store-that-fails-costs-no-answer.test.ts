// The promise: a store that cannot be opened, read or written costs a run neither its answer nor its exit code, only a warning.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { SessionHead } from '@ai-agent/core';
import type { Store } from '@ai-agent/store';
import { expect, test } from 'vitest';
import { KeptSessions } from '../src/kept-sessions.ts';
import { agentFile, folderWith, localProvider, run } from './support/command.ts';
import { storeIn } from './support/kept.ts';
import { served } from './support/served.ts';
import { serving } from './support/serving.ts';

async function desk() {
  const model = await served(() => 'Good day.');
  return folderWith({ 'desk.ai': agentFile(['models: local/m']), '.ai-agent.json': localProvider(model.baseUrl) });
}

const spoilt: readonly (readonly [string, (cwd: string) => unknown])[] = [
  ['one that is no database', (cwd) => writeFileSync(storeIn(cwd), 'This is a letter to my aunt. '.repeat(200))],
  ['a folder', (cwd) => mkdirSync(storeIn(cwd))],
  [
    'one of a newer version',
    async (cwd) => {
      await run(['desk.ai', 'first'], { cwd });
      const db = new DatabaseSync(storeIn(cwd));
      db.exec('PRAGMA user_version = 9999');
      db.close();
    },
  ],
];

test.each(spoilt)('%s', async (_, spoil) => {
  const cwd = await desk();
  mkdirSync(dirname(storeIn(cwd)));
  await spoil(cwd);
  const { code, stdout, stderr } = await run(['desk.ai', 'hello'], { cwd });
  expect([code, stdout]).toEqual([0, 'Good day.\n']);
  expect(stderr.match(/^warning: This session is not kept: .*\nWhat to do: .*$/gm)).toHaveLength(1);
  expect(stderr).not.toMatch(/^session /m);
  const quiet = await run(['desk.ai', 'hello', '--quiet'], { cwd });
  expect(quiet).toMatchObject({ code: 0, stdout: 'Good day.\n' });
  expect(quiet.stderr).toMatch(/^warning: This session is not kept: .*\nWhat to do: .*\n$/);
  // Whoever asks for what is in it is told, and nothing else happens.
  const going = await run(['desk.ai', '--continue', 'hello'], { cwd });
  expect([going.code, going.stdout]).toEqual([1, '']);
  expect(going.stderr).toMatch(/^failed \(config\): /m);
  expect((await run(['sessions', 'list'], { cwd })).code).toBe(1);
});

test('a place where nothing can be made', async () => {
  const cwd = await desk();
  const { code, stdout, stderr } = await run(['desk.ai', 'hello', '--store', '/proc/here/sessions.sqlite'], { cwd });
  expect([code, stdout]).toEqual([0, 'Good day.\n']);
  expect(stderr).toMatch(/^warning: This session is not kept: .*\/proc\/here/m);
});

test('a server goes on with its memory, and says so', async () => {
  const cwd = await desk();
  mkdirSync(storeIn(cwd), { recursive: true });
  const server = await serving(['serve', 'desk.ai', '--port', '0'], { cwd });
  expect(await server.get('/v1/desk?q=hello')).toMatchObject({ status: 200 });
  expect(server.stderr()).toContain('Sessions are kept in memory alone: ');
  expect(JSON.parse(server.stdout())).toMatchObject({ store: null });
});

const choice = { where: '/nowhere/sessions.sqlite', isUsual: false, retention: {} };
const head = { id: 'a' } as SessionHead;

test('one that never answers is not waited for, nor asked again', async () => {
  let asked = 0;
  const open = () => {
    asked++;
    return new Promise<Store>(() => {});
  };
  const sessions = new KeptSessions(choice, { patienceMs: 20, readPatienceMs: 20, open });
  const put = Promise.resolve(sessions.store.put(head));
  await sessions.inTime(put);
  expect(sessions.unkept).toMatchObject({ isStuck: true });
  expect(sessions.unkept?.message).toContain('did not answer within 0.02 seconds');
  await sessions.store.put(head);
  await sessions.store.pauses.put('h', {} as never);
  expect(await sessions.settled()).toMatchObject({ isStuck: true });
  await expect(sessions.store.get('a')).rejects.toMatchObject({ code: 'store-unreachable' });
  expect(asked).toBe(1);
});

test('what was kept after all is not complained of', async () => {
  let isFull = true;
  const append = () => {
    if (isFull) throw new Error('full');
  };
  const open = async () => ({ append, put: () => {}, close: async () => {} }) as unknown as Store;
  const sessions = new KeptSessions(choice, { open });
  await expect(sessions.store.append('a', [])).rejects.toThrow('full');
  expect(sessions.unkept?.message).toContain('full');
  isFull = false;
  await sessions.store.append('a', []);
  expect(await sessions.settled()).toBeUndefined();
});
