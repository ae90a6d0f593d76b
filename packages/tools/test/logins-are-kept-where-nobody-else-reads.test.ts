// Tokens on disk: for their owner alone, whole or not at all, and never through a door that somebody else opened.

import { chmod, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fileTokenStore } from '../src/oauth/file-token-store.ts';
import { browser, openLogins, visit } from './support/login-visitor.ts';
import { serveProtected } from './support/protected-server.ts';

async function newFolder(): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'logins-'));
  onTestFinished(() => rm(parent, { recursive: true, force: true }));
  return join(parent, 'kept');
}

async function onlyFile(folder: string): Promise<string> {
  const names = await readdir(folder);
  expect(names).toHaveLength(1);
  return join(folder, names[0] ?? '');
}

async function modeOf(path: string): Promise<number> {
  return (await stat(path)).mode & 0o777;
}

test('what is written can be read again, by the owner alone', async () => {
  const folder = await newFolder();
  const store = fileTokenStore({ folder });
  expect(await store.get('key')).toBeUndefined();
  await store.set('key', 'one');
  await store.set('key', 'two');
  expect(await store.get('key')).toBe('two');
  expect(await store.get('other')).toBeUndefined();
  expect(await modeOf(folder)).toBe(0o700);
  expect(await modeOf(await onlyFile(folder))).toBe(0o600);
  await store.delete('key');
  await store.delete('key');
  expect(await store.get('key')).toBeUndefined();
});

test('the name of a key leads nowhere else', async () => {
  const folder = await newFolder();
  const store = fileTokenStore({ folder });
  await store.set('../../escaped', 'value');
  expect(await onlyFile(folder)).toMatch(/\/[0-9a-f]{64}\.json$/);
});

test('a folder or a file that others can read is refused, with the remedy', async () => {
  const folder = await newFolder();
  const store = fileTokenStore({ folder });
  await store.set('key', 'value');
  const file = await onlyFile(folder);
  await chmod(file, 0o640);
  await expect(store.get('key')).rejects.toMatchObject({
    code: 'file-refused',
    remedy: expect.stringContaining('chmod 600'),
  });
  await expect(store.set('key', 'new')).rejects.toMatchObject({ code: 'file-refused' });
  await chmod(file, 0o600);
  await chmod(folder, 0o755);
  await expect(store.get('key')).rejects.toMatchObject({
    code: 'file-refused',
    remedy: expect.stringContaining('chmod 700'),
  });
  await expect(store.set('key', 'new')).rejects.toMatchObject({ code: 'file-refused' });
});

test('a link in the place of a file or of the folder is refused', async () => {
  const folder = await newFolder();
  const store = fileTokenStore({ folder });
  await store.set('key', 'value');
  const file = await onlyFile(folder);
  const elsewhere = `${folder}-elsewhere`;
  await writeFile(elsewhere, 'theirs', { mode: 0o600 });
  await rm(file);
  await symlink(elsewhere, file);
  await expect(store.get('key')).rejects.toThrow('it is no plain file');
  await expect(store.set('key', 'new')).rejects.toThrow('it is no plain file');
  const linked = `${folder}-linked`;
  await symlink(folder, linked);
  const other = fileTokenStore({ folder: linked });
  await expect(other.get('key')).rejects.toThrow('it is no folder');
  await expect(other.set('key', 'new')).rejects.toThrow('it is no folder');
});

test.skipIf(process.getuid?.() !== 0)('a folder of another user is refused', async () => {
  const { chown } = await import('node:fs/promises');
  const folder = await newFolder();
  await mkdir(folder, { mode: 0o700 });
  await chown(folder, 4242, 4242);
  await expect(fileTokenStore({ folder }).set('key', 'value')).rejects.toThrow('belongs to another user');
});

test('a file that cannot be understood is a login that is not there, and is replaced', async () => {
  const server = await serveProtected();
  const folder = await newFolder();
  const tokens = fileTokenStore({ folder });
  await visit(openLogins({ ...browser(), tokens }), server);
  const file = await onlyFile(folder);
  for (const broken of ['', '{"version":1,"tokens":', '{"version":1,"tokens":{"access_token":7}}', 'null']) {
    await writeFile(file, broken);
    const { openPage, pages } = browser();
    const { call } = await visit(openLogins({ openPage, tokens }), server);
    expect(await call()).toEqual({ type: 'text', text: 'seen' });
    expect(pages).toHaveLength(1);
    expect(await modeOf(file)).toBe(0o600);
  }
});

test('many who write at once leave one of their values, whole, and nothing beside it', async () => {
  const folder = await newFolder();
  const store = fileTokenStore({ folder });
  const values = Array.from({ length: 20 }, (_, i) => String(i).repeat(50_000));
  await Promise.all(values.map((value) => store.set('key', value)));
  expect(values).toContain(await store.get('key'));
  await onlyFile(folder);
});

test('work that has to be done alone is done alone, also after a process that died with it', async () => {
  const folder = await newFolder();
  const store = fileTokenStore({ folder });
  await store.set('key', 'value');
  await writeFile(`${await onlyFile(folder)}.lock`, `2147483646 ${hostname()} gone`, { mode: 0o600 });
  let inside = 0;
  const done = [1, 2, 3, 4].map((one) =>
    store.exclusively?.('key', async () => {
      expect(++inside).toBe(1);
      await store.get('key');
      inside--;
      return one;
    }),
  );
  expect(await Promise.all(done)).toEqual([1, 2, 3, 4]);
  await onlyFile(folder);
});
