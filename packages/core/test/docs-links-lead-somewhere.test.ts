// The promise: every link from one document of the repository to another leads to a file that is there.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const pages = [...globSync('docs/**/*.md', { cwd: root }), 'AGENTS.md', 'CONVENTIONS.md', 'CONTRIBUTING.md'];

test.each(pages)('%s', (page) => {
  const links = [...readFileSync(join(root, page), 'utf8').matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)];
  const targets = links.map(([, target = '']) => target).filter((target) => !/^[a-z]+:/.test(target));
  expect(targets.filter((target) => !existsSync(join(root, dirname(page), target)))).toEqual([]);
});

test('the pages do link to each other', () => {
  expect(
    pages.filter((page) => /\]\([\w./-]+\.md\)/.test(readFileSync(join(root, page), 'utf8'))).length,
  ).toBeGreaterThan(4);
});
