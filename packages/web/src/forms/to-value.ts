// What a form gives.

import { isObject, type Json } from '@ai-agent/core';
import { absent, type Draft, type Item, readNumber } from './draft.ts';
import type { Field, ListField, ObjectField, Option } from './field.ts';
import { parseJson } from './parse-json.ts';

/** What a draft comes to: undefined where nothing is given. */
export function toValue(field: Field, draft: Draft): Json | undefined {
  switch (draft.type) {
    case 'absent':
      return undefined;
    case 'null':
      return null;
    case 'text':
      return draft.text;
    case 'number':
      return readNumber(draft.text) ?? draft.text;
    case 'boolean':
      return draft.value;
    case 'choice':
      return optionsOf(field)[draft.index]?.value;
    case 'some-of':
      return draft.indexes.map((index) => optionsOf(field)[index]?.value ?? null);
    case 'object':
      return field.type === 'object' ? toObject(field, draft) : undefined;
    case 'list':
      return field.type === 'list' ? toList(field, draft.items) : undefined;
    case 'variant':
      return field.type === 'variant' ? toValue(field.variants[draft.index]?.field ?? field, draft.draft) : undefined;
    case 'json': {
      const parsed = parseJson(draft.text);
      return 'value' in parsed ? parsed.value : undefined;
    }
  }
}

function toObject({ properties }: ObjectField, draft: Extract<Draft, { type: 'object' }>): Json {
  const named = properties.map(({ name, field }) => [name, toValue(field, draft.parts.get(name) ?? absent)] as const);
  const rest = draft.rest.trim() === '' ? {} : parseJson(draft.rest);
  const others = 'value' in rest && isObject(rest.value) ? Object.entries(rest.value as Record<string, Json>) : [];
  const given = named.filter((entry): entry is readonly [string, Json] => entry[1] !== undefined);
  return Object.fromEntries([...others, ...given]);
}

/** A place that nobody has filled in is none. */
function toList({ item: field }: ListField, items: readonly Item[]): Json {
  return items.map((item) => toValue(field, item.draft)).filter((value) => value !== undefined);
}

function optionsOf(field: Field): readonly Option[] {
  return field.type === 'choice' || field.type === 'some-of' ? field.options : [];
}
