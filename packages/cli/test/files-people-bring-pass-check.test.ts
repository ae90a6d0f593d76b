// The promise: files as people bring them pass `check` without an error, and every warning is one that is meant.

import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from './support/command.ts';
import { corpus, files } from './support/corpus/files.ts';

const check = (...args: readonly string[]) =>
  run(['check', ...args], { cwd: corpus, env: { HOME: join(tmpdir(), 'nobody'), GATEWAY_URL: 'http://127.0.0.1:9' } });

test('the whole folder, with these words', async () => {
  const { code, stdout, stderr } = await check('.');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const expected = join(corpus, 'expected', 'check.txt');
  if (process.env.UPDATE_CORPUS === '1') await writeFile(expected, stdout);
  expect(stdout).toBe(await readFile(expected, 'utf8'));
});

test('each file that is named, and all that it names', async () => {
  const { code, stdout } = await check('--json', ...files);
  const { errors, agents } = JSON.parse(stdout);
  expect({ code, errors }).toEqual({ code: 0, errors: 0 });
  const names = agents.map(({ file }: { file: string }) => file.slice(corpus.length + 1));
  expect(names.sort()).toEqual(files);
  expect(files.length).toBeGreaterThanOrEqual(28);
});
