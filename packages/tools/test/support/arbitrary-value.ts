// Random values that satisfy a schema of a document, for the keywords that our documents use.

import fc from 'fast-check';
import { follow } from './openapi-checker.ts';
import type { Doc } from './openapi-decode.ts';

/** Signs that mean something in addresses, forms and JSON, and letters of other alphabets. */
const letters = fc.constantFrom(...'aZ0 -_/?&=#%+;,:@"\\\'[]{}|<>~!$()*^`ü名😀');

/** Rings end at this depth: what is optional is left out there. */
export function arbitraryValue(given: Doc, document: Doc, depth = 4): fc.Arbitrary<unknown> {
  const schema = follow(document, given);
  const [only] = (schema.allOf ?? []) as readonly Doc[];
  if (only) return arbitraryValue(only, document, depth);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  const types = [schema.type].flat();
  const isNullable = schema.nullable === true || types.includes('null');
  const value = ofType(
    types.find((type) => type !== 'null'),
    schema,
    { document, depth },
  );
  return isNullable ? fc.option(value, { nil: null }) : value;
}

interface Setting {
  readonly document: Doc;
  readonly depth: number;
}

function ofType(type: unknown, schema: Doc, { document, depth }: Setting): fc.Arbitrary<unknown> {
  const {
    minLength = 0,
    maxLength = 20,
    minItems = 0,
    maxItems = 3,
    maximum = 1000,
  } = schema as Record<string, number>;
  const least =
    typeof schema.exclusiveMinimum === 'boolean' || schema.exclusiveMinimum === 0
      ? 1
      : ((schema.minimum as number) ?? -1000);
  switch (type) {
    case 'string':
      if (typeof schema.pattern === 'string') return fc.stringMatching(new RegExp(schema.pattern));
      return fc.string({ unit: letters, minLength, maxLength });
    case 'integer':
      return fc.integer({ min: least, max: maximum });
    case 'number':
      return fc.integer({ min: least * 4, max: maximum * 4 }).map((quarter) => quarter / 4);
    case 'boolean':
      return fc.boolean();
    case 'array': {
      const items = arbitraryValue(schema.items as Doc, document, depth - 1);
      return depth <= 0 ? fc.constant([]) : fc.array(items, { minLength: minItems, maxLength: maxItems });
    }
    default:
      return objectOf(schema, { document, depth });
  }
}

function objectOf(schema: Doc, { document, depth }: Setting): fc.Arbitrary<unknown> {
  const required = (schema.required ?? []) as readonly string[];
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Doc>)
    .filter(([, one]) => one.readOnly !== true)
    .filter(([name]) => depth > 0 || required.includes(name));
  const model = Object.fromEntries(properties.map(([name, one]) => [name, arbitraryValue(one, document, depth - 1)]));
  return fc.record(model, { requiredKeys: required.filter((name) => Object.hasOwn(model, name)) });
}
