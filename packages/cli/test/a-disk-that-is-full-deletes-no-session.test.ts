// The promise: on a disk without any room nothing is deleted, that is said with what to do, and it works once there is room.

import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { openStore } from '@ai-agent/store';
import { expect, test } from 'vitest';
import { command, folderWith, run } from './support/command.ts';
import { storeIn } from './support/kept.ts';

function mayMount(): boolean {
  try {
    execFileSync('unshare', ['--mount', 'sh', '-c', 'mount -t tmpfs tmpfs /mnt'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Seen by this process alone, and gone with it. */
const script = `
mkdir disk && mount -t tmpfs -o size=4m tmpfs disk && cp "$2" disk/s.sqlite
sessions() { "$1" sessions "$2" --store disk/s.sqlite --json $3; echo "exit $?"; }
dd if=/dev/zero of=disk/ballast bs=4k 2>/dev/null
sessions "$1" delete aaaa1111
rm disk/ballast
sessions "$1" list
sessions "$1" delete aaaa1111
`;

test.skipIf(!mayMount())('a disk that is full to its last byte', { timeout: 60_000 }, async () => {
  const cwd = await folderWith({});
  mkdirSync(dirname(storeIn(cwd)), { mode: 0o700 });
  const store = await openStore(storeIn(cwd));
  const of = { agent: 'desk', owner: '@terminal', headend: 'terminal', isDetached: false, facts: 0, resumptions: 0 };
  const now = Date.now();
  await store.put({ ...of, id: 'aaaa1111', status: 'completed', createdAt: now, endedAt: now });
  await store.close();
  const args = ['--mount', 'sh', '-c', script, 'sh', command, storeIn(cwd)];
  const { stdout, stderr } = await run(args, { cwd, program: 'unshare' });
  const [refused, first, listed, second, deleted, third] = stdout.trim().split('\n');
  expect([first, second, third]).toEqual(['exit 1', 'exit 0', 'exit 0']);
  expect(JSON.parse(refused ?? '')).toMatchObject({ status: 'failed', failure: { code: 'store-full' } });
  expect(stderr).toMatch(/disk\/s\.sqlite has no room: .*\nWhat to do: Free some space on that disk/);
  expect(JSON.parse(listed ?? '')).toMatchObject({ sessions: [{ id: 'aaaa1111' }] });
  expect(JSON.parse(deleted ?? '')).toEqual({ deleted: ['aaaa1111'], left: [] });
});
