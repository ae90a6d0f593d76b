// What a demonstration model may fill values and reports with: words, numbers and data that were really said.

import { isObject, type Json } from '@ai-agent/core';
import { factsOf, pickLongest, readBrief, sentencesOf } from './brief.ts';

export interface Material {
  /** The request as it was written; never empty. */
  readonly request: string;
  readonly heading: string;
  /** A few sentences that stand for the whole. */
  readonly summary: string;
  /** Single statements, each usable alone; at least one. */
  readonly points: readonly string[];
  readonly numbers: readonly number[];
  /** Data that came with a name, by that name in its plainest form. */
  readonly named: ReadonlyMap<string, Json>;
}

export interface Gathered {
  readonly instructions?: string;
  /** Results as they came, for the data in them. */
  readonly results?: readonly string[];
  /** Statements from them. */
  readonly found?: readonly string[];
}

export function gatherMaterial(request: string, { instructions, results = [], found = [] }: Gathered = {}): Material {
  const named = new Map<string, Json>();
  for (const text of [...results, request]) collectNamed(parseData(text), named);
  const words = wordsIn(request).trim() || 'offline demo';
  const brief = readBrief(words, instructions);
  const said = factsOf(brief);
  const points = [...new Set([...found, ...pickLongest(said, 8)])];
  const usable = points.length > 0 ? points : [sentencesOf(words)[0] ?? words];
  return {
    request: request.trim() || 'offline demo',
    heading: brief.heading,
    summary: (found.length > 0 ? found : usable).slice(0, 4).join(' '),
    points: usable,
    numbers: (words.slice(0, 10_000).match(/(?<![\w.-])-?\d{1,15}(?:\.\d{1,15})?(?![\w-])/g) ?? []).map(Number),
    named,
  };
}

/** A text as it would be said: of data the sentences in it, or without any, the data as words. */
export function wordsIn(text: string): string {
  const data = parseData(text);
  if (data === undefined) return text;
  const texts = leavesOf(data).filter((leaf) => typeof leaf === 'string' && leaf.trim().split(/\s+/).length > 2);
  return texts.length > 0 ? [...new Set(texts)].join('\n') : inline(data);
}

/** A text as it would be shown: data as words on one line, or as a list where that would be too long. */
export function readableOf(text: string): string {
  const data = parseData(text);
  return data === undefined ? text : inWords(data);
}

/** How names are compared: `userName`, `user_name` and `user-name` are one. */
export function toPlainName(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** The object or list that a text is, if it is one. */
function parseData(text: string): Json | undefined {
  if (text.length > 200_000 || !/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Data below this is not looked at: nobody would read it, and the stack has an end. */
const deepest = 20;

function collectNamed(data: unknown, named: Map<string, Json>, depth = 0): void {
  if (depth > deepest || named.size > 500) return;
  if (Array.isArray(data)) for (const entry of data) collectNamed(entry, named, depth + 1);
  if (!isObject(data)) return;
  for (const [key, value] of Object.entries(data)) {
    const name = toPlainName(key);
    if (!named.has(name)) named.set(name, value as Json);
    collectNamed(value, named, depth + 1);
  }
}

function leavesOf(data: unknown, depth = 0): readonly unknown[] {
  if (typeof data !== 'object' || data === null) return [data];
  return depth > deepest ? [] : Object.values(data).flatMap((entry) => leavesOf(entry, depth + 1));
}

function inline(data: unknown, depth = 0): string {
  if (depth > deepest) return '…';
  if (Array.isArray(data)) return data.map((entry) => inline(entry, depth + 1)).join('; ');
  if (!isObject(data)) return String(data);
  return Object.entries(data)
    .map(([key, value]) => `${key}: ${inline(value, depth + 1)}`)
    .join(', ');
}

function inWords(data: unknown, depth = 0): string {
  const line = inline(data);
  const isShort = line.length <= 80 && !/[.!?];/.test(line);
  if (isShort || typeof data !== 'object' || data === null || depth > 2) return line;
  const parts = Object.entries(data).map(([key, value]) => [key, inWords(value, depth + 1)] as const);
  if (Array.isArray(data)) return parts.map(([, words]) => `- ${words.replaceAll('\n', '\n  ')}`).join('\n');
  return parts.map(([key, words]) => `${key}:${words.startsWith('- ') ? '\n' : ' '}${words}`).join('\n');
}
