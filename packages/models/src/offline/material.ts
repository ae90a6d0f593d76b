// What a demonstration model may fill values and reports with: words, numbers and data that were really said.

import { isObject, type Json } from '@ai-agent/core';
import { headingOf } from './brief.ts';
import { sentencesOf } from './sentences.ts';

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
  /** Statements from results. */
  readonly found?: readonly string[];
  /** Statements from the request, which fill up. */
  readonly said?: readonly string[];
  /** Results as they came, for the data in them. */
  readonly results?: readonly string[];
}

export function gatherMaterial(request: string, { found = [], said = [], results = [] }: Gathered = {}): Material {
  const named = new Map<string, Json>();
  for (const text of [...results, request]) collectNamed(parseData(text), named);
  const readable = readableOf(request).trim() || 'offline demo';
  const points = [...new Set([...found, ...said])];
  const usable = points.length > 0 ? points : sentencesOf(readable);
  return {
    request: request.trim() || 'offline demo',
    heading: headingOf(readable),
    summary: (found.length > 0 ? found : usable).slice(0, 4).join(' ') || readable,
    points: usable.length > 0 ? usable : [readable],
    numbers: (readable.match(/(?<![\w.-])-?\d+(?:\.\d+)?(?![\w-])/g) ?? []).map(Number),
    named,
  };
}

/** A text as people read it: data becomes words, anything else stays. */
export function readableOf(text: string): string {
  const data = parseData(text);
  return data === undefined ? text : describe(data);
}

/** How names are compared: `userName`, `user_name` and `user-name` are one. */
export function toPlainName(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** The object or list that a text is, if it is one. */
function parseData(text: string): Json | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Data below this is not looked at: nobody would read it, and the stack has an end. */
const deepest = 20;

function collectNamed(data: unknown, named: Map<string, Json>, depth = 0): void {
  if (depth > deepest) return;
  if (Array.isArray(data)) for (const entry of data) collectNamed(entry, named, depth + 1);
  if (!isObject(data)) return;
  for (const [key, value] of Object.entries(data)) {
    const name = toPlainName(key);
    if (!named.has(name) && named.size < 500) named.set(name, value as Json);
    collectNamed(value, named, depth + 1);
  }
}

function describe(data: Json, depth = 0): string {
  if (depth > deepest) return '…';
  if (Array.isArray(data)) return data.map((entry) => describe(entry, depth + 1)).join('; ');
  if (!isObject(data)) return String(data);
  return Object.entries(data as Record<string, Json>)
    .map(([key, value]) => `${key}: ${describe(value, depth + 1)}`)
    .join(', ');
}
