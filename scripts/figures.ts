// Prints the figures of the house, and fails on the few that are hard limits. `node scripts/figures.ts [root]`
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { heart, MAX_HEART_LINES, rules, sourcesOf } from './house-rules.ts';
import { findCycles, findLongestChain, toImportGraph } from './import-graph.ts';
import { countLines, readSyntax, type SourceFile } from './syntax.ts';

const root = resolve(process.argv[2] ?? join(import.meta.dirname, '..'));
const files = readTree();
const sources = sourcesOf(files);

printPackages();
console.log();
printShape();
printBreaches();

function printPackages() {
  const names = [...new Set(sources.map(packageOf))];
  printTable([
    ['package', 'files', 'lines', 'median', 'p95', 'longest file', 'dependencies'],
    ...names.map((name) => {
      const own = sources.filter((file) => packageOf(file) === name);
      const lengths = own.map(({ text }) => countLines(text)).sort((a, b) => a - b);
      const longest = own.find(({ text }) => countLines(text) === lengths.at(-1));
      return [
        name,
        own.length,
        linesOf(own),
        percentile(lengths, 50),
        percentile(lengths, 95),
        `${lengths.at(-1)} ${nameOf(longest?.path ?? '')}`,
        dependenciesOf(name).join(' ') || 'none',
      ];
    }),
  ]);
}

function printShape() {
  const graph = toImportGraph(sources);
  const chain = findLongestChain(graph, 'packages/core/src/index.ts');
  const functions = sources
    .flatMap((file) => readSyntax(file).functions.map((found) => ({ ...found, path: file.path })))
    .sort((a, b) => a.lines - b.lines);
  const functionLengths = functions.map(({ lines }) => lines);
  const suppressions = files.flatMap(
    ({ text }) => text.match(/biome-ignore|@ts-(?:ignore|expect-error|nocheck)/g) ?? [],
  );
  const sourceLines = linesOf(sources);
  const testLines = linesOf(files) - sourceLines;

  printTable([
    ['session, loop, turn, call-tool', `${linesOf(files.filter(isHeart))} lines together, of ${MAX_HEART_LINES}`],
    ['functions', `p95 ${percentile(functionLengths, 95)} lines, and the longest`],
    ...functions
      .slice(-3)
      .reverse()
      .map(({ path, line, lines }) => ['', `${lines} ${path}:${line}`]),
    ['import depth in core', `${Math.max(0, chain.length - 1)} ${chain.map(nameOf).join(' > ')}`],
    ['import cycles, with types', findCycles(graph).length],
    ['lint suppressions', `${suppressions.length} in ${sourceLines + testLines} lines`],
    ['tests to source', `${testLines} to ${sourceLines} lines, ${(testLines / Math.max(1, sourceLines)).toFixed(2)}`],
  ]);
}

function printBreaches() {
  const breaches = rules.flatMap((rule) => rule(files));
  for (const { path, line, message } of breaches) console.error(`${path}:${line} ${message}`);
  if (breaches.length > 0) process.exitCode = 1;
}

function readTree(): SourceFile[] {
  return globSync('packages/*/{src,test}/**/*.{ts,tsx}', { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

function dependenciesOf(name: string): string[] {
  const manifest = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'));
  return Object.keys(manifest.dependencies ?? {}).filter((dependency) => !dependency.startsWith('@ai-agent/'));
}

function isHeart({ path }: SourceFile): boolean {
  return heart.includes(path);
}

function packageOf({ path }: SourceFile): string {
  return path.split('/')[1] ?? '';
}

/** The path inside its package's src, without the extension. */
function nameOf(path: string): string {
  return path.replace(/^packages\/[^/]+\/src\//, '').replace(/\.tsx?$/, '');
}

function linesOf(some: readonly SourceFile[]): number {
  return some.reduce((total, { text }) => total + countLines(text), 0);
}

/** The nearest rank in a sorted list. */
function percentile(sorted: readonly number[], percent: number): number {
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? 0;
}

function printTable(rows: readonly (readonly (string | number)[])[]) {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => String(row[column]).length)));
  for (const row of rows) {
    console.log(
      row
        .map((cell, column) => String(cell).padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
  }
}
