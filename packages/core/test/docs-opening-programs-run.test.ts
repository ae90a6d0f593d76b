// The promise: pages that open with a program open with one that runs as it is written.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';

const docs = join(import.meta.dirname, '../../../docs');

// Not under node_modules, where Node strips no types.
const folder = mkdtempSync(join(import.meta.dirname, '../../../.compile-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each(['limits-and-budgets', 'questions', 'server'])('the first program of %s runs', async (page) => {
  const [, program = ''] = /^```ts\n([\s\S]*?)\n```$/m.exec(readFileSync(join(docs, `${page}.md`), 'utf8')) ?? [];
  expect(program).toContain('assert');
  const file = join(folder, `${page}.ts`);
  writeFileSync(file, program);
  const { stderr } = await promisify(execFile)(process.execPath, [file]).catch((error: { stderr: string }) => error);
  expect(stderr).toBe('');
});
