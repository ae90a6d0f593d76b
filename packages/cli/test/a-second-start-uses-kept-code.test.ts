// The command keeps what V8 compiled in a run, and starts with it the next time; whatever becomes of what is kept, it runs.

import { chmod, cp, mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
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
    return names.filter((name) => name.includes('ai-agent-run-')).map((name) => join(cache, name));
  };
  return { start, kept, write, other, cache };
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

test('a folder that others may write to is not used: they could have anything run', async () => {
  const { start, kept } = await installed();
  await start();
  const [file = ''] = await kept();
  await Promise.all((await kept()).map((one) => rm(one)));
  await chmod(dirname(file), 0o777);
  expect(await start()).toEqual(good('one'));
  expect(await kept()).toEqual([]);
});
