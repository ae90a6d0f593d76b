// The promise: a process is looked for on its own machine alone: where another one has the same name, it counts what was heard of it.

import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { goneAfterMs, isGone, thisWriter } from '../src/writer.ts';

const file = '/proc/sys/kernel/random/boot_id';

test.skipIf(!existsSync(file))('one that nobody sees here is there as long as it is heard of', () => {
  const boot = readFileSync(file, 'latin1').trim();
  const here = { ...thisWriter(), pid: 2 ** 30, seen: 0 };
  expect(isGone(here, 1)).toBe(true);
  const there = { ...here, host: here.host.replace(boot, 'another start') };
  expect(isGone(there, 1)).toBe(false);
  expect(isGone(there, goneAfterMs + 1)).toBe(true);
});
