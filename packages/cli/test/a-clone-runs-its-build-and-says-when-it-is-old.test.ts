// In a clone the command runs the build, which starts fast; whoever has edited a source since is told to build again.

import { cp, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { asBuilt } from './support/as-built.ts';
import { folderWith, run } from './support/command.ts';

async function clone() {
  const cwd = await folderWith({
    'packages/cli/package.json': { version: '1.0.0', type: 'module' },
    'packages/cli/src/main.ts': `export const main = async (): Promise<number> => (console.log('sources'), 0);`,
    'packages/core/src/deep/down.ts': 'export {};',
    'dist/main.cjs': asBuilt(`exports.main = async () => (console.log('build'), 0);`),
  });
  await cp(join(import.meta.dirname, '../bin'), join(cwd, 'packages/cli/bin'), { recursive: true });
  const later = new Date(Date.now() + 60_000);
  await utimes(join(cwd, 'dist/main.cjs'), later, later);
  const start = () => run([join(cwd, 'packages/cli/bin/ai-agent.cjs')], { cwd, program: process.execPath });
  return { cwd, start };
}

test('the build, and nothing is said while it is newer', async () => {
  const { start } = await clone();
  expect(await start()).toEqual({ code: 0, stdout: 'build\n', stderr: '' });
});

test('the build, and how to make a new one, when a source of any package is newer', async () => {
  const { cwd, start } = await clone();
  const edited = join(cwd, 'packages/core/src/deep/down.ts');
  await writeFile(edited, 'export const edited = true;');
  const latest = new Date(Date.now() + 120_000);
  await utimes(edited, latest, latest);
  const { stdout, stderr } = await start();
  expect(stdout).toBe('build\n');
  expect(stderr).toBe('This was the build in dist, and its sources are newer: npm run build\n');
});

test('the sources, where there is no build', async () => {
  const { cwd, start } = await clone();
  await rm(join(cwd, 'dist'), { recursive: true });
  expect(await start()).toMatchObject({ code: 0, stdout: 'sources\n' });
});
