// Blocks of metadata in a text: written by a model for a plugin, read leniently, and taken out whole.

import type { Json } from './json.ts';

export interface MetadataBlock {
  /** Undefined when the block does not say. */
  readonly plugin: string | undefined;
  readonly content: string;
}

export interface Taken {
  /** What is left: without any block, whole or broken. */
  readonly text: string;
  readonly blocks: readonly MetadataBlock[];
}

/** Any nonce, any quotes, attributes in any order; a block that is not closed ends with its JSON. */
export function takeBlocks(text: string): Taken {
  if (!/<\/?ai-agent-/i.test(text)) return { text, blocks: [] };
  const blocks: MetadataBlock[] = [];
  const found = [...text.matchAll(tags)];
  let rest = '';
  let from = 0;
  for (const [i, tag] of found.entries()) {
    rest += text.slice(from, tag.index);
    from = tag.index + tag[0].length;
    if (tag[1] !== '/') {
      const content = contentOf(text, from, found[i + 1]);
      blocks.push({ plugin: pluginIn(tag[2] ?? ''), content });
      from += content.length;
    }
    rest += gap;
  }
  return { text: withoutTraces(rest + text.slice(from), text), blocks };
}

/** Where the first tag of a block stands. */
export function findBlock(text: string): number | undefined {
  const at = text.search(tags);
  return at < 0 ? undefined : at;
}

/** What a block says: JSON, with or without a fence around it, also as it stands inside a JSON string. */
export function readBlock({ content }: MetadataBlock): { readonly value: Json } | undefined {
  const bare = content
    .trim()
    .replace(/^```\w*\s*/, '')
    .replace(/```$/, '')
    .trim();
  return parse(bare) ?? parse(unescaped(bare));
}

/** Opening or closing; what else stands in it. Whether it ends is looked at first: else every META in it would be tried to no end. */
const tags = /<(\/?)ai-agent-(?=[^<>]*>)[\w.-]*META\b([^<>]*)>/gi;
/** Where a block was. */
const gap = '\0';

function pluginIn(attributes: string): string | undefined {
  return /\bplugin\s*=\s*\\?["'“”‘’]?([\w.-]+)/i.exec(attributes)?.[1];
}

/** Up to its closing tag; without one, what comes after its JSON belongs to the report. */
function contentOf(text: string, start: number, next: RegExpMatchArray | undefined): string {
  const rest = text.slice(start, next?.index);
  return next?.[1] === '/' ? rest : rest.slice(0, endOfJson(rest));
}

/** Behind the object or list that it begins with; undefined when there is none, or it does not end. */
function endOfJson(text: string): number | undefined {
  const opening = /^\s*(?:```\w*\s*)?(?=[{[])/.exec(text);
  if (!opening) return undefined;
  let depth = 0;
  for (let i = opening[0].length; i < text.length; i++) {
    const letter = text[i];
    if (letter === '"') i = endOfString(text, i);
    else if (letter === '{' || letter === '[') depth++;
    else if ((letter === '}' || letter === ']') && --depth === 0) return i + 1;
  }
  return undefined;
}

function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === '"') return i;
  }
  return text.length;
}

/** Closings without a block, the beginning of a tag that was cut, and fences that held nothing but blocks. */
function withoutTraces(rest: string, whole: string): string {
  const left = rest.replace(/```\w*\s*\0[\s\0]*```/g, gap).replace(/<\/?ai-agent-[\w.-]*(?:\s[^<>]*)?$/i, gap);
  return left === whole ? whole : left.replaceAll(gap, '').trim();
}

function unescaped(text: string): string {
  const read = text.includes('\\') ? parse(`"${text}"`) : undefined;
  return typeof read?.value === 'string' ? read.value : '';
}

function parse(text: string): { readonly value: Json } | undefined {
  try {
    return { value: JSON.parse(text) as Json };
  } catch {
    return undefined;
  }
}
