// Schemas of a document as a request needs them: what servers alone may write is gone, references lead into `$defs`.

import { isObject, type JsonSchema } from '@ai-agent/core';
import { at, follow, type Node } from './document.ts';

/** A schema whose references are `#/$defs/…`, and the names that stand there. */
export interface Converted {
  readonly schema: JsonSchema | boolean;
  readonly uses: ReadonlySet<string>;
}

/** Characters of the definitions that go along with one tool; what is further away is told by its name only. */
const maxDefinitions = 40_000;
const maxExample = 300;

/** What a schema stands in. */
interface Place {
  readonly uses: Set<string>;
  /** References that are about the very same value: one of them again would go round and round. */
  readonly above: ReadonlySet<string>;
}

interface Definition {
  readonly reference: string;
  readonly above: ReadonlySet<string>;
}

const nobody: ReadonlySet<string> = new Set();

/**
 * Of one document. Each definition is converted once, and shared by every tool that uses it. One that stands in a ring is another
 * definition for each way into the ring: only the reference that closes it is left out.
 */
export class RequestSchemas {
  readonly #document: Node;
  /** By the reference in the document, and what is above it. */
  readonly #names = new Map<string, string>();
  readonly #definitions = new Map<string, Definition>();
  readonly #converted = new Map<string, Converted & { readonly length: number }>();
  readonly #reached = new Map<string, ReadonlySet<string>>();

  constructor(document: Node) {
    this.#document = document;
  }

  /** Only what JSON Schema knows goes through, so that whatever somebody wrote there compiles. */
  convert(schema: unknown, above = nobody): Converted {
    const uses = new Set<string>();
    return { schema: this.#convert(schema, { uses, above }), uses };
  }

  /** Everything that these names lead to, the nearest first, until it is too much. */
  definitions(uses: Iterable<string>): Readonly<Record<string, JsonSchema | boolean>> {
    const found = new Map<string, JsonSchema | boolean>();
    const waiting = [...uses];
    let length = 0;
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      if (found.has(name)) continue;
      const definition = this.#definition(name);
      length += definition.length;
      if (length > maxDefinitions) {
        found.set(name, { description: `${name}: anything. Its schema is too long to be shown here.` });
        continue;
      }
      found.set(name, definition.schema);
      waiting.push(...definition.uses);
    }
    return Object.fromEntries(found);
  }

  #definition(name: string): Converted & { readonly length: number } {
    const known = this.#converted.get(name);
    if (known) return known;
    const { reference, above } = this.#definitions.get(name) ?? { reference: '', above: nobody };
    const converted = this.convert(at(this.#document, reference), new Set(above).add(reference));
    const definition = { ...converted, length: JSON.stringify(converted.schema).length };
    this.#converted.set(name, definition);
    return definition;
  }

  #convert(schema: unknown, place: Place): JsonSchema | boolean {
    if (typeof schema === 'boolean') return schema;
    if (!isObject(schema)) return {};
    const result: Record<string, unknown> = {};
    for (const [keyword, value] of Object.entries(schema)) {
      const kept = this.#keyword(keyword, value, inPlace.has(keyword) ? place : { ...place, above: nobody });
      // What a ring was opened in says less than it did, so that more than one of them may fit.
      const isLess = keyword === 'oneOf' && schema.anyOf === undefined && this.#isOpened(value, place);
      if (kept !== undefined) result[isLess ? 'anyOf' : keyword] = kept;
    }
    this.#leaveOutReadOnly(schema, result);
    return schema.nullable === true ? { anyOf: [result, { type: 'null' }] } : result;
  }

