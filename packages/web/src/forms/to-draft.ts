// What stands in a form at first: what its schema says, or a value that there is.

import { isObject, type Json } from '@ai-agent/core';
import { absent, type Draft, type Item, readNumber } from './draft.ts';
import type { Field, NumberField, ObjectField, Option } from './field.ts';
import { toText } from './parse-json.ts';

/** What a field has before anybody fills it in. */
export function toFirstDraft(field: Field, isRequired: boolean): Draft {
  if (field.default !== undefined) return toDraft(field, field.default);
  if (!isRequired) return absent;
  if (field.isNullable) return { type: 'null' };
  if (field.type === 'choice' && field.options.length === 1) return { type: 'choice', index: 0 };
  if (field.type === 'boolean') return { type: 'boolean', value: false };
  if (field.type === 'some-of') return { type: 'some-of', indexes: [] };
  if (field.type === 'list')
    return { type: 'list', items: toItems(Math.min(field.min, 20), () => toFirstDraft(field.item, true)) };
  if (field.type !== 'object') return absent;
  return toFirstObject(field);
}

/** An object once somebody wants it. */
export function toFirstObject({ properties }: ObjectField): Draft {
  const parts = new Map(properties.map(({ name, field, isRequired }) => [name, toFirstDraft(field, isRequired)]));
  return { type: 'object', parts, rest: '' };
}

/** What a field holds when it was emptied. */
export function toEmptyDraft(field: Field, isRequired: boolean): Draft {
  return isRequired && field.isNullable ? { type: 'null' } : absent;
}

export function toDraft(field: Field, value: Json | undefined): Draft {
  if (value === undefined) return absent;
  if (value === null && field.isNullable) return { type: 'null' };
  return toFitting(field, value) ?? { type: 'json', text: toText(value) };
}

function toFitting(field: Field, value: Json): Draft | undefined {
  switch (field.type) {
    case 'text':
      return typeof value === 'string' ? { type: 'text', text: value } : undefined;
    case 'number':
      return toNumberDraft(value);
    case 'boolean':
      return typeof value === 'boolean' ? { type: 'boolean', value } : undefined;
    case 'choice': {
      const index = indexOf(field.options, value);
      return index < 0 ? undefined : { type: 'choice', index };
    }
    case 'some-of':
      return toSomeOf(field.options, value);
    case 'object':
      return isObject(value) ? toObjectDraft(field, value as Record<string, Json>) : undefined;
    case 'list':
      if (!Array.isArray(value)) return undefined;
      return { type: 'list', items: toItems(value.length, (i) => toDraft(field.item, value[i])) };
    case 'variant':
      return toVariant(field.variants, value);
    case 'json':
      return undefined;
  }
}

/** What was typed in place of a number stays as it was. */
function toNumberDraft(value: Json): Draft | undefined {
  if (typeof value === 'number') return { type: 'number', text: String(value) };
  return typeof value === 'string' && readNumber(value) === undefined ? { type: 'number', text: value } : undefined;
}

function toSomeOf(options: readonly Option[], value: Json): Draft | undefined {
  if (!Array.isArray(value)) return undefined;
  const indexes = value.map((one) => indexOf(options, one as Json));
  const isFit = !indexes.includes(-1) && new Set(indexes).size === indexes.length;
  return isFit ? { type: 'some-of', indexes } : undefined;
}

function toObjectDraft({ properties }: ObjectField, value: Readonly<Record<string, Json>>): Draft {
  const parts = new Map(
    properties.map(({ name, field }) => [name, toDraft(field, Object.hasOwn(value, name) ? value[name] : undefined)]),
  );
  const others = Object.entries(value).filter(([name]) => !parts.has(name));
  return { type: 'object', parts, rest: others.length === 0 ? '' : toText(Object.fromEntries(others)) };
}

function toItems(count: number, toItem: (index: number) => Draft): readonly Item[] {
  return Array.from({ length: count }, (_, index) => ({ id: index, draft: toItem(index) }));
}

/** The one that it fits best. */
function toVariant(variants: Extract<Field, { type: 'variant' }>['variants'], value: Json): Draft | undefined {
  const drafts = variants.map(({ field }) => toDraft(field, value));
  const misfits = variants.map(({ field }, i) => countMisfits(field, drafts[i] ?? absent));
  const index = misfits.indexOf(Math.min(...misfits));
  const draft = drafts[index];
  const isFit = draft && (draft.type !== 'json' || variants[index]?.field.type === 'json');
  return isFit ? { type: 'variant', index, draft } : undefined;
}

/** How much of a draft is not what its field asks for. */
function countMisfits(field: Field, draft: Draft): number {
  // Written as JSON is the last resort, before what does not fit at all.
  if (field.type === 'json') return 50;
  if (draft.type === 'json') return 100;
  if (field.type === 'number' && draft.type === 'number') return isNumber(field, draft.text) ? 0 : 100;
  if (field.type === 'variant' && draft.type === 'variant')
    return countMisfits(field.variants[draft.index]?.field ?? field, draft.draft);
  if (field.type === 'list' && draft.type === 'list')
    return draft.items.reduce((sum, item) => sum + countMisfits(field.item, item.draft), 0);
  return field.type === 'object' && draft.type === 'object' ? countInObject(field, draft) : 0;
}

function isNumber({ isInteger }: NumberField, text: string): boolean {
  const number = readNumber(text);
  return number !== undefined && (!isInteger || Number.isInteger(number));
}

function countInObject({ properties }: ObjectField, draft: Extract<Draft, { type: 'object' }>): number {
  return properties.reduce(
    (sum, { name, isRequired, field: part }) => {
      const given = draft.parts.get(name) ?? absent;
      return sum + (given.type === 'absent' ? Number(isRequired) : Math.min(10, countMisfits(part, given)));
    },
    draft.rest === '' ? 0 : 2,
  );
}

function indexOf(options: readonly Option[], value: Json): number {
  return options.findIndex((option) => option.value === value || isSame(option.value, value));
}

function isSame(first: Json, second: Json): boolean {
  if (typeof first !== 'object' || typeof second !== 'object' || !first || !second) return first === second;
  const keys = Object.keys(first);
  if (Array.isArray(first) !== Array.isArray(second) || keys.length !== Object.keys(second).length) return false;
  const [one, other] = [first, second] as Record<string, Json>[];
  return keys.every((key) => Object.hasOwn(second, key) && isSame(one?.[key] as Json, other?.[key] as Json));
}
