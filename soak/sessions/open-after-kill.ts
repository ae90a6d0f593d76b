// Files whose writer was killed, with all that it wrote in the log beside them and its sessions under way: they are open at once,
// however much is in them, and say that those were interrupted.

import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '@ai-agent/store';
import type { Processes } from '../processes.ts';

export interface OpenAfterKillOptions {
  readonly processes: Processes;
  readonly say: (text: string) => void;
  readonly small: string;
  readonly large: string;
}

const rounds = 3;
const leftOpen = 200;
const leastLogBytes = 16 * 1024 ** 2;
/** A file that has to be looked through, or repaired, takes as many times as long as it is larger. */
const mostTimes = 3;
/** Against one that was closed: what is in the log is read, and what was left is told. */
const mostTimesClosed = 12;

/** Throws when one of them takes too long. In turn, and the middle of several: whatever the machine does meanwhile, it does to all. */
export async function compareOpenings({ processes, say, small, large }: OpenAfterKillOptions): Promise<void> {
  const times = { small: [] as number[], large: [] as number[], closed: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    await leaveOpen(processes, small);
    times.small.push(await open(small));
    await leaveOpen(processes, large);
    times.large.push(await open(large));
    times.closed.push(await open(large));
  }
  const [one, other, closed] = [middle(times.small), middle(times.large), middle(times.closed)];
  const line = `open after a kill: ${Math.round(one)} ms with few sessions, ${Math.round(other)} ms with many, ${Math.round(closed)} ms when it was closed`;
  say(line);
  assert.ok(other <= mostTimes * one, `more than ${mostTimes} times as long with many: ${line}`);
  assert.ok(
    other <= mostTimesClosed * closed,
    `more than ${mostTimesClosed} times as long as when it was closed: ${line}`,
  );
}

async function leaveOpen(processes: Processes, path: string): Promise<void> {
  const file = join(import.meta.dirname, 'leave-open.ts');
  const args = [file, path, String(leftOpen)];
  const writer = processes.start({ name: 'a writer', file: process.execPath, args });
  await writer.heard(/left open/);
  await writer.kill();
  const { size } = statSync(`${path}-wal`);
  assert.ok(size > leastLogBytes, `only ${size} bytes are in the log`);
}

/** Until it answers; gives how long that took. */
async function open(path: string): Promise<number> {
  const began = performance.now();
  const store = await openStore(path, { retention: { maxAgeMs: 365 * 86_400_000, maxBytes: 64 * 1024 ** 3 } });
  try {
    const newest = await store.list({ agent: 'left', limit: leftOpen });
    const ms = performance.now() - began;
    const interrupted = newest.filter(({ status }) => status === 'interrupted');
    assert.equal(interrupted.length, leftOpen, 'all that was left under way was interrupted');
    return ms;
  } finally {
    await store.close();
  }
}

function middle(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}
