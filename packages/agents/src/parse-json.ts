// JSON with comments to values that know their lines.

import { getNodeValue, type Node as JsonNode, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { Field, Located, Parsed } from './located.ts';

/** JSON with comments and trailing commas. */
export function parseJson(text: string): Parsed {
  const errors: ParseError[] = [];
  const source = text.replace(/^\uFEFF/, '');
  const lineAt = toLineFinder(source);
  const root = treeOf(source, errors);
  if (root === 'too deep') return { problems: [{ line: 1, message: 'it is nested too deeply' }] };
  if (errors.length > 0)
    return {
      problems: errors.map(({ error, offset }) => ({
        line: lineAt(offset),
        message: inWords(printParseErrorCode(error)),
      })),
    };
  if (!root) return { problems: [{ line: 1, message: 'the file is empty' }] };
  try {
    const twice = keysSaidTwice(root).map(({ value, offset }) => ({
      line: lineAt(offset),
      message: `the key ${value} stands there twice`,
    }));
    return twice.length > 0 ? { problems: twice } : { root: fromJson(root, lineAt) };
  } catch (error) {
    if (error instanceof RangeError) return { problems: [{ line: 1, message: 'it is nested too deeply' }] };
    throw error;
  }
}

function treeOf(source: string, errors: ParseError[]): JsonNode | 'too deep' | undefined {
  try {
    return parseTree(source, errors, { allowTrailingComma: true, disallowComments: false });
  } catch (error) {
    if (error instanceof RangeError) return 'too deep';
    throw error;
  }
}

/** Only one of them would hold. */
function keysSaidTwice({ type, children = [] }: JsonNode): readonly JsonNode[] {
  const keys = type === 'object' ? children.flatMap(({ children: [key] = [] }) => key ?? []) : [];
  const own = keys.filter(({ value }, i) => keys.findIndex((other) => other.value === value) < i);
  return [...own, ...children.flatMap(keysSaidTwice)];
}

function fromJson(node: JsonNode, lineAt: (offset: number) => number): Located {
  const line = lineAt(node.offset);
  const value: unknown = getNodeValue(node);
  if (node.type === 'object') {
    const fields = new Map<string, Field>();
    for (const { children: [key, held] = [] } of node.children ?? []) {
      if (!key || !held || held.type === 'null') continue;
      fields.set(String(key.value), { line: lineAt(key.offset), at: fromJson(held, lineAt) });
    }
    return { value, line, fields };
  }
  if (node.type !== 'array') return { value, line };
  const items = (node.children ?? []).filter(({ type }) => type !== 'null').map((item) => fromJson(item, lineAt));
  return { value, line, items };
}

function toLineFinder(text: string): (offset: number) => number {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  return (offset) => {
    const next = starts.findIndex((start) => start > offset);
    return next < 0 ? starts.length : next;
  };
}

/** `PropertyNameExpected` as people say it. */
function inWords(code: string): string {
  return code.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
}
