// A place of a configuration with the values of its variables in it, for whoever reads the value itself.

import type { Field, Located } from '../located.ts';
import type { Piece } from './entry.ts';
import { fillVariables } from './variables.ts';

export function fillAt(at: Located, variables: Piece['variables']): Located {
  const fillField = ([key, field]: readonly [string, Field]) =>
    [key, { ...field, at: fillAt(field.at, variables) }] as const;
  return {
    ...at,
    value: fillVariables(at.value, variables),
    ...(at.fields ? { fields: new Map([...at.fields].map(fillField)) } : {}),
    ...(at.items ? { items: at.items.map((item) => fillAt(item, variables)) } : {}),
  };
}
