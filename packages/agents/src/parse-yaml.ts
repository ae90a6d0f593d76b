// YAML to values that know their lines.

import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  type YAMLMap,
  type Node as YamlNode,
} from 'yaml';
import type { Field, Located, Parsed, SyntaxProblem } from './located.ts';

/** `firstLine` is where the text begins in its file. */
export function parseYaml(text: string, firstLine = 1): Parsed {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, merge: true, logLevel: 'error' });
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
    ...document.errors.map(({ code, pos, message }) => ({
      line: lineAt(pos[0]),
      message: `${message}${adviceOn[code] ?? ''}`,
    })),
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

/** What its parser says is true, and seldom says what to do. */
const adviceOn: Readonly<Record<string, string>> = {
  BLOCK_AS_IMPLICIT_KEY: '; a text with a colon and a space in it needs quotes around it',
  DUPLICATE_KEY: '; a key stands there twice',
  MISSING_CHAR: '; look for a quote or a bracket that is opened above and never closed',
  TAB_AS_INDENT: '; use spaces',
};

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
  const value = node?.toJS(context.document) ?? null;
  if (isMap(node)) return { value, line, fields: fieldsOf(node, context) };
  if (!isSeq(node)) return { value, line };
  const items = node.items.map((item) => fromYaml(item, context)).filter((item) => item.value !== null);
  return { value, line, items };
}

/** What is said beside a merge wins over what is merged; of several, the first. */
function fieldsOf(map: YAMLMap, context: YamlContext): ReadonlyMap<string, Field> {
  const merged: (readonly [string, Field])[] = [];
  const own: (readonly [string, Field])[] = [];
  for (const { key, value } of map.items) {
    const at = fromYaml(value, context);
    const line = context.lineAt((key as YamlNode).range?.[0] ?? 0);
    if (isMergeKey(key)) merged.push(...(at.items ?? [at]).toReversed().flatMap(({ fields }) => [...(fields ?? [])]));
    else if (at.value !== null) own.push([isScalar(key) ? String(key.value) : String(key), { line, at }]);
  }
  return new Map([...merged, ...own]);
}

/** `<<: *others` */
function isMergeKey(key: unknown): boolean {
  return isScalar(key) && key.type === 'PLAIN' && key.source === '<<';
}