  #keyword(keyword: string, value: unknown, place: Place): unknown {
    if (keyword === '$ref') return this.#reference(value, place);
    if (oneSchema.has(keyword)) return Array.isArray(value) ? undefined : this.#one(keyword, value, place);
    if (manySchemas.has(keyword)) return Array.isArray(value) ? this.#many(keyword, value, place) : undefined;
    if (namedSchemas.has(keyword)) {
      if (!isObject(value)) return undefined;
      const kept = Object.entries(value).filter(([name]) => keyword !== 'patternProperties' || isPattern(name));
      return Object.fromEntries(kept.map(([name, one]) => [name, this.#convert(one, place)]));
    }
    return Object.hasOwn(checks, keyword) && checks[keyword]?.(value) ? value : undefined;
  }

  /** Nothing of a ring that closes where its opposite counts. */
  #one(keyword: string, value: unknown, place: Place): unknown {
    if ((keyword === 'not' || keyword === 'if') && this.#isOpened([value], place)) return undefined;
    return this.#convert(value, place);
  }

  /** A choice between the ring and others is none: to be in the ring is to have chosen. */
  #many(keyword: string, list: readonly unknown[], place: Place): unknown {
    const inside = { ...place, uses: new Set<string>() };
    const kept = list
      .map((one) => ({ isClosing: closes(one, place), schema: this.#convert(one, inside) }))
      .filter(({ isClosing, schema }) => !isClosing || Object.keys(schema).length > 0);
    if (kept.length === 0 || (keyword !== 'allOf' && kept.length < list.length)) return undefined;
    for (const name of inside.uses) place.uses.add(name);
    return kept.map(({ schema }) => schema);
  }

  /** A reference that leads nowhere, out of the document, or back to where it comes from, says nothing. */
  #reference(reference: unknown, { uses, above }: Place): string | undefined {
    if (typeof reference !== 'string' || at(this.#document, reference) === undefined) return undefined;
    if (above.has(reference)) return undefined;
    const name = this.#nameFor(reference, this.#ringAbove(reference, above));
    uses.add(name);
    return `#/$defs/${name}`;
  }

  #isOpened(schemas: unknown, { above }: Place): boolean {
    if (above.size === 0 || !Array.isArray(schemas)) return false;
    return schemas.flatMap(inPlaceReferences).some((one) => above.has(one) || this.#ringAbove(one, above).size > 0);
  }

  /** Rings through properties and items end with the value; those that stay at one value never do. */
  #ringAbove(reference: string, above: ReadonlySet<string>): ReadonlySet<string> {
    const reached = this.#reachedFrom(reference);
    return new Set([...above].filter((one) => reached.has(one)));
  }

  #reachedFrom(reference: string): ReadonlySet<string> {
    const known = this.#reached.get(reference);
    if (known) return known;
    const reached = new Set<string>();
    const waiting = [reference];
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop())
      for (const next of inPlaceReferences(at(this.#document, one)))
        if (!reached.has(next)) {
          reached.add(next);
          waiting.push(next);
        }
    this.#reached.set(reference, reached);
    return reached;
  }

  #nameFor(reference: string, above: ReadonlySet<string>): string {
    const key = [reference, ...[...above].sort()].join('\n');
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const wished = (reference.split('/').at(-1) ?? '').replace(/[^A-Za-z0-9_.-]/g, '_') || 'schema';
    let name = wished;
    for (let next = 2; this.#definitions.has(name); next++) name = `${wished}_${next}`;
    this.#names.set(key, name);
    this.#definitions.set(name, { reference, above });
    return name;
  }

  #leaveOutReadOnly(schema: Node, result: Record<string, unknown>): void {
    if (!isObject(schema.properties) || !isObject(result.properties)) return;
    const gone = Object.entries(schema.properties).filter(([, one]) => this.#isReadOnly(one));
    if (gone.length === 0) return;
    const names = new Set(gone.map(([name]) => name));
    result.properties = Object.fromEntries(Object.entries(result.properties).filter(([name]) => !names.has(name)));
    if (!Array.isArray(result.required)) return;
    const required = result.required.filter((name) => !names.has(name));
    if (required.length === 0) delete result.required;
    else result.required = required;
  }

  #isReadOnly(schema: unknown): boolean {
    return (isObject(schema) && schema.readOnly === true) || follow(this.#document, schema)?.readOnly === true;
  }
}

const oneSchema = new Set(
  'items additionalProperties not if then else contains propertyNames unevaluatedItems unevaluatedProperties'.split(
    ' ',
  ),
);
const manySchemas = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const namedSchemas = new Set(['properties', 'patternProperties', 'dependentSchemas']);

/** Keywords whose schemas are about the very value that the schema is about. */
const inPlace = new Set(['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas']);

function closes(schema: unknown, { above }: Place): boolean {
  return inPlaceReferences(schema).some((one) => above.has(one));
}

function inPlaceReferences(schema: unknown): readonly string[] {
  if (!isObject(schema)) return [];
  const below = [...inPlace].flatMap((keyword) => {
    const value = schema[keyword];
    if (Array.isArray(value)) return value;
    return keyword === 'dependentSchemas' && isObject(value) ? Object.values(value) : [value];
  });
  const own = typeof schema.$ref === 'string' ? [schema.$ref] : [];
  return [...own, ...below.flatMap(inPlaceReferences)];
}

const types = ['null', 'boolean', 'object', 'array', 'number', 'integer', 'string'];
const isType = (value: unknown) => types.includes(value as string);
const isText = (value: unknown) => typeof value === 'string';
const isNumber = (value: unknown) => typeof value === 'number' && Number.isFinite(value);
const isCount = (value: unknown) => Number.isInteger(value) && (value as number) >= 0;
const isFlag = (value: unknown) => typeof value === 'boolean';
const isShort = (value: unknown) => value !== undefined && JSON.stringify(value).length <= maxExample;

/** The keywords that hold no schema, and what each must be. */
const checks: Readonly<Record<string, (value: unknown) => boolean>> = {
  type: (value) =>
    isType(value) || (Array.isArray(value) && value.length > 0 && value.every(isType) && isUnlike(value)),
  enum: (value) => Array.isArray(value) && value.length > 0,
  const: (value) => value !== undefined,
  default: isShort,
  examples: (value) => Array.isArray(value) && isShort(value),
  title: isText,
  description: isText,
  format: isText,
  contentEncoding: isText,
  contentMediaType: isText,
  pattern: isPattern,
  minimum: isNumber,
  maximum: isNumber,
  exclusiveMinimum: isNumber,
  exclusiveMaximum: isNumber,
  multipleOf: (value) => isNumber(value) && (value as number) > 0,
  minLength: isCount,
  maxLength: isCount,
  minItems: isCount,
  maxItems: isCount,
  minProperties: isCount,
  maxProperties: isCount,
  minContains: isCount,
  maxContains: isCount,
  uniqueItems: isFlag,
  deprecated: isFlag,
  writeOnly: isFlag,
  required: (value) => Array.isArray(value) && value.every(isText) && isUnlike(value),
};

function isUnlike(list: readonly unknown[]): boolean {
  return new Set(list).size === list.length;
}

function isPattern(value: unknown): boolean {
  try {
    return typeof value === 'string' && new RegExp(value, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}
