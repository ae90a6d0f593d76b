// What the figures need to know about one file's syntax: which files it imports, and how long its functions are.
// The parser is Vite's, by way of Vitest: TypeScript 7 has no stable API.
import { posix } from 'node:path';
import { parseAst } from 'vitest/node';

export interface SourceFile {
  /** From the root of the repository, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

export interface Import {
  readonly to: string;
  readonly line: number;
}

export interface FunctionLength {
  readonly line: number;
  readonly lines: number;
}

export interface Syntax {
  /** Relative imports only, those of types included. */
  readonly imports: readonly Import[];
  readonly functions: readonly FunctionLength[];
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly source?: { readonly value?: unknown } | null;
}

const functionTypes = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

export function readSyntax(file: SourceFile): Syntax {
  const imports: Import[] = [];
  const functions: FunctionLength[] = [];
  const visit = (node: Node) => {
    const target = node.source?.value;
    if (typeof target === 'string' && target.startsWith('.')) {
      imports.push({ to: posix.join(posix.dirname(file.path), target), line: lineAt(file.text, node.start) });
    }
    if (functionTypes.has(node.type)) {
      const line = lineAt(file.text, node.start);
      functions.push({ line, lines: lineAt(file.text, node.end) - line + 1 });
    }
    for (const child of childrenOf(node)) visit(child);
  };
  visit(parseAst(file.text, { lang: file.path.endsWith('x') ? 'tsx' : 'ts' }, file.path));
  return { imports, functions };
}

export function countLines(text: string): number {
  return text === '' ? 0 : text.replace(/\n$/, '').split('\n').length;
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

function childrenOf(node: Node): Node[] {
  return Object.values(node).flat().filter(isNode);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}
