import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const core = join(import.meta.dirname, '..');
const tsc = join(core, '../../node_modules/.bin/tsc');
// Inside the package: the compiler must see it as one more source of core.
const folder = mkdtempSync(join(core, '.compile-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function compile(source: string): string {
  writeFileSync(join(folder, 'intruder.ts'), source);
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: relative(folder, join(core, 'tsconfig.json')), include: ['../src', 'intruder.ts'] }),
  );
  try {
    return execFileSync(tsc, ['-p', folder], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    return String((error as { stdout?: unknown }).stdout);
  }
}

test('core as it is compiles with no types of Node and no DOM', () => {
  expect(compile("export { ask } from '../src/index.ts';\n")).toBe('');
});

test('none of these names exists for it', () => {
  const names = [
    'process',
    'fetch',
    'setTimeout',
    'console',
    'Buffer',
    'URL',
    'window',
    'document',
    'performance',
    'crypto',
    'structuredClone',
    'TextEncoder',
    'queueMicrotask',
  ];
  const errors = compile(`import 'node:fs';\n${names.map((name) => `export const a_${name} = ${name};`).join('\n')}\n`);
  for (const name of names) expect(errors).toMatch(new RegExp(`Cannot find name '${name}'`));
  expect(errors).toMatch(/node:fs/);
});
