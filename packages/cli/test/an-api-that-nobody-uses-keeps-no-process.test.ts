// The promise: a program that has nothing else to do ends, though clients of its API may still come back.

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test('a session of MCP that nobody uses is not waited for', async () => {
  const file = join(import.meta.dirname, 'support/idle-api.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [file], { timeout: 10_000 });
  expect(stdout).toMatch(/^[\da-f-]{36}$/);
});
