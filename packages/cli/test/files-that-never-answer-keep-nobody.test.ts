// The promise: a folder that neither takes nor gives anything, as on a mount that is dead, costs some seconds and a warning: no
// answer, and not the end of the process.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { keepAnswers } from '../src/kept-answers.ts';
import { agentFile, folderWith, run } from './support/command.ts';

const never = () => new Promise<never>(() => {});
const options = { folder: '/mnt/dead' };

test('what cannot be kept in time is said, and that it keeps the process', async () => {
  const cache = keepAnswers(options, {
    patienceMs: 20,
    open: async () => ({ get: never, put: never, settled: never }),
  });
  void cache.put('key', 'value', 60_000);
  expect(await cache.settled()).toEqual({
    message: 'Answers are not kept in /mnt/dead: it did not answer within 0.02 seconds.',
    remedy: expect.stringContaining('cache.path'),
    isStuck: true,
  });
  expect(await cache.get('key')).toBe('value');
});

test('what is not found in time is not there, and nobody looks again', async () => {
  let looked = 0;
  const get = () => {
    looked++;
    return never();
  };
  const cache = keepAnswers(options, {
    patienceMs: 20,
    open: async () => ({ get, put: never, settled: async () => {} }),
  });
  expect([await cache.get('a'), await cache.get('b'), looked]).toEqual([undefined, undefined, 1]);
  await cache.put('c', 'value', 60_000);
  expect(await cache.settled()).toMatchObject({ isStuck: true });
});

test('whoever answers in time is not waited for, and nothing is said', async () => {
  const settled = async () => {};
  const open = async () => ({ get: async () => 'kept', put: settled, settled });
  const cache = keepAnswers(options, { patienceMs: 60_000, open });
  expect(await cache.get('key')).toBe('kept');
  await cache.put('key', 'value', 60_000);
  expect(await cache.settled()).toBeUndefined();
});

test('the command says it, and ends with the exit code of the run', async () => {
  const cwd = await folderWith({
    'desk.ai': agentFile(['models: offline/demo', 'cache: 1h']),
    // As a mount does: it takes no folder, says nothing, and keeps the process.
    'dead.cjs': "require('node:fs/promises').mkdir = () => new Promise(() => setInterval(() => {}, 1_000));",
  });
  const env = { NODE_OPTIONS: `--require ${join(cwd, 'dead.cjs')}` };
  const { code, stdout, stderr } = await run(['desk.ai', 'hello'], { cwd, env });
  expect([code, stdout.length > 0]).toEqual([0, true]);
  expect(stderr).toMatch(
    /^warning: Answers are not kept in .*cache: it did not answer within 2 seconds\.\nWhat to do: See /m,
  );
});
