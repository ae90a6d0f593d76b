// Texts for one property: what its name, its format and its pattern suggest, made from what was said.

import type { JsonSchema } from '@ai-agent/core';
import { cut } from './brief.ts';
import type { Place, Scope } from './scope.ts';

/** Proposals, best first; whoever asks checks them. */
export function* stringsFor(schema: JsonSchema, place: Place): Generator<string> {
  for (const text of proposals(schema, place)) yield withLength(text, schema, place.scope);
}

/** Whether a text here can be the request itself. */
export function isFreeText(name: string, { enum: choices, const: only, format, pattern, maxLength }: JsonSchema) {
  const isBound = choices !== undefined || only !== undefined || format !== undefined || pattern !== undefined;
  return !isBound && !isReason(name) && !guessFor(name) && Number(maxLength ?? 100) >= 20;
}

/** Names under which a request usually travels. */
export function isRequestName(name: string): boolean {
  return /^(text|prompt|query|question|request|task|input|message|content|topic|subject|body|q|search|goal|instructions?)$/i.test(
    name,
  );
}

export function isReason(name: string): boolean {
  return name === 'reason' || name === '_reason';
}

function* proposals(schema: JsonSchema, place: Place): Generator<string> {
  const { material, scope, isItem, purpose } = place;
  const beginning = material.request.slice(0, 4000);
  if (typeof schema.pattern === 'string') {
    const words = beginning.match(/[^\s,;()"']+/g)?.slice(0, 40) ?? [];
    yield* [...words.map((word) => word.replace(/[.!?:]+$/, '')), material.request];
    yield* scope.samples(schema.pattern);
  }
  const guess = formats[String(schema.format)] ?? guessFor(place.name);
  if (guess) {
    const index = isItem ? place.index : 0;
    if (index === 0) yield* guess.find?.exec(beginning)?.slice(0, 1) ?? [];
    for (let n = 1; n <= 20; n++) yield guess.make(n + index);
  }
  yield* purpose === 'report' ? reportTexts(place) : callTexts(place);
}

function* callTexts({ name, index, isItem, material }: Place): Generator<string> {
  if (isReason(name)) yield `Look into: ${cut(material.request.slice(0, 500).replace(/\s+/g, ' '), 49)}`;
  if (!isItem || index === 0) yield material.request;
  for (let n = 0; n < 20; n++) yield pointAt(material.points, index + n);
}

function* reportTexts({ name, index, isItem, material }: Place): Generator<string> {
  const { heading, summary, points, request } = material;
  const first = isItem ? index : index % points.length;
  const point = pointAt(points, first);
  if (/question/i.test(name)) yield toQuestion(point, request);
  if (/title|heading|headline|subject|^name$|topic|task/i.test(name)) yield isItem ? cut(point, 48) : heading;
  if (!isItem && /summary|answer|report|text|content|body|overview|result|description|message/i.test(name))
    yield summary;
  for (let n = 0; n < 20; n++) yield pointAt(points, first + n);
}

/** Where there is nothing more to say, it says so. */
function pointAt(points: readonly string[], index: number): string {
  const round = Math.floor(index / points.length);
  const point = points[index % points.length] ?? '';
  return round === 0 ? point : `More about${round > 1 ? ` (${round})` : ''}: ${point}`;
}

/** A question that the statement answers. */
function toQuestion(point: string, request: string): string {
  if (point.endsWith('?')) return point;
  if (point.startsWith('More about'))
    return `What m${point.slice(1, 4)} is there${point.slice(4).replace(/[.!…]+$/, '')}?`;
  const word = point.split(' ', 1)[0] ?? '';
  const lower = word.toLowerCase();
  const isCommon = /^(?:an?|the|it|its|this|that|these|there|our|we|in|on|at|for)$/.test(lower);
  const isNoName = isCommon || request.slice(0, 4000).split(/\s+/).includes(lower);
  return `Is it true that ${isNoName ? lower : word}${point.slice(word.length).replace(/[.!…]+$/, '')}?`;
}

/** Longer by saying it again, shorter by a cut, at a word if that leaves enough. */
function withLength(text: string, { minLength, maxLength }: JsonSchema, scope: Scope): string {
  const least = Math.min(Number(minLength ?? 0), 20_000);
  const most = Number(maxLength ?? Number.POSITIVE_INFINITY);
  scope.spend(text.length < least ? 2 + (least >> 4) : 2);
  const long = text.length < 2 * least ? `${text || '-'} `.repeat(Math.ceil(least / (text.length || 1)) + 1) : text;
  const fitted = text.length >= least && [...text].length >= least ? text : long.trimEnd();
  if (fitted.length <= most) return fitted;
  const short = cut(fitted, most);
  return short.length < least ? [...fitted].slice(0, most).join('') : short;
}

interface Guess {
  /** Where in the request it may be said. */
  readonly find?: RegExp;
  /** A harmless one that is clearly made up; the n-th differs from the others. */
  readonly make: (n: number) => string;
}

const date: Guess = {
  find: /\b\d{4}-\d{2}-\d{2}\b/,
  make: (n) => new Date(Date.UTC(2024, 0, n)).toISOString().slice(0, 10),
};
const email: Guess = { find: /[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+/, make: (n) => `demo${n}@example.com` };
const uri: Guess = { find: /\bhttps?:\/\/[^\s"'<>)]+[^\s"'<>).,;!?]/, make: (n) => `https://example.com/${n}` };

const formats: Readonly<Record<string, Guess>> = {
  date,
  'date-time': {
    find: /\b\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:\d{2})/,
    make: (n) => `${date.make(n)}T00:00:00Z`,
  },
  time: { make: (n) => `${String(n % 24).padStart(2, '0')}:00:00Z` },
  duration: { make: (n) => `P${n}D` },
  email,
  uri,
  url: uri,
  'uri-reference': uri,
  hostname: { make: (n) => `host${n}.example.com` },
  ipv4: { find: /\b(?:\d{1,3}\.){3}\d{1,3}\b/, make: (n) => `192.0.2.${n % 256}` },
  ipv6: { make: (n) => `2001:db8::${n % 10_000}` },
  uuid: {
    find: /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/i,
    make: (n) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
  },
  regex: { make: (n) => `.{${n},}` },
};

const path = { find: /(?:\.{0,2}\/)?[\w-]+(?:\/[\w.-]+)+/, make: (n: number) => (n === 1 ? '.' : `demo-${n}`) };
const name = {
  find: /(?<=[\p{L}\d,] )\p{Lu}[\p{L}-]+(?: \p{Lu}[\p{L}-]+)*/u,
  make: (n: number) => `Example ${n}`,
};

/** Names that mean something narrower than the request. What would be carried out is always harmless. */
const guesses: readonly (readonly [RegExp, Guess])[] = [
  [/^(url|uri|link|href)$/i, uri],
  [/^e?-?mail$/i, email],
  [/^(date|day|since|until)$/i, date],
  [/^version$/i, { find: /\b\d+(?:\.\d+)+\b/, make: (n) => `${n}.0` }],
  [/^(path|file|file_?name|file_?path|dir|directory|folder)$/i, path],
  [/^(command|cmd|shell|script|code|sql)$/i, { make: (n) => `echo ${n}` }],
  [/^(location|city|place|country|person)$/i, name],
  [/^(id|.+_id|.+Id)$/, { make: (n) => `demo-${n}` }],
];

function guessFor(name: string): Guess | undefined {
  return guesses.find(([pattern]) => pattern.test(name))?.[1];
}
