// Texts for one property: what its name, its format and its pattern suggest, made from what was said.

import type { JsonSchema } from '@ai-agent/core';
import type { Material } from './material.ts';
import { textsMatching } from './pattern.ts';
import { capitalize, cut } from './sentences.ts';

export interface TextPlace {
  /** Of the property. */
  readonly name: string;
  /** Its position among its neighbours, so that they do not all say the same. */
  readonly ordinal: number;
  /** Of a list, where all texts of one item are about one point. */
  readonly isItem: boolean;
  readonly isReport: boolean;
  readonly material: Material;
}

/** Proposals, best first; whoever asks checks them. */
export function* stringsFor(schema: JsonSchema, place: TextPlace): Generator<string> {
  for (const text of proposals(schema, place)) yield withLength(text, schema);
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

function* proposals(schema: JsonSchema, place: TextPlace): Generator<string> {
  const { request } = place.material;
  if (typeof schema.pattern === 'string') {
    yield* request.match(/[^\s,;()"']+/g)?.map((word) => word.replace(/[.!?:]+$/, '')) ?? [];
    yield request;
    yield* textsMatching(schema.pattern);
  }
  const known = typeof schema.format === 'string' ? formats.get(schema.format) : undefined;
  const guess = known ?? guessFor(place.name);
  if (guess) {
    const found = guess.find?.exec(request.slice(0, 4000))?.[0];
    if (found) yield found.trim();
    for (let n = 1; n <= 20; n++) yield guess.make(n);
  }
  yield* place.isReport ? reportTexts(place) : callTexts(place);
}

function* callTexts({ name, material }: TextPlace): Generator<string> {
  if (isReason(name)) yield `Look into: ${cut(material.request.replace(/\s+/g, ' '), 49)}`;
  yield material.request;
  yield* material.points;
  for (let n = 2; n <= 20; n++) yield `${n}. ${material.request}`;
}

function* reportTexts({ name, ordinal, isItem, material }: TextPlace): Generator<string> {
  const { heading, summary, points } = material;
  if (/title|heading|headline|subject|^name$|topic|task/i.test(name)) {
    yield* isItem ? points.map((point) => cut(point, 48)) : [heading];
  }
  if (!isItem && /summary|answer|report|text|content|body|overview|result|description|message/i.test(name))
    yield summary;
  for (const [i] of points.entries()) yield points[(i + (isItem ? 0 : ordinal)) % points.length] ?? summary;
  for (let n = 2; n <= 20; n++) yield `${n}. ${points[0]}`;
}

/** Longer by saying it again, shorter by a cut at a word. */
function withLength(text: string, { minLength, maxLength }: JsonSchema): string {
  const least = typeof minLength === 'number' ? Math.min(minLength, 100_000) : 0;
  const length = [...text].length;
  const long = length < least ? text + ` ${text || '-'}`.repeat(Math.ceil((least - length) / (length + 1))) : text;
  return typeof maxLength === 'number' ? cut(long, maxLength) : long;
}

interface Guess {
  /** Where in the request it may be said. */
  readonly find?: RegExp;
  /** A harmless one that is clearly made up; the n-th differs from the others. */
  readonly make: (n: number) => string;
}

const two = (n: number) => String(n).padStart(2, '0');
const date: Guess = { find: /\b\d{4}-\d{2}-\d{2}\b/, make: (n) => `2024-01-${two(n)}` };
const email: Guess = { find: /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/, make: (n) => `demo${n}@example.com` };
const uri: Guess = { find: /\bhttps?:\/\/[^\s"'<>)]+[^\s"'<>).,;!?]/, make: (n) => `https://example.com/${n}` };

const formats = new Map<string, Guess>(
  Object.entries({
    date,
    'date-time': {
      find: /\b\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:\d{2})/,
      make: (n) => `2024-01-${two(n)}T00:00:00Z`,
    },
    time: { make: (n) => `${two(n)}:00:00Z` },
    duration: { make: (n) => `P${n}D` },
    email,
    'idn-email': email,
    uri,
    url: uri,
    iri: uri,
    'uri-reference': { ...uri, make: (n) => `/${n}` },
    'iri-reference': { ...uri, make: (n) => `/${n}` },
    'uri-template': { make: (n) => `https://example.com/{id}/${n}` },
    hostname: { find: /\b[a-z\d-]+(?:\.[a-z\d-]+)*\.[a-z]{2,}\b/i, make: (n) => `host${n}.example.com` },
    'idn-hostname': { make: (n) => `host${n}.example.com` },
    ipv4: { find: /\b(?:\d{1,3}\.){3}\d{1,3}\b/, make: (n) => `192.0.2.${n}` },
    ipv6: { make: (n) => `2001:db8::${n}` },
    uuid: {
      find: /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/i,
      make: (n) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
    },
    'json-pointer': { make: (n) => `/${n}` },
    'relative-json-pointer': { make: (n) => `${n}` },
    regex: { make: (n) => `.{${n},}` },
  } satisfies Record<string, Guess>),
);

const properName = /(?<=[\p{L}\d,] )\p{Lu}[\p{L}-]+(?: \p{Lu}[\p{L}-]+)*/u;

/** Names that mean something narrower than the request. What would be carried out is always harmless. */
const guesses: readonly (readonly [RegExp, Guess])[] = [
  [/^(url|uri|link|href)$/i, uri],
  [/^e?-?mail$/i, email],
  [/^(date|day|since|until|from_?date|to_?date)$/i, date],
  [
    /^(path|file|file_?name|file_?path|dir|directory|folder)$/i,
    {
      find: /(?:\.{0,2}\/)?[\w-]+(?:\/[\w.-]+)+|\b[\w-]+\.(?:md|txt|json|ts|js|csv|py|html)\b/,
      make: (n) => (n === 1 ? '.' : `demo-${n}`),
    },
  ],
  [/^(command|cmd|shell|script|code)$/i, { make: (n) => `echo ${n}` }],
  [/^sql$/i, { make: (n) => `SELECT ${n}` }],
  [/^(lang|language|locale)$/i, { make: (n) => ['en', 'de', 'fr', 'es'][n - 1] ?? `en-${n}` }],
  [/^(location|city|place|country|person)$/i, { find: properName, make: (n) => capitalize(`example ${n}`) }],
  [
    /^(expr|expression|formula|calculation)$/i,
    {
      find: /(?<![\w.-])[-(]*\d[\d.]*\)*(?:\s*(?:\*\*|[-+*/^%×÷])\s*[-(]*\d[\d.]*\)*)+(?![\w-])/,
      make: (n) => `${n} + 1`,
    },
  ],
  [/^(id|.+_id|.+Id)$/, { make: (n) => `demo-${n}` }],
];

function guessFor(name: string): Guess | undefined {
  return guesses.find(([pattern]) => pattern.test(name))?.[1];
}
