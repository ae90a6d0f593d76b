// The hard limits of the house: pure functions from files to what is wrong with them, and what to do about it.
import { findCycles, toImportGraph } from './import-graph.ts';
import { countLines, type SourceFile } from './syntax.ts';

export interface Breach {
  readonly path: string;
  readonly line: number;
  /** What is wrong, and what to do. */
  readonly message: string;
}

export type Rule = (files: readonly SourceFile[]) => Breach[];

export const MAX_FILE_LINES = 400;
export const MAX_HEART_LINES = 700;

/** The four files everything else exists to keep short. */
export const heart = ['session', 'loop', 'turn', 'call-tool'].map((name) => `packages/core/src/${name}.ts`);

export const filesStayShort: Rule = (files) =>
  sourcesOf(files)
    .map((file) => ({ path: file.path, line: countLines(file.text) }))
    .filter(({ line }) => line > MAX_FILE_LINES)
    .map(({ path, line }) => ({
      path,
      line,
      message: `${line} lines, and ${MAX_FILE_LINES} are the end: split it where the noun changes.`,
    }));

export const heartStaysSmall: Rule = (files) => {
  const parts = files.filter(({ path }) => heart.includes(path));
  const total = parts.reduce((sum, { text }) => sum + countLines(text), 0);
  if (total <= MAX_HEART_LINES) return [];
  return parts.map(({ path, text }) => ({
    path,
    line: countLines(text),
    message: `session, loop, turn and call-tool have ${total} lines together, of ${MAX_HEART_LINES}: move a concern into middleware.`,
  }));
};

export const errorsHaveCodes: Rule = (files) =>
  search(
    sourcesOf(files),
    /\bthrow new Error\(/,
    () => 'A bare Error has no class and no remedy: throw an AgentError.',
  );

export const environmentComesIn: Rule = (files) =>
  search(
    sourcesOf(files).filter(({ path }) => !path.startsWith('packages/cli/')),
    /process\.(?:env|chdir)\b/,
    (found) => `No ${found} outside packages/cli, not even in a comment: take the value as an argument.`,
  );

export const coreIsPure: Rule = (files) =>
  search(
    sourcesOf(files).filter(({ path }) => path.startsWith('packages/core/')),
    /\b(?:Date\.now|new Date\(|Math\.random|globalThis)/,
    (found) => `Core has no ${found.replace('(', '')}: take time, ids and chance from a port.`,
  );

export const importsHaveNoCycles: Rule = (files) =>
  findCycles(toImportGraph(sourcesOf(files))).map(({ path, line, chain }) => ({
    path,
    line,
    message: `Import cycle ${chain.join(' -> ')}: move what both need into a file below them.`,
  }));

export const rules: readonly Rule[] = [
  filesStayShort,
  heartStaysSmall,
  errorsHaveCodes,
  environmentComesIn,
  coreIsPure,
  importsHaveNoCycles,
];

export function sourcesOf(files: readonly SourceFile[]): SourceFile[] {
  return files.filter(({ path }) => /^packages\/[^/]+\/src\//.test(path));
}

function search(files: readonly SourceFile[], pattern: RegExp, message: (found: string) => string): Breach[] {
  return files.flatMap(({ path, text }) =>
    text.split('\n').flatMap((content, index) => {
      const found = pattern.exec(content)?.[0];
      return found === undefined ? [] : [{ path, line: index + 1, message: message(found) }];
    }),
  );
}
