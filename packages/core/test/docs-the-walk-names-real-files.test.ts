// The promise: the walk names files that exist, and its core files follow the staircase of their imports.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const page = readFileSync(join(root, 'docs/how-a-prompt-walks.md'), 'utf8');
const named = [...new Set([...page.matchAll(/`(packages\/[^`\s]+)`/g)].map(([, path = '']) => path))];
const stops = named.filter((path) => path.startsWith('packages/core/src/'));

test('every file named in the walk exists', () => {
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('the walk passes the heart of core, from top to bottom', () => {
  const heart = ['sub-agent', 'session', 'loop', 'turn', 'call-tool', 'run'];
  const names = stops.map((path) => path.replace(/^.*\/src\/|\.ts$/g, ''));
  expect(names.filter((name) => heart.includes(name))).toEqual(heart);
});

test('no stop imports an earlier one, neither itself nor through others', () => {
  const upward = stops.flatMap((stop, i) => {
    const reached = reachedFrom(stop);
    return stops.slice(0, i).flatMap((earlier) => (reached.has(earlier) ? [`${stop} imports ${earlier}`] : []));
  });
  expect(upward).toEqual([]);
});

/** All files that one imports, types included, however far down. */
function reachedFrom(path: string, reached = new Set<string>()): Set<string> {
  const text = readFileSync(join(root, path), 'utf8');
  for (const [, specifier = ''] of text.matchAll(/(?:from|import\(?)\s*'(\.[^']+)'/g)) {
    const target = relative(root, join(root, dirname(path), specifier)).replaceAll('\\', '/');
    if (reached.has(target)) continue;
    reached.add(target);
    reachedFrom(target, reached);
  }
  return reached;
}
