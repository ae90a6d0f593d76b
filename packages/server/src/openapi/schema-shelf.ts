// Users' schemas as components of the document: each under a name of its own, and so is every part that they refer to.

import { isObject, type JsonSchema } from '@ai-agent/core';
import { mapSchemas, modernise, type Node, withKnown } from './keywords.ts';
import { withoutLookalikes } from './lookalikes.ts';
import type { Names } from './names.ts';
import { SchemaPlaces } from './schema-places.ts';

export class SchemaShelf {
  readonly #names: Names;
  readonly #schemas = new Map<string, unknown>();
  readonly #byDefinition = new Map<JsonSchema, string>();

  constructor(names: Names) {
    this.#names = names;
  }

  get schemas(): Node {
    return Object.fromEntries(this.#schemas);
  }

  /** A reference to it. The same definition is there once, whoever has it. */
  put(schema: JsonSchema, wanted: string): Node {
    const name = this.#byDefinition.get(schema) ?? this.#add(schema, wanted);
    this.#byDefinition.set(schema, name);
    return refTo(name);
  }

  #add(schema: JsonSchema, wanted: string): string {
    const name = this.#names.take(wanted);
    this.#schemas.set(name, {});
    try {
      // Plain from here on: nothing that JSON cannot say, and nothing that others change.
      const root: unknown = JSON.parse(JSON.stringify(schema));
      if (isObject(root)) this.#convert(root, name);
    } catch {
      // It is nested without end: whatever is sent is checked where it is used.
      this.#schemas.set(name, {});
    }
    return name;
  }

  #convert(root: Node, rootName: string): void {
    const places = new SchemaPlaces(root);
    const components = new Map<unknown, string>([[root, rootName]]);

    const toSchema = (schema: unknown, base: string): unknown => {
      if (typeof schema === 'boolean') return schema;
      if (!isObject(schema)) return true;
      const inner = places.baseIn(schema, base);
      const reference = schema.$ref ?? schema.$dynamicRef ?? schema.$recursiveRef;
      const own = mapSchemas(withKnown(modernise(schema)), (part) => toSchema(part, inner));
      const whole = typeof reference === 'string' ? { ...toReference(reference, inner), ...own } : own;
      return withoutLookalikes(whole);
    };

    const toReference = (reference: string, base: string): Node => {
      const place = endOf(places, reference, base);
      if (place?.node === false) return { not: {} };
      if (!isObject(place?.node)) return {};
      const known = components.get(place.node);
      if (known !== undefined) return refTo(known);
      const name = this.#names.take(`${rootName}_${place.name}`);
      components.set(place.node, name);
      this.#schemas.set(name, {});
      this.#schemas.set(name, toSchema(place.node, place.base));
      return refTo(name);
    };

    this.#schemas.set(rootName, toSchema(root, places.rootBase));
  }
}

/** Along references that are all there is of a schema; nothing when they go round in a ring, and forbid nothing. */
function endOf(places: SchemaPlaces, reference: string, base: string) {
  let place = places.find(reference, base);
  for (let hops = 0; hops < 100; hops++) {
    if (!isObject(place?.node) || typeof place.node.$ref !== 'string') return place;
    if (Object.keys(withKnown(place.node)).length > 0) return place;
    place = places.find(place.node.$ref, places.baseIn(place.node, place.base));
  }
  return undefined;
}

function refTo(name: string): Node {
  return { $ref: `#/components/schemas/${name}` };
}
