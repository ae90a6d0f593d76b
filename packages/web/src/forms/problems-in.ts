// What is wrong with a draft, as far as can be seen here. It only helps: the server has the last word.

import { isObject } from '@ai-agent/core';
import { absent, type Draft, readNumber } from './draft.ts';
import type { Field, NumberField, ObjectField, TextField } from './field.ts';
import { notJson, parseJson } from './parse-json.ts';

/** By the path of the field: `/list/0/name`; what is at the root by an empty one. */
export type Problems = ReadonlyMap<string, string>;

export function problemsIn(field: Field, draft: Draft): Problems {
  return new Map(check({ field, draft, isRequired: true, path: '' }));
}

/** Whether some of it is no value yet, and would be lost. */
export function isUnreadable(field: Field, draft: Draft): boolean {
  return [...problemsIn(field, draft).values()].some((problem) => problem.startsWith(notJson));
}

interface Part {
  readonly field: Field;
  readonly draft: Draft;
  readonly isRequired: boolean;
  readonly path: string;
}

type Found = readonly (readonly [string, string])[];

function check({ field, draft, isRequired, path }: Part): Found {
  if (draft.type === 'absent') return isRequired ? [[path, 'This is needed.']] : [];
  if (field.type === 'object' && draft.type === 'object') return checkObject(field, draft, path);
  const problem = problemOf(field, draft);
  const own: Found = problem === undefined ? [] : [[path, problem]];
  return [...own, ...partsOf(field, draft, path).flatMap((part) => check({ ...part, isRequired: true }))];
}

function problemOf(field: Field, draft: Draft): string | undefined {
  if (draft.type === 'json') return problemOfJson(field, draft.text);
  if (field.type === 'text' && draft.type === 'text') return problemOfText(field, draft.text);
  if (field.type === 'number' && draft.type === 'number') return problemOfNumber(field, draft.text);
  if (field.type === 'some-of' && draft.type === 'some-of') return problemOfCount(field, draft.indexes.length);
  return field.type === 'list' && draft.type === 'list' ? problemOfCount(field, draft.items.length) : undefined;
}

function partsOf(field: Field, draft: Draft, path: string): readonly Omit<Part, 'isRequired'>[] {
  if (field.type === 'list' && draft.type === 'list')
    return draft.items.map((item, i) => ({ field: field.item, draft: item.draft, path: `${path}/${i}` }));
  const chosen = field.type === 'variant' && draft.type === 'variant' ? field.variants[draft.index] : undefined;
  return chosen && draft.type === 'variant'
    ? [{ field: chosen.field, draft: draft.draft, path: `${path}/variant` }]
    : [];
}

function checkObject({ properties }: ObjectField, draft: Extract<Draft, { type: 'object' }>, path: string): Found {
  const found = properties.flatMap(({ name, field, isRequired }) =>
    check({ field, isRequired, draft: draft.parts.get(name) ?? absent, path: pathOf(path, name) }),
  );
  const problem = draft.rest.trim() === '' ? undefined : problemOfKind('object', draft.rest);
  return problem === undefined ? found : [...found, [`${path}/`, problem]];
}

/** A name may have a stroke in it. */
export function pathOf(path: string, name: string): string {
  return `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function problemOfJson(field: Field, text: string): string | undefined {
  if (field.type === 'json') return problemOfKind(field.kind, text);
  const parsed = parseJson(text);
  return 'problem' in parsed ? parsed.problem : 'This is something else than what is asked for here.';
}

function problemOfKind(kind: 'object' | 'array' | undefined, text: string): string | undefined {
  const parsed = parseJson(text);
  if ('problem' in parsed) return parsed.problem;
  if (kind === 'object' && !isObject(parsed.value)) return 'This has to be an object: { … }.';
  return kind === 'array' && !Array.isArray(parsed.value) ? 'This has to be a list: [ … ].' : undefined;
}

function problemOfText({ minLength = 0, maxLength, pattern, format }: TextField, text: string): string | undefined {
  // As JSON Schema counts: what is written as a pair is one.
  const length = [...text].length;
  if (length < minLength) return `At least ${count(minLength, 'character')}; there are ${length}.`;
  if (maxLength !== undefined && length > maxLength)
    return `At most ${count(maxLength, 'character')}; there are ${length}.`;
  if (format === 'email' && !/^\S+@\S+$/.test(text)) return 'An address as name@example.org.';
  if (format === 'uri' && !URL.canParse(text)) return 'A whole address, as https://example.org/page.';
  return pattern === undefined || isMatch(pattern, text) ? undefined : `This has to match ${pattern}.`;
}

/** What this browser cannot read as a pattern is left to the server. */
function isMatch(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return true;
  }
}

function problemOfNumber(field: NumberField, text: string): string | undefined {
  const { isInteger, step } = field;
  const number = readNumber(text);
  if (number === undefined) return isInteger ? 'A whole number, as 3.' : 'A number, as 3 or 2.5.';
  if (isInteger && !Number.isInteger(number)) return 'A whole number.';
  return problemOfBounds(field, number) ?? (isMultiple(number, step) ? undefined : `A multiple of ${step}.`);
}

function problemOfBounds({ min, max, isAboveMin, isBelowMax }: NumberField, number: number): string | undefined {
  if (min !== undefined && number === min && isAboveMin) return `More than ${min}.`;
  if (max !== undefined && number === max && isBelowMax) return `Less than ${max}.`;
  if (min !== undefined && number < min) return isAboveMin ? `More than ${min}.` : `Not less than ${min}.`;
  if (max !== undefined && number > max) return isBelowMax ? `Less than ${max}.` : `Not more than ${max}.`;
  return undefined;
}

/** 0.3 is three times 0.1, whatever a computer says. */
function isMultiple(number: number, step: number | undefined): boolean {
  if (step === undefined) return true;
  const steps = number / step;
  return Math.abs(steps - Math.round(steps)) < 1e-9 * Math.max(1, Math.abs(steps));
}

function problemOfCount(
  { min, max }: { readonly min: number; readonly max: number },
  there: number,
): string | undefined {
  if (there < min) return `At least ${min}; there ${there === 1 ? 'is' : 'are'} ${there}.`;
  return there > max ? `At most ${max}; there are ${there}.` : undefined;
}

function count(amount: number, noun: string): string {
  return amount === 1 ? `1 ${noun}` : `${amount} ${noun}s`;
}
