// JSON Schema by its keywords: where schemas are inside a schema, and older drafts brought to the one that OpenAPI 3.1 speaks.

import { isObject } from '@ai-agent/core';

export type Node = Readonly<Record<string, unknown>>;

const single = new Set([
  'items',
  'additionalItems',
  'contains',
  'additionalProperties',
  'propertyNames',
  'if',
  'then',
  'else',
  'not',
  'unevaluatedItems',
  'unevaluatedProperties',
  'contentSchema',
]);
const lists = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items']);
const maps = new Set(['properties', 'patternProperties', 'dependentSchemas', 'dependencies', '$defs', 'definitions']);

const plain = new Set([
  ...['type', 'enum', 'const', 'required', 'format', 'pattern', 'minLength', 'maxLength', 'multipleOf'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minItems', 'maxItems', 'uniqueItems'],
  ...['minContains', 'maxContains', 'minProperties', 'maxProperties', 'dependentRequired', 'contentEncoding'],
  ...[
    'contentMediaType',
    'title',
    'description',
    'default',
    'examples',
    'example',
    'deprecated',
    'readOnly',
    'writeOnly',
  ],
]);
const definitions = new Set(['$defs', 'definitions']);

/**
 * What a reader makes something of. Names, dialects and definitions are resolved by then; comments and words of one's own are for
 * whoever wrote them.
 */
export function withKnown(schema: Node): Node {
  const isKnown = (keyword: string) => [plain, single, lists, maps].some((some) => some.has(keyword));
  const known = Object.entries(schema).filter(([keyword]) => isKnown(keyword) && !definitions.has(keyword));
  return Object.fromEntries(known);
}

/** The same schema with every schema directly in it changed; what only looks like one (in enum, default, const) is data. */
export function mapSchemas(schema: Node, change: (part: unknown) => unknown): Node {
  return mapValues(schema, (value, keyword) => {
    if (Array.isArray(value)) return lists.has(keyword) ? value.map(change) : value;
    if (maps.has(keyword)) return isObject(value) ? mapValues(value, change) : value;
    return single.has(keyword) ? change(value) : value;
  });
}

/** A key may be called __proto__, so that nothing is assigned. */
function mapValues(node: Node, change: (value: unknown, key: string) => unknown): Node {
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, change(value, key)]));
}

/** Draft 4 to 7, 2019-09 and OpenAPI 3.0 to 2020-12, as far as one schema is concerned. */
export function modernise(schema: Node): Node {
  return [withTuple, withDependencies, withExclusive, withNull].reduce((node, change) => change(node), schema);
}

function withTuple(schema: Node): Node {
  const { items, additionalItems, ...rest } = schema;
  if (!Array.isArray(items)) return items === undefined ? rest : { ...rest, items };
  return { ...rest, prefixItems: items, ...(additionalItems === undefined ? {} : { items: additionalItems }) };
}

function withDependencies(schema: Node): Node {
  const { dependencies, ...rest } = schema;
  if (!isObject(dependencies)) return rest;
  const all = Object.entries(dependencies);
  const required = all.filter(([, value]) => Array.isArray(value));
  const schemas = all.filter(([, value]) => !Array.isArray(value));
  return {
    ...rest,
    ...(required.length > 0 ? { dependentRequired: Object.fromEntries(required) } : {}),
    ...(schemas.length > 0 ? { dependentSchemas: Object.fromEntries(schemas) } : {}),
  };
}

function withExclusive(schema: Node): Node {
  const { exclusiveMinimum, exclusiveMaximum, ...rest } = schema;
  return {
    ...rest,
    ...exclusive('exclusiveMinimum', exclusiveMinimum, rest.minimum),
    ...exclusive('exclusiveMaximum', exclusiveMaximum, rest.maximum),
  };
}

function exclusive(keyword: string, value: unknown, bound: unknown): Node {
  const number = value === true ? bound : value;
  return typeof number === 'number' ? { [keyword]: number } : {};
}

function withNull(schema: Node): Node {
  const { nullable, ...rest } = schema;
  const isNullable = nullable === true && typeof rest.type === 'string' && rest.type !== 'null';
  return isNullable ? { ...rest, type: [rest.type, 'null'] } : rest;
}
