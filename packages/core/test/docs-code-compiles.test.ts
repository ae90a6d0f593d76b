// The promise: every TypeScript block in the documents compiles, as strictly as our own sources.
import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const pages = [...globSync('docs/**/*.md', { cwd: root }), 'AGENTS.md', 'CONVENTIONS.md', 'CONTRIBUTING.md'];

const declared = (name: string) => [join(root, `dist/types/cli/src/${name}.d.ts`)];
const paths = {
  'ai-agent': declared('index'),
  'ai-agent/server': declared('server'),
  'ai-agent/store': declared('store'),
  'ai-agent/testing': declared('testing'),
};

test('TypeScript blocks compile', () => {
  const blocks = pages.flatMap(blocksOf);
  expect(blocks.length).toBeGreaterThan(5);
  expect(compile(blocks)).toBe('');
});

interface Block {
  /** Says the page and the line, so that a complaint leads there. */
  readonly file: string;
  readonly code: string;
}

function blocksOf(page: string): Block[] {
  const text = readFileSync(join(root, page), 'utf8').replaceAll('\r\n', '\n');
  return [...text.matchAll(/^```ts\n([\s\S]*?)\n```$/gm)].map((match) => ({
    file: `${page.replace(/\.md$|\W/g, '-')}line-${text.slice(0, match.index).split('\n').length}.ts`,
    code: `${match[1]}\nexport {};\n`,
  }));
}

/** What the compiler complains about: nothing, when all is well. */
function compile(blocks: readonly Block[]): string {
  // Inside node_modules, so that packages resolve as they do for a reader; ours is what is published.
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'docs-'));
  try {
    for (const { file, code } of blocks) writeFileSync(join(folder, file), code);
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    const config = {
      extends: join(root, 'tsconfig.base.json'),
      compilerOptions: { types: ['node'], typeRoots: [join(root, 'node_modules/@types')], paths },
      files: blocks.map(({ file }) => file),
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    return run(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Complaints about the blocks alone; those about the packages they import are for the check of types. */
function run(folder: string): string {
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  try {
    execFileSync(process.execPath, [compiler, '-p', folder, '--pretty', 'false'], { cwd: folder, encoding: 'utf8' });
    return '';
  } catch (error) {
    const { stdout = '' } = error as { stdout?: string };
    if (!/error TS\d/.test(stdout)) throw error;
    return stdout
      .split('\n')
      .filter((line) => /^[^.\s].*error TS\d/.test(line))
      .join('\n');
  }
}
