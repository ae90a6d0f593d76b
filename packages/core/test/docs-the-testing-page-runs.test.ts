// The promise: docs/testing.md has every name of ai-agent/testing with its fields, and its programs run as written.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const page = read('docs/testing.md');
const code = [
  'packages/core/src/testing/scripted-model.ts',
  'packages/core/src/runtime/strict.ts',
  'packages/models/src/testing/scripted-server.ts',
]
  .map(read)
  .join('\n');

// Not under node_modules, where Node strips no types.
const folder = mkdtempSync(join(import.meta.dirname, '../../../.compile-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const programs = [...page.matchAll(/^```ts\n([\s\S]*?)\n```$/gm)].map(
  ([, program = ''], i) => [i + 1, program] as const,
);

test('there are programs on the page', () => {
  expect(programs.length).toBeGreaterThan(3);
});

test.each(programs)('program %i runs', async (number, program) => {
  const file = join(folder, `program-${number}.ts`);
  writeFileSync(file, program);
  const running = promisify(execFile)(process.execPath, ['--test', '--test-reporter=tap', file]);
  const { stdout } = await running.catch((error: { readonly stdout: string }) => error);
  expect(stdout).toMatch(/^# pass [1-9]\d*\n# fail 0$/m);
});

test('every name of ai-agent/testing stands on the page', () => {
  const lists = [...read('packages/cli/src/testing.ts').matchAll(/export \{([^}]*)\}/g)];
  const names = lists.flatMap(([, list = '']) => list.split(',')).map((name) => name.trim().replace(/^type /, ''));
  expect(names.filter((name) => !new RegExp(`\`${name}[\`(]`).test(page))).toEqual([]);
});

test.each(['Step', 'ScriptedCall', 'ScriptedFailure', 'ScriptedModelOptions', 'StrictOptions', 'ScriptedServer'])(
  'the fields of %s are those of the page',
  (name) => {
    const body = new RegExp(`interface ${name} \\{\\n([\\s\\S]*?)\\n\\}`).exec(code)?.[1] ?? '';
    const inCode = [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??[:(]/gm)].map(([, field = '']) => field);
    const section = page.split(/^##+ /m).find((text) => text.startsWith(`\`${name}\`\n`)) ?? '';
    expect([...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, field = '']) => field).sort()).toEqual(inCode.sort());
  },
);

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8').replaceAll('\r\n', '\n');
}
