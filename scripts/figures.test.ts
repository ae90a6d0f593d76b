// The promise: every hard limit of the house turns red on a tree that breaks it, and says where and what to do.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  coreIsPure,
  environmentComesIn,
  errorsHaveCodes,
  filesStayShort,
  heart,
  heartStaysSmall,
  importsHaveNoCycles,
  type Rule,
  rules,
} from './house-rules.ts';
import { findLongestChain, toImportGraph } from './import-graph.ts';
import { readSyntax } from './syntax.ts';

type Tree = Readonly<Record<string, string>>;

const lines = (count: number) => '//\n'.repeat(count);
const check = (rule: Rule, tree: Tree) =>
  rule(Object.entries(tree).map(([path, text]) => ({ path, text }))).map(({ path, line }) => `${path}:${line}`);

describe('a file', () => {
  it('ends at 400 lines', () => {
    expect(check(filesStayShort, { 'packages/models/src/a.ts': lines(400) })).toEqual([]);
    expect(check(filesStayShort, { 'packages/models/src/a.ts': lines(401) })).toEqual(['packages/models/src/a.ts:401']);
  });

  it('may be longer when it is a test', () => {
    expect(check(filesStayShort, { 'packages/models/test/a.test.ts': lines(401) })).toEqual([]);
  });
});

describe('the heart', () => {
  it('has 700 lines together', () => {
    const [session = '', loop = '', turn = '', callTool = ''] = heart;
    const tree = { [session]: lines(100), [loop]: lines(200), [turn]: lines(200), [callTool]: lines(200) };
    expect(check(heartStaysSmall, tree)).toEqual([]);
    expect(check(heartStaysSmall, { ...tree, [loop]: lines(201) })).toHaveLength(4);
  });
});

describe('a bare error', () => {
  it('is found in every package, and left alone in tests', () => {
    const text = "export const f = () => {\n  throw new Error('x');\n};\n";
    expect(check(errorsHaveCodes, { 'packages/cli/src/a.ts': text })).toEqual(['packages/cli/src/a.ts:2']);
    expect(check(errorsHaveCodes, { 'packages/cli/test/a.test.ts': text })).toEqual([]);
  });
});

describe('the environment', () => {
  it.each(['process.env.KEY', 'process.chdir(folder)', '// like process.env'])('is not for packages: %s', (text) => {
    expect(check(environmentComesIn, { 'packages/models/src/a.ts': `\n${text}\n` })).toEqual([
      'packages/models/src/a.ts:2',
    ]);
  });

  it('is for the command', () => {
    expect(check(environmentComesIn, { 'packages/cli/src/a.ts': 'process.env.KEY' })).toEqual([]);
  });
});

describe('core', () => {
  it.each(['Date.now()', 'new Date()', 'Math.random()', 'globalThis.x'])('has no %s', (text) => {
    expect(check(coreIsPure, { 'packages/core/src/a.ts': `\n\n${text}\n` })).toEqual(['packages/core/src/a.ts:3']);
    expect(check(coreIsPure, { 'packages/models/src/a.ts': text })).toEqual([]);
  });
});

describe('an import cycle', () => {
  it.each([
    ["import { b } from './b.ts';", "import { a } from './a.ts';"],
    ["import type { B } from './b.ts';", "export type { A } from './a.ts';"],
    ["export * from './b.ts';", "export type B = import('./a.ts').A;"],
    ["const b = await import('./b.ts');", "import './a.ts';"],
  ])('is found: %s %s', (a, b) => {
    const tree = { 'packages/core/src/a.ts': a, 'packages/core/src/b.ts': `\n${b}` };
    expect(check(importsHaveNoCycles, tree)).toEqual(['packages/core/src/b.ts:2']);
  });

  it('is found behind another file, across folders', () => {
    const tree = {
      'packages/core/src/a.ts': "import './sub/b.ts';",
      'packages/core/src/sub/b.ts': "import '../c.ts';",
      'packages/core/src/c.ts': "import './a.ts';",
    };
    expect(check(importsHaveNoCycles, tree)).toEqual(['packages/core/src/c.ts:1']);
  });

  it('is not a diamond, nor an example in a comment', () => {
    const tree = {
      'packages/core/src/a.ts': "import './b.ts';\nimport './c.ts';",
      'packages/core/src/b.ts': "import './d.ts';",
      'packages/core/src/c.ts': "import './d.ts';",
      'packages/core/src/d.ts': "/** import './a.ts'; */",
    };
    expect(check(importsHaveNoCycles, tree)).toEqual([]);
  });
});

describe('the figures', () => {
  it('follow the longest chain of imports', () => {
    const graph = toImportGraph([
      { path: 'a.ts', text: "import './c.ts'; import './b.ts';" },
      { path: 'b.ts', text: "import './c.ts';" },
      { path: 'c.ts', text: "import './a.ts';" },
    ]);
    expect(findLongestChain(graph, 'a.ts')).toEqual(['a.ts', 'b.ts', 'c.ts', 'a.ts']);
  });

  it('measure functions, methods and arrows', () => {
    const text = 'function f() {\n}\nclass A {\n  m() {\n\n  }\n}\nconst g = () => 1;\n';
    expect(readSyntax({ path: 'a.ts', text }).functions).toEqual([
      { line: 1, lines: 2 },
      { line: 4, lines: 3 },
      { line: 8, lines: 1 },
    ]);
  });
});

describe('the script', () => {
  const run = (tree: Tree) => {
    const root = mkdtempSync(join(tmpdir(), 'figures-'));
    for (const [path, text] of Object.entries({ 'packages/core/package.json': '{}', ...tree })) {
      mkdirSync(join(root, dirname(path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    const result = spawnSync(process.execPath, [join(import.meta.dirname, 'figures.ts'), root], { encoding: 'utf8' });
    rmSync(root, { recursive: true });
    return result;
  };

  it('is quiet on a good tree', () => {
    const { status, stderr } = run({ 'packages/core/src/a.ts': 'export const a = 1;\n' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  it('fails with file, line and remedy, once for every rule', () => {
    const { status, stderr } = run({
      'packages/core/src/loop.ts': lines(701),
      'packages/core/src/a.ts': "import './a.ts';\nthrow new Error(process.env.X + Date.now());\n",
    });
    expect(status).toBe(1);
    expect(stderr.trim().split('\n')).toHaveLength(rules.length);
    expect(stderr).toMatch(/^packages\/core\/src\/a\.ts:2 .*throw an AgentError\.$/m);
  });
});
