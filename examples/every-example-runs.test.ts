// Examples are programs that assert what they show: each must run as written, offline, and end with success.

import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const folder = import.meta.dirname;
const examples = readdirSync(folder).filter((name) => /^\d\d-.*\.ts$/.test(name));

test('they climb from 01 without a gap', () => {
  expect(examples.map((name) => name.slice(0, 2))).toEqual(examples.map((_, i) => String(i + 1).padStart(2, '0')));
  expect(examples.length).toBeGreaterThanOrEqual(5);
});

test.each(examples)('%s', async (name) => {
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, name)], { timeout: 20_000 });
  expect(stdout.trim()).not.toBe('');
});
