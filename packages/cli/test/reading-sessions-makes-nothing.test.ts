// The promise: `ai-agent sessions` makes no file and no folder, and what keeps it from reading is said as it is.

import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openStore } from '@ai-agent/store';
import { expect, test } from 'vitest';
import { command, folderWith, run } from './support/command.ts';
import { storeIn } from './support/kept.ts';

const words = [['list'], ['show', 'abcd'], ['tree', 'abcd'], ['export', 'abcd'], ['delete', 'abcd']];

test('neither a folder nor a file; an empty one stays empty', { timeout: 60_000 }, async () => {
  const cwd = await folderWith({ 'empty.sqlite': '' });
  for (const args of words) {
    const none = await run(['sessions', ...args, '--store', 'no/such/x.sqlite'], { cwd });
    expect([args, none.code]).toEqual([args, args[0] === 'list' ? 0 : 4]);
    await run(['sessions', ...args, '--store', 'empty.sqlite'], { cwd });
  }
  expect(readdirSync(cwd).toSorted()).toEqual(['empty.sqlite', 'home']);
  expect(statSync(join(cwd, 'empty.sqlite')).size).toBe(0);
  expect(existsSync(dirname(storeIn(cwd)))).toBe(false);
});

const isRoot = process.getuid?.() === 0;
const nobody = 65_534;
const other = isRoot ? { uid: nobody } : {};

/** Root may read anything: then it is somebody else who tries, if they can start the command at all. */
function canStart(): boolean {
  try {
    execFileSync(process.execPath, [command, '--version'], { stdio: 'ignore', ...other });
    return true;
  } catch {
    return false;
  }
}

test.skipIf(!canStart())(
  'a store in a folder of others, and one that may not be read',
  { timeout: 60_000 },
  async () => {
    const cwd = await folderWith({});
    chmodSync(cwd, 0o755);
    const place = join(cwd, 'private/sessions.sqlite');
    mkdirSync(dirname(place));
    await (await openStore(place)).close();
    const refused = {
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(
        `The store ${place} may not be read: permission denied.\nWhat to do: Allow reading`,
      ),
    };
    for (const mode of [0o600, 0o000]) {
      chmodSync(place, mode === 0o600 && isRoot ? mode : 0);
      chmodSync(dirname(place), isRoot && mode === 0 ? 0o755 : 0);
      for (const args of words)
        expect([args, await run(['sessions', ...args, '--store', place], { cwd, ...other })]).toEqual([args, refused]);
    }
    chmodSync(dirname(place), 0o700);
  },
);

test('why none is kept', async () => {
  const cwd = await folderWith({
    'missing.json': { store: { path: `\${NO_SUCH}/x.sqlite` } },
    'off.json': { store: { enabled: false } },
  });
  const why = async (file: string) => (await run(['sessions', 'list', '--config', file], { cwd })).stderr;
  expect(await why('missing.json')).toMatch(
    /kept here: nobody defines NO_SUCH, which the section store of \S+ needs\./,
  );
  expect(await why('off.json')).toMatch(/kept here: the section store of \S+off\.json switches it off\./);
  const homeless = await run(['sessions', 'list'], { cwd, env: { HOME: 'nowhere' } });
  expect([homeless.code, homeless.stderr]).toEqual([4, expect.stringContaining('which is no absolute path')]);
});

test('a folder is no store', async () => {
  const cwd = await folderWith({});
  writeFileSync(join(cwd, 'home/x'), '');
  const { code, stderr } = await run(['sessions', 'list', '--store', 'home'], { cwd });
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining(
      `The store ${join(cwd, 'home')} is a folder.\nWhat to do: Name a file: ${join(cwd, 'home/sessions.sqlite')}.`,
    ),
  ]);
});
