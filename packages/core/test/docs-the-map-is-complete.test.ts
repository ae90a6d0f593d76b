// The promise: the map in AGENTS.md has every file of core, names none that is gone, and stays short enough to read.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const page = readFileSync(join(root, 'AGENTS.md'), 'utf8');
const map = /^```\n([\s\S]*?)\n```$/m.exec(page)?.[1] ?? '';

test('every file of core is on the map, and every file of the map exists', () => {
  const files = globSync('packages/core/src/**/*.ts', { cwd: root }).map((path) => path.replaceAll('\\', '/'));
  expect(filesUnder('packages/core/src').sort()).toEqual(files.sort());
  const others = ['models', 'agents', 'tools', 'server', 'cli'].map((name) => `packages/${name}/src`);
  const elsewhere = others.flatMap(filesUnder);
  expect(elsewhere.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test.each([
  ['AGENTS.md', 120],
  ['CONVENTIONS.md', 80],
])('%s has at most %i lines', (name, most) => {
  expect(readFileSync(join(root, name), 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(most);
});

/** The files of one package: indented lines below its folder; a folder stands before the files in it. */
function filesUnder(folder: string): string[] {
  const lines = map.split('\n');
  const start = lines.findIndex((line) => line.startsWith(folder));
  const end = lines.findIndex((line, i) => i > start && !line.startsWith(' '));
  return lines.slice(start + 1, end).flatMap((line) => {
    const inner = /^ {2}((?:[\w-]+\/)+) /.exec(line)?.[1] ?? '';
    return [...line.matchAll(/[\w-]+(?:\.d)?\.ts\b/g)].map(([name]) => `${folder}/${inner}${name}`);
  });
}
