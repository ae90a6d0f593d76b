// What an answer must be beyond its type, said before it is typed and checked when it is.

import type { Json, JsonSchema } from '@ai-agent/core';

export interface Bound {
  /** After `It must be`. */
  readonly words: string;
  readonly holds: (value: Json) => boolean;
}

/** Those that can be said in words; whoever asks checks the rest. */
export function boundsOf(schema: JsonSchema): readonly Bound[] {
  const { format } = schema;
  const known = typeof format === 'string' && Object.hasOwn(formats, format) ? formats[format] : undefined;
  return [
    ...(schema.type === 'integer' ? [aWholeNumber] : []),
    ...(known ? [known] : []),
    ...Object.entries(limits).flatMap(([key, toBound]) => {
      const limit = schema[key];
      return typeof limit === 'number' ? [toBound(limit)] : [];
    }),
  ];
}

/** Undefined when there are none. */
export function inWords(bounds: readonly Bound[]): string | undefined {
  return bounds.length === 0 ? undefined : `It must be ${bounds.map(({ words }) => words).join(', ')}.`;
}

/** The first that is broken, in a sentence. */
export function brokenBy(value: Json, bounds: readonly Bound[]): string | undefined {
  const broken = bounds.find(({ holds }) => !holds(value));
  return broken && inWords([broken]);
}

const aWholeNumber: Bound = { words: 'a whole number', holds: (value) => Number.isInteger(value) };

const limits: Readonly<Record<string, (limit: number) => Bound>> = {
  minimum: (limit) => ({ words: `at least ${limit}`, holds: (value) => Number(value) >= limit }),
  exclusiveMinimum: (limit) => ({ words: `more than ${limit}`, holds: (value) => Number(value) > limit }),
  maximum: (limit) => ({ words: `at most ${limit}`, holds: (value) => Number(value) <= limit }),
  exclusiveMaximum: (limit) => ({ words: `less than ${limit}`, holds: (value) => Number(value) < limit }),
  minLength: (limit) => ({ words: `${letters(limit)} or more`, holds: (value) => lengthOf(value) >= limit }),
  maxLength: (limit) => ({ words: `${letters(limit)} at most`, holds: (value) => lengthOf(value) <= limit }),
  minItems: (limit) => ({ words: `${limit} of them or more`, holds: (value) => countOf(value) >= limit }),
  maxItems: (limit) => ({ words: `${limit} of them at most`, holds: (value) => countOf(value) <= limit }),
};

function letters(count: number): string {
  return count === 1 ? '1 letter' : `${count} letters`;
}

/** As JSON Schema counts. */
function lengthOf(value: Json): number {
  return [...String(value)].length;
}

function countOf(value: Json): number {
  return Array.isArray(value) ? value.length : 0;
}

const formats: Readonly<Record<string, Bound>> = {
  email: { words: 'an e-mail address', holds: (value) => /^[^\s@]+@[^\s@]+$/.test(String(value)) },
  uri: { words: 'an address such as https://example.com', holds: (value) => URL.canParse(String(value)) },
  date: { words: 'a date such as 2026-01-31', holds: (value) => isDay(String(value)) },
  'date-time': {
    words: 'a date and a time such as 2026-01-31T12:00:00Z',
    holds: (value) => isMoment(String(value)),
  },
};

/** A day that there is: not the 31st of June. */
function isDay(text: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(text);
}

function isMoment(text: string): boolean {
  const [day = '', time = ''] = text.split(/[Tt]/);
  return isDay(day) && /^\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i.test(time) && Number.isFinite(Date.parse(text));
}
