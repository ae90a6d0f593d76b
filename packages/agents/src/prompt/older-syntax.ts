// The older syntax of prompts, ${include:path}, {{include:path}} and ${NAME}: where it is, and what it is as a template.

import { isVariable, type Variables } from './variables.ts';

/** An include of the older kind, or what Liquid leaves as it stands. */
export type Span = OlderInclude | Raw;

export interface OlderInclude {
  readonly kind: 'include';
  readonly path: string;
  readonly begin: number;
  readonly end: number;
  /** The dashes of `{{- include:path -}}`. */
  readonly dashes: readonly [string, string];
}

interface Raw {
  readonly kind: 'raw';
  readonly begin: number;
  readonly end: number;
}

/** In their order. Not inside of Liquid's own tags, and in time that grows with the text and no faster. */
export function* findOlder(text: string): Generator<Span> {
  const opening = /\{%|\{\{|\$\{/g;
  for (;;) {
    const begin = opening.exec(text)?.index;
    if (begin === undefined) return;
    const raw = matchAt(/\{%-?\s*raw\b/y, text, begin);
    const include = raw ? undefined : includeAt(text, begin);
    const end = raw ? endOfRaw(text, begin) : (include?.end ?? endOfLiquid(text, begin));
    // Something is not closed: Liquid will say so.
    if (end === undefined) return;
    if (raw) yield { kind: 'raw', begin, end };
    if (include) yield include;
    opening.lastIndex = end;
  }
}

function includeAt(text: string, begin: number): OlderInclude | undefined {
  const found =
    matchAt(/\$\{()[ \t]*include[ \t]*:([^{}\n]*)()\}/y, text, begin) ??
    matchAt(/\{\{(-?)[ \t]*include[ \t]*:([^{}\n]*?)(-?)\}\}/y, text, begin);
  if (!found) return undefined;
  const [all, left = '', path = '', right = ''] = found;
  return { kind: 'include', path: path.trim(), begin, end: begin + all.length, dashes: [left, right] };
}

function endOfRaw(text: string, begin: number): number | undefined {
  const closing = /\{%-?\s*endraw\s*-?%\}/g;
  closing.lastIndex = begin;
  return closing.exec(text) ? closing.lastIndex : undefined;
}

function endOfLiquid(text: string, begin: number): number | undefined {
  if (text.startsWith('$', begin)) return begin + 1;
  const end = text.indexOf(text.startsWith('{%', begin) ? '%}' : '}}', begin + 2);
  return end < 0 ? undefined : end + 2;
}

function matchAt(pattern: RegExp, text: string, begin: number): RegExpExecArray | null {
  pattern.lastIndex = begin;
  return pattern.exec(text);
}

/** Goes once through a text: `span` of what was found, `between` of all the rest. */
export function rewrite(text: string, { span, between }: Rewriting): string {
  let at = 0;
  let rewritten = '';
  for (const found of findOlder(text)) {
    rewritten += between(text.slice(at, found.begin), found) + span(found);
    at = found.end;
  }
  return rewritten + between(text.slice(at));
}

interface Rewriting {
  readonly span: (span: Span) => string;
  readonly between: (piece: string, next?: Span) => string;
}

/** With as many lines as before. What is raw stays as it stands, its `${NAME}` too. */
export function toTemplate(text: string): string {
  return rewrite(text, {
    span: (span) => (span.kind === 'raw' ? text.slice(span.begin, span.end) : toTag(span)),
    // A brace just before a tag would be read as part of it.
    between: (piece, next) => markVariables(next?.kind === 'include' ? piece.replace(/\{$/, '{{"{"}}') : piece),
  });
}

/** `include`, because the older syntax shares everything with the text around it. */
function toTag({ path, dashes: [left, right] }: OlderInclude): string {
  return `{%${left} include '${path.replace(/[\\']/g, '\\$&')}' ${right}%}`;
}

/**
 * Marked before Liquid works and filled in after it: so a value that Liquid put in is never taken for a variable,
 * whatever is in it. No text and no value has a NUL.
 */
function markVariables(piece: string): string {
  return piece.replace(/\$\{([A-Z_]+)\}/g, (found, name: string) => (isVariable(name) ? `\0${name}\0` : found));
}

export function fillMarked(text: string, variables: Variables): string {
  return text.replace(/\0([A-Z_]+)\0/g, (found, name: string) => (isVariable(name) ? String(variables[name]) : found));
}

/** The same for a text that never was a template. */
export function fillPlain(text: string, variables: Variables): string {
  return fillMarked(markVariables(text), variables);
}
