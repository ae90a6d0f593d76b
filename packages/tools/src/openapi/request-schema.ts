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

/** Of one document. Each definition is converted once, and shared by every tool that uses it. */
export class RequestSchemas {
  readonly #document: Node;
  /** By the reference in the document. */
  readonly #names = new Map<string, string>();
  readonly #references = new Map<string, string>();
  readonly #definitions = new Map<string, Converted & { readonly length: number }>();

  readonly #endless = new Map<string, boolean>();

  constructor(document: Node) {
    this.#document = document;
  }

  /** Only what JSON Schema knows goes through, so that whatever somebody wrote there compiles. */
  convert(schema: unknown): Converted {
    const uses = new Set<string>();
    return { schema: this.#convert(schema, uses), uses };
  }

  /** Everything that these names lead to, the nearest first, until it is too much. */
  definitions(uses: Iterable<string>): Readonly<Record<string, JsonSchema | boolean>> {
    const found: Record<string, JsonSchema | boolean> = {};
    const waiting = [...uses];
    let length = 0;
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      if (Object.hasOwn(found, name)) continue;
      const definition = this.#definition(name);
      length += definition.length;
      if (length > maxDefinitions) {
        found[name] = { description: `${name}: anything. Its schema is too long to be shown here.` };
        continue;
      }
      found[name] = definition.schema;
      waiting.push(...definition.uses);
    }
    return found;
  }

  #definition(name: string): Converted & { readonly length: number } {
    const known = this.#definitions.get(name);
    if (known) return known;
    const converted = this.convert(at(this.#document, this.#references.get(name) ?? ''));
    const definition = { ...converted, length: JSON.stringify(converted.schema).length };
    this.#definitions.set(name, definition);
    return definition;
  }

  #convert(schema: unknown, uses: Set<string>): JsonSchema | boolean {
    if (typeof schema === 'boolean') return schema;
    if (!isObject(schema)) return {};
    const result: Record<string, unknown> = {};
    for (const [keyword, value] of Object.entries(schema)) {
      const kept = this.#keyword(keyword, value, uses);
      if (kept !== undefined) result[keyword] = kept;
    }
    this.#leaveOutReadOnly(schema, result);
    return schema.nullable === true ? { anyOf: [result, { type: 'null' }] } : result;
  }

  #keyword(keyword: string, value: unknown, uses: Set<string>): unknown {
    if (keyword === '$ref') return this.#reference(value, uses);
    if (oneSchema.has(keyword)) return Array.isArray(value) ? undefined : this.#convert(value, uses);
    if (manySchemas.has(keyword)) {
      const list = Array.isArray(value) ? value.map((one) => this.#convert(one, uses)) : [];
      return list.length === 0 ? undefined : list;
    }
    if (namedSchemas.has(keyword)) {
      if (!isObject(value)) return undefined;
      const kept = Object.entries(value).filter(([name]) => keyword !== 'patternProperties' || isPattern(name));
      return Object.fromEntries(kept.map(([name, one]) => [name, this.#convert(one, uses)]));
    }
    return Object.hasOwn(checks, keyword) && checks[keyword]?.(value) ? value : undefined;
  }

  /** A reference that leads nowhere, out of the document, or round and round about the same value, says nothing. */
  #reference(reference: unknown, uses: Set<string>): string | undefined {
    if (typeof reference !== 'string' || at(this.#document, reference) === undefined) return undefined;
    if (this.#isEndless(reference)) return undefined;
    const name = this.#names.get(reference) ?? this.#nameFor(reference);
    uses.add(name);
    return `#/$defs/${name}`;
  }

  /** Rings through properties and items end with the value; those that stay at one value never do. */
  #isEndless(reference: string, above: readonly string[] = []): boolean {
    const known = this.#endless.get(reference);
    if (known !== undefined) return known;
    if (above.includes(reference)) return true;
    const next = inPlaceReferences(at(this.#document, reference));
    const isEndless = next.some((one) => this.#isEndless(one, [...above, reference]));
    this.#endless.set(reference, isEndless);
    return isEndless;
  }

  #nameFor(reference: string): string {
    const wished = (reference.split('/').at(-1) ?? '').replace(/[^A-Za-z0-9_.-]/g, '_') || 'schema';
    let name = wished;
    for (let next = 2; this.#references.has(name); next++) name = `${wished}_${next}`;
    this.#names.set(reference, name);
    this.#references.set(name, reference);
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

const inPlace = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas'];

/** References that are about the very value that the schema is about. */
function inPlaceReferences(schema: unknown): readonly string[] {
  if (!isObject(schema)) return [];
  const below = inPlace.flatMap((keyword) => {
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
