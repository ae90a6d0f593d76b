// A value that knows the line it came from: YAML and JSON in one form, so that whoever reads it can say where it is wrong.

import { getNodeValue, type Node as JsonNode, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  type Node as YamlNode,
} from 'yaml';

export interface Located {
  /** As plain data. */
  readonly value: unknown;
  /** From 1; missing for what was not in a file. */
  readonly line?: number;
  /** Of an object. What is null is not there. */
  readonly fields?: ReadonlyMap<string, Field>;
  /** Of a list. */
  readonly items?: readonly Located[];
}

export interface Field {
  /** Of the key. */
  readonly line?: number;
  readonly at: Located;
}

export interface SyntaxProblem {
  readonly line: number;
  readonly message: string;
}

export type Parsed = { readonly root: Located } | { readonly problems: readonly SyntaxProblem[] };

/** `firstLine` is where the text begins in its file. */
export function parseYaml(text: string, firstLine = 1): Parsed {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const lineAt = (offset: number) => lines.linePos(offset).line + firstLine - 1;
  const mistakes = mistakesIn(document, lineAt);
  if (mistakes.length > 0) return { problems: mistakes };
  const refuse = (message: string) => ({ problems: [{ line: firstLine, message }] });
  try {
    // Also refuses aliases that would unfold to more than anybody wrote.
    if (isRing(document.toJS({ maxAliasCount: 100 }))) return refuse('an alias stands inside what it is an alias of');
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
  return { root: fromYaml(document.contents, { document, lineAt }) };
}

/** Also what YAML would only warn of: a denial such as !name is a tag to it, which it drops; a glob such as *.ai an alias. */
function mistakesIn(document: Document, lineAt: (offset: number) => number): readonly SyntaxProblem[] {
  const told = [
    ...document.errors.map(({ pos, message }) => ({ line: lineAt(pos[0]), message })),
    ...document.warnings.map(({ pos, message }) => ({ line: lineAt(pos[0]), message: `${message}; ${needsQuotes}` })),
  ];
  visit(document, {
    Alias(_, node) {
      if (node.resolve(document)) return;
      told.push({ line: lineAt(node.range?.[0] ?? 0), message: `Unresolved alias: *${node.source}; ${needsQuotes}` });
    },
  });
  return told;
}

const needsQuotes = 'a text that begins with ! or * needs quotes';

/** Whether something in it holds itself. */
function isRing(value: unknown, around: readonly unknown[] = []): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return around.includes(value) || Object.values(value).some((part) => isRing(part, [...around, value]));
}

interface YamlContext {
  readonly document: Document;
  readonly lineAt: (offset: number) => number;
}

function fromYaml(given: unknown, context: YamlContext): Located {
  const node = (isAlias(given) ? given.resolve(context.document) : given) as YamlNode | null | undefined;
  const line = context.lineAt(node?.range?.[0] ?? 0);
  if (isMap(node)) {
    const fields = new Map<string, Field>();
    for (const { key, value } of node.items) {
      const at = fromYaml(value, context);
      const name = isScalar(key) ? String(key.value) : String(key);
      if (at.value !== null) fields.set(name, { line: context.lineAt((key as YamlNode).range?.[0] ?? 0), at });
    }
    return { value: node.toJS(context.document), line, fields };
  }
  if (isSeq(node))
    return {
      value: node.toJS(context.document),
      line,
      items: node.items.map((item) => fromYaml(item, context)).filter(({ value }) => value !== null),
    };
  return { value: node?.toJS(context.document) ?? null, line };
}

/** JSON with comments and trailing commas. */
export function parseJson(text: string): Parsed {
  const errors: ParseError[] = [];
  const source = text.replace(/^\uFEFF/, '');
  const root = parseTree(source, errors, { allowTrailingComma: true, disallowComments: false });
  const lineAt = toLineFinder(source);
  if (errors.length > 0)
    return {
      problems: errors.map(({ error, offset }) => ({
        line: lineAt(offset),
        message: inWords(printParseErrorCode(error)),
      })),
    };
  return root ? { root: fromJson(root, lineAt) } : { problems: [{ line: 1, message: 'the file is empty' }] };
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

/** A value that came from nowhere with lines, such as a flag. */
export function located(value: unknown): Located {
  if (Array.isArray(value)) return { value, items: value.map(located) };
  if (typeof value !== 'object' || value === null) return { value };
  const entries = Object.entries(value).filter(([, held]) => held !== null && held !== undefined);
  return { value, fields: new Map(entries.map(([key, held]) => [key, { at: located(held) }])) };
}
