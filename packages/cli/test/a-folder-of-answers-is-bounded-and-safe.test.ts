// The promise: answers in files are found until their time is over, are never too many, and nothing that is wrong there costs one.

import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readdir, rename, symlink, unlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { FakeClock } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { FileCache } from '../src/file-cache.ts';
import { folderWith } from './support/command.ts';

const hour = 3_600_000;

async function opened(more: object = {}) {
  const folder = join(await folderWith({}), 'cache');
  const clock = new FakeClock();
  const open = () => new FileCache({ folder, clock, ...more });
  return { folder, clock, open, cache: open() };
}

test('what one keeps another finds, until its time is over', async () => {
  const { clock, open, cache, folder } = await opened();
  await cache.put('key', 'välue', hour);
  clock.advance(hour - 1);
  expect(await open().get('key')).toBe('välue');
  expect(await open().get('other')).toBeUndefined();
  clock.advance(1);
  expect(await open().get('key')).toBeUndefined();
  expect(await readdir(folder)).toEqual([]);
});

test('the last one who keeps an answer wins', async () => {
  const { open, cache, folder } = await opened();
  await Promise.all(Array.from({ length: 20 }, (_, i) => open().put('key', `value ${i}`, hour)));
  expect(await cache.get('key')).toMatch(/^value \d+$/);
  await cache.put('key', 'last', hour);
  expect(await open().get('key')).toBe('last');
  expect(await readdir(folder)).toHaveLength(1);
});

test('of too many the oldest go, and of too much', async () => {
  const { clock, cache, open, folder } = await opened({ maxEntries: 3 });
  for (let i = 0; i < 5; i++) {
    await cache.put(`key ${i}`, `value ${i}`, hour);
    clock.advance(1_000);
  }
  const found = await Promise.all([0, 1, 2, 3, 4].map((i) => open().get(`key ${i}`)));
  expect(found).toEqual([undefined, undefined, 'value 2', 'value 3', 'value 4']);
  const chance = Array.from({ length: 400 }, (_, i) => Math.sin(i).toString(36)).join('');
  const bytes = gzipSync(JSON.stringify({ until: clock.now() + hour, value: chance })).byteLength;
  const small = new FileCache({ folder, clock, maxBytes: bytes + 20 });
  await small.put('large', chance, hour);
  expect([await small.get('large'), await small.get('key 4')]).toEqual([chance, undefined]);
  await small.put('too large', `${chance}${chance.split('').reverse().join('')}`, hour);
  expect([await small.get('large'), await small.get('too large')]).toEqual([chance, undefined]);
});

const damaged: readonly [string, Buffer | string][] = [
  ['empty', ''],
  ['not packed', '{"until":9e99,"value":"x"}'],
  ['cut off', gzipSync('{"until":9e99,"value":"x"}').subarray(0, 20)],
  ['no JSON', gzipSync('x')],
  ['of another make', gzipSync('{"until":"soon","value":1}')],
];

test.each(damaged)('a file that is %s is as good as none, and goes', async (_how, content) => {
  const { cache, folder } = await opened();
  await cache.put('key', 'value', hour);
  const [name = ''] = await readdir(folder);
  await writeFile(join(folder, name), content);
  expect(await cache.get('key')).toBeUndefined();
  expect(await readdir(folder)).toEqual([]);
  await cache.put('key', 'value', hour);
  expect(await cache.get('key')).toBe('value');
});

test('what is not named like an answer is left alone; what was never finished is cleared away', async () => {
  const { cache, clock, folder } = await opened({ maxEntries: 1 });
  await mkdir(folder, { mode: 0o700 });
  const left = `${'a'.repeat(64)}.gz.12-ab-1.tmp`;
  for (const name of ['notes.txt', 'answers.gz', left]) await writeFile(join(folder, name), 'mine');
  const old = clock.now() / 1_000 - 7_200;
  await utimes(join(folder, left), old, old);
  for (const key of ['a', 'b', 'c']) await cache.put(key, key, hour);
  const names = await readdir(folder);
  expect(names).toHaveLength(3);
  expect(names).toEqual(expect.arrayContaining(['answers.gz', 'notes.txt']));
  expect(names).not.toContain(left);
});

