// What a field is called: as its author says, or by the name it has in the data.

import type { JsonSchema } from '@ai-agent/core';
import type { Field } from './field.ts';

export function titleOf({ title }: JsonSchema): string | undefined {
  return typeof title === 'string' && title.trim() !== '' ? title : undefined;
}

/** `maxResults` and `max_results` are `Max results`. */
export function toTitle(name: string): string {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_\-.\s]+/g, ' ')
    .trim()
    .split(' ')
    .map((word) => (/^[A-Z][a-z]/.test(word) ? word.toLowerCase() : word))
    .join(' ');
  return words === '' ? JSON.stringify(name) : words[0]?.toUpperCase() + words.slice(1);
}

export function titleOfVariant(field: Field, index: number): string {
  if (field.title !== undefined) return field.title;
  if (field.type === 'choice' && field.options.length === 1) return field.options[0]?.title ?? '';
  if (field.type === 'object') return titleOfObject(field.properties, index);
  const words: Readonly<Record<Field['type'], string>> = {
    ...{ text: 'Text', number: 'Number', boolean: 'Yes or no', choice: 'One of a list', 'some-of': 'Some of a list' },
    ...{ object: 'Object', list: 'List', variant: `Variant ${index + 1}`, json: 'JSON' },
  };
  return field.type === 'number' && field.isInteger ? 'Whole number' : words[field.type];
}

type Properties = Extract<Field, { type: 'object' }>['properties'];

/** By the value that tells it from the others, or by what it holds. */
function titleOfObject(properties: Properties, index: number): string {
  for (const { field, isRequired } of properties)
    if (isRequired && field.type === 'choice' && field.options.length === 1) return field.options[0]?.title ?? '';
  const names = properties.slice(0, 3).map(({ name }) => toTitle(name));
  return names.length === 0 ? `Variant ${index + 1}` : names.join(', ');
}
