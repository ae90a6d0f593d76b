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
  expect(upwardImports(stops)).toEqual([]);
});

test('the staircase in AGENTS.md goes down only', () => {
  const steps = /^sub-agent → [^\n]+(?:\n[^\n]+)*/m.exec(readFileSync(join(root, 'AGENTS.md'), 'utf8'))?.[0] ?? '';
  const names = steps.split(/\s*[→,]\s*/);
  expect(names.length).toBeGreaterThan(10);
  expect(upwardImports(names.map((name) => `packages/core/src/${name}.ts`))).toEqual([]);
});

function upwardImports(steps: readonly string[]): string[] {
  return steps.flatMap((step, i) => {
    const reached = reachedFrom(step);
    return steps.slice(0, i).flatMap((earlier) => (reached.has(earlier) ? [`${step} imports ${earlier}`] : []));
  });
}

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
