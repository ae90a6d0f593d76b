// The promise: every link from one document of the repository to another leads to a file, and a heading, that is there.
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

test.each(pages)('the headings that %s points at are there', (page) => {
  const links = [...readFileSync(join(root, page), 'utf8').matchAll(/\]\(([^)#\s:]*)#([^)\s]+)\)/g)];
  const missing = links.filter(([, target, anchor = '']) => {
    const path = target ? join(root, dirname(page), target) : join(root, page);
    return !anchorsOf(readFileSync(path, 'utf8')).includes(anchor);
  });
  expect(missing.map(([link]) => link)).toEqual([]);
});

/** Headings as their page is linked to: in small letters, with dashes for spaces and nothing else. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  );
}

test('the pages do link to each other', () => {
  expect(
    pages.filter((page) => /\]\([\w./-]+\.md\)/.test(readFileSync(join(root, page), 'utf8'))).length,
  ).toBeGreaterThan(4);
});
