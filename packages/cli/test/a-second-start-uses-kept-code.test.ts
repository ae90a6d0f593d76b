// The command keeps what V8 compiled in a run, and starts with it the next time; whatever becomes of what is kept, it runs.

import { cp, mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commands } from '../src/commands/table.ts';
import { asBuilt } from './support/as-built.ts';
import { folderWith, run } from './support/command.ts';

const main = `exports.main = async ([code]) => {
  const { answer } = await Promise.resolve().then(() => require('./command/other.cjs'));
  console.log(answer());
  return Number(code);
};`;

/** A built command as it lies on a disk, small, with a folder of its own for what is kept. */
async function installed() {
  const cwd = await folderWith({ 'package.json': { version: '1.0.0' }, 'dist/main.cjs': asBuilt(main) });
  await cp(join(import.meta.dirname, '../bin'), join(cwd, 'dist'), { recursive: true });
  await mkdir(join(cwd, 'dist/command'));
  const other = join(cwd, 'dist/command/other.cjs');
  const write = (word: string) => writeFile(other, asBuilt(`exports.answer = () => ${JSON.stringify(word)};`));
  await write('one');
  const cache = join(cwd, 'cache');
  const start = (code = '0', env = {}) =>
    run([join(cwd, 'dist/ai-agent.cjs'), code], {
      cwd,
      program: process.execPath,
      env: { NODE_COMPILE_CACHE: cache, ...env },
    });
  const kept = async () => {
    const names = await readdir(cache, { recursive: true }).catch(() => []);
    return names.filter((name) => /\/run-[^/]+$/.test(name)).map((name) => join(cache, name));
  };
  return { start, kept, write, other, cache, home: join(cwd, 'home') };
}

const good = (answer: string) => ({ code: 0, stdout: `${answer}\n`, stderr: '' });

test('a run that went well keeps its code, and the next one leaves it as it is', async () => {
  const { start, kept } = await installed();
  expect(await start()).toEqual(good('one'));
  const files = await kept();
  expect(files).toHaveLength(2);
  const before = await Promise.all(files.map((file) => stat(file)));
  expect(await start()).toEqual(good('one'));
  const after = await Promise.all((await kept()).map((file) => stat(file)));
  expect(after.map(({ ino }) => ino)).toEqual(before.map(({ ino }) => ino));
});

test('what is kept was compiled when it was called: V8 takes it', async () => {
  const { start, kept } = await installed();
  await start();
  const sizes = await Promise.all((await kept()).map(async (file) => (await readFile(file)).length));
  expect(Math.min(...sizes)).toBeGreaterThan(500);
});

test('a run that failed keeps nothing', async () => {
  const { start, kept } = await installed();
  expect((await start('3')).code).toBe(3);
  expect(await kept()).toEqual([]);
});

test('what is kept and no good is not used, and made anew', async () => {
  const { start, kept } = await installed();
  await start();
  const files = await kept();
  for (const stampBytes of [0, 64]) {
    for (const file of files)
      await writeFile(file, Buffer.concat([(await readFile(file)).subarray(0, stampBytes), Buffer.from('nonsense')]));
    expect(await start()).toEqual(good('one'));
    for (const file of await kept()) expect((await readFile(file)).length).toBeGreaterThan(500);
  }
});

test('another build of the same length is another build, and takes the place of the first', async () => {
  const { start, kept, write, other } = await installed();
  await start();
  await write('two');
  await utimes(other, new Date(), new Date(Date.now() + 5000));
  expect(await start()).toEqual(good('two'));
  expect(await kept()).toHaveLength(2);
});

test('where nothing can be kept, or nobody wants it, it runs all the same', async () => {
  const { start, kept, cache } = await installed();
  expect(await start('0', { NODE_DISABLE_COMPILE_CACHE: '1' })).toEqual(good('one'));
  expect(await kept()).toEqual([]);
  await writeFile(cache, 'a file where a folder should be');
  expect(await start()).toEqual(good('one'));
});

test('it is kept in the cache of the user, where nobody else can write', async () => {
  const { start, home } = await installed();
  expect(await start('0', { NODE_COMPILE_CACHE: '' })).toEqual(good('one'));
  const [version = ''] = await readdir(join(home, '.cache/ai-agent'));
  const folder = join(home, '.cache/ai-agent', version);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  const [first = '', ...others] = await readdir(folder);
  expect(others).toHaveLength(1);
  expect((await stat(join(folder, first))).mode & 0o777).toBe(0o600);
});

test('help is not kept for runs, and a run not for help', async () => {
  const { start, kept } = await installed();
  expect(await start('--help')).toMatchObject({ stdout: 'one\n' });
  expect(await kept()).toEqual([]);
});

test('every command has its own', async () => {
  const { useOf } = createRequire(import.meta.url)('../bin/ai-agent.cjs') as { useOf: (args: string[]) => string };
  for (const name of Object.keys(commands)) expect(useOf([name, 'x'])).toBe(name);
  expect([useOf(['desk.ai', 'hello']), useOf(['list', '--help']), useOf([])]).toEqual(['run', 'help', 'help']);
});
