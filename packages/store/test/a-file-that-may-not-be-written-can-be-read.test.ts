// The promise: a file, or a folder, that may not be written is a clear failure for who writes, and can be read all the same.

import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { openStore } from '../src/index.ts';
import { factOf, headOf } from './support/facts.ts';
import { newFile, open } from './support/folders.ts';
import { run } from './support/processes.ts';

const isRoot = process.getuid?.() === 0;
const nobody = 65_534;
/** Root may write anywhere: then it is somebody else who tries, if they can get here. */
const other = isRoot ? { uid: nobody } : {};
const canTry = !isRoot || mayRead();

function mayRead(): boolean {
  try {
    execFileSync(process.execPath, ['-e', `require('fs').readFileSync(${JSON.stringify(import.meta.filename)})`], {
      stdio: 'ignore',
      uid: nobody,
    });
    return true;
  } catch {
    return false;
  }
}

interface Tried {
  readonly found: readonly string[];
  readonly facts: readonly number[];
  readonly written: readonly { readonly code: string; readonly message: string }[];
  readonly read: string;
  readonly bugs: readonly string[];
}

async function keptFile(): Promise<string> {
  const path = newFile();
  const store = await open(path);
  await store.put(headOf('a', { endedAt: 5 }));
  await store.append('a', [factOf(1), factOf(2)]);
  await store.close();
  chmodSync(path, 0o444);
  return path;
}

test.skipIf(!canTry).each([
  ['a file in a folder that may be written', 0o777],
  ['a file in a folder that may not be written either', 0o555],
])('%s', async (_, mode) => {
  const path = await keptFile();
  const before = readFileSync(path);
  chmodSync(dirname(path), mode);
  const [tried] = (await run('read-store.ts', [path], other)) as [Tried];
  expect(tried).toMatchObject({ found: ['a'], facts: [1, 2], read: 'a', bugs: [] });
  expect(tried.written.map(({ code }) => code)).toEqual(['store-read-only', 'store-read-only', 'store-read-only']);
  expect(tried.written[0]?.message).toContain(`The store ${path} may not be written`);
  expect(readFileSync(path).equals(before)).toBe(true);
  expect(readdirSync(dirname(path))).toEqual(['sessions.sqlite']);
});

test.skipIf(!canTry)('a folder where no file may be made', async () => {
  const path = newFile();
  chmodSync(dirname(path), 0o555);
  const [{ opened }] = (await run('read-store.ts', [path], other)) as [{ opened: object }];
  expect(opened).toEqual({ code: 'store-read-only', message: expect.stringContaining(path) });
});

test.skipIf(!canTry)('a file that may not even be read', async () => {
  const path = await keptFile();
  chmodSync(path, 0);
  chmodSync(dirname(path), 0o777);
  const [{ opened }] = (await run('read-store.ts', [path], other)) as [{ opened: object }];
  expect(opened).toEqual({ code: 'store-read-only', message: `The store ${path} may not be read: permission denied.` });
  // Nor can anybody see whether there is one in a folder of others.
  chmodSync(dirname(path), 0o700);
  const [{ opened: hidden }] = (await run('read-store.ts', [path], other)) as [{ opened: object }];
  expect(hidden).toEqual(opened);
});

test('a file that was made beforehand, and is empty, is for its owner alone from then on', async () => {
  const [path, others] = [newFile(), newFile()];
  writeFileSync(path, '', { mode: 0o644 });
  await (await openStore(path)).close();
  expect(statSync(path).mode & 0o777).toBe(0o600);
  await (await openStore(others)).close();
  chmodSync(others, 0o640);
  await (await openStore(others)).close();
  expect(statSync(others).mode & 0o777).toBe(0o640);
});

test.skipIf(!existsSync('/proc/self'))('a folder that takes no files', async () => {
  await expect(openStore('/proc/x.sqlite')).rejects.toMatchObject({
    code: 'store-failed',
    message: 'The store /proc/x.sqlite could not be used: no file can be made in its folder.',
    remedy: expect.stringContaining('Name another place'),
  });
});

test('places where no file can be', async () => {
  const folder = dirname(newFile());
  writeFileSync(join(folder, 'file'), '');
  mkdirSync(join(folder, 'folder'));
  const refusals = {
    [join(folder, 'folder')]: 'is a folder.',
    '/dev/null': 'is a device or the like',
    [join(folder, 'file/inside.sqlite')]: 'its folder is a file',
    '': 'has no name',
    '  ': 'has no name',
    'mysql://localhost/x': 'No store is known for mysql:// addresses',
    'https://host/x': 'No store is known for https:// addresses',
  };
  for (const [where, words] of Object.entries(refusals)) {
    const refusal = openStore(where);
    await expect(refusal, where).rejects.toThrow(words);
    await expect(refusal, where).rejects.toMatchObject({ code: 'store-failed' });
  }
  await expect(openStore(join(folder, 'folder'))).rejects.toMatchObject({
    remedy: `Name a file: ${join(folder, 'folder/sessions.sqlite')}.`,
  });
  await expect(openStore('x.sqlite', { retention: { maxBytes: 5 } })).rejects.toThrow('at least 1 MiB');
  await expect(openStore('x.sqlite', { retention: { maxAgeMs: 0 } })).rejects.toThrow('maxAgeMs');
});