test('a link is not followed, and a folder that others can write to is not used', async () => {
  const { cache, folder } = await opened();
  await cache.put('key', 'value', hour);
  const [name = ''] = await readdir(folder);
  await rename(join(folder, name), join(folder, 'elsewhere'));
  await symlink(join(folder, 'elsewhere'), join(folder, name));
  expect(await cache.get('key')).toBeUndefined();
  await cache.put('key', 'value', hour);
  expect(await cache.get('key')).toBe('value');
  await chmod(folder, 0o770);
  await expect(cache.put('key', 'value', hour)).rejects.toMatchObject({ code: 'file-refused' });
});

test('what is from the future counts as the oldest, and is not given', async () => {
  const { cache, clock, open, folder } = await opened({ maxEntries: 2 });
  await cache.put('ahead', 'value', hour);
  const [name = ''] = await readdir(folder);
  const later = clock.now() / 1_000 + 86_400;
  await utimes(join(folder, name), later, later);
  await open().put('one', 'value', hour);
  expect(await open().get('ahead')).toBeUndefined();
  expect(await readdir(folder)).not.toContain(name);
  await cache.put('ahead', 'value', hour);
  await utimes(join(folder, name), later, later);
  for (const key of ['two', 'three']) {
    clock.advance(1_000);
    await open().put(key, key, hour);
  }
  const names = await readdir(folder);
  expect([names.length, names.includes(name)]).toEqual([2, false]);
  expect([await cache.get('two'), await cache.get('three')]).toEqual(['two', 'three']);
});

test('a pipe under the name of an answer is waited for by nobody', async () => {
  const { cache, folder } = await opened();
  await cache.put('key', 'value', hour);
  const [name = ''] = await readdir(folder);
  await unlink(join(folder, name));
  execFileSync('mkfifo', [join(folder, name)]);
  expect(await cache.get('key')).toBeUndefined();
  await cache.put('key', 'value', hour);
  expect(await cache.get('key')).toBe('value');
});

test('an answer with what looks like a key is not written down', async () => {
  const { cache, folder } = await opened();
  await cache.put('key', JSON.stringify({ text: `it is sk-${'a1B2'.repeat(12)}` }), hour);
  expect(await cache.get('key')).toBeUndefined();
  await cache.put('other', 'it is no key', hour);
  expect(await readdir(folder)).toHaveLength(1);
});

test('a folder that cannot be made, or is full, rejects and nothing is left there', async () => {
  const root = await folderWith({ file: '' });
  const cache = new FileCache({ folder: join(root, 'file/inside') });
  expect(await cache.get('key')).toBeUndefined();
  await expect(cache.put('key', 'value', hour)).rejects.toMatchObject({ code: 'file-refused' });
  // As a disk is to whoever fills it: the device takes no byte.
  const full = new FileCache({ folder: '/dev/full' });
  await expect(full.put('key', 'value', hour)).rejects.toMatchObject({ code: 'file-refused' });
  await cache.settled();
  // Is there, and takes no folder: whoever makes all that is missing tries for ever.
  const stubborn = new FileCache({ folder: '/proc/kept/answers' });
  await expect(stubborn.put('key', 'value', hour)).rejects.toMatchObject({
    message: expect.stringMatching(/^Answers are not kept in \/proc\/kept\/answers: ENOENT/),
  });
  await symlink(join(root, 'nowhere'), join(root, 'link'));
  const nowhere = new FileCache({ folder: join(root, 'link') });
  await expect(nowhere.put('key', 'value', hour)).rejects.toMatchObject({ code: 'file-refused' });
});
