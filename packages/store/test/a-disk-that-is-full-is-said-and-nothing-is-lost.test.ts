// The promise: a disk that is full is a clear failure, what was kept can be read, and what was not is kept once there is room.

import { execFileSync } from 'node:child_process';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { newFile } from './support/folders.ts';
import { run } from './support/processes.ts';

interface Full {
  readonly code: string;
  readonly message: string;
  readonly bugs: number;
  readonly listed: number;
  readonly kept: number;
  readonly told: number;
}

function mayMount(): boolean {
  try {
    execFileSync('unshare', ['--mount', 'sh', '-c', 'mount -t tmpfs tmpfs /mnt'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

test.skipIf(!mayMount())('a small disk', async () => {
  const path = newFile();
  const folder = dirname(path);
  const mount = `mount -t tmpfs -o size=8m tmpfs ${folder} && head -c 3000000 /dev/zero > ${folder}/ballast`;
  // Seen by this process alone, and gone with it.
  const inside = `if [ -z "$ALONE" ]; then ALONE=1 exec unshare --mount sh -c '${mount} && exec "$0" "$@"' "$0" "$@"; fi`;
  const [full, after] = (await run('fill-store.ts', [path, `${folder}/ballast`], { before: inside })) as [Full, object];
  expect(full).toMatchObject({ code: 'store-full', bugs: 1, listed: 1 });
  expect(full.message).toContain(path);
  expect(full.kept).toBeGreaterThan(10);
  expect(full.kept).toBeLessThan(full.told);
  expect(after).toEqual({ isFailing: false, isWhole: true, found: full.told + 1, told: full.told + 1 });
});

test('files that may not be larger', async () => {
  const path = newFile();
  // In blocks of 512 bytes. Nothing makes room here, so that it stays full.
  const before = `touch ${path}.ballast; ulimit -f 4000`;
  const [full, after] = (await run('fill-store.ts', [path, `${path}.ballast`], { before })) as [Full, object];
  expect(full).toMatchObject({ code: 'store-full', bugs: 1, listed: 1 });
  expect(full.kept).toBeGreaterThan(10);
  expect(after).toMatchObject({ isFailing: true, isWhole: true, found: full.kept });
});
