// Makes a JSON Schema flat enough to fill in: references followed, allOf folded in, conditions turned into branches.

import { isObject, type JsonSchema } from '@ai-agent/core';

export interface Flat {
  readonly schema: JsonSchema;
  /** The references that are open here; one that is met again is a recursion. */
  readonly refs: readonly string[];
}

/** Nothing, when no value can satisfy it or a reference would lead round for ever. */
export function flatten(schema: unknown, root: JsonSchema, refs: readonly string[]): Flat | undefined {
  if (schema === true || schema === undefined) return { schema: {}, refs };
  if (!isObject(schema)) return undefined;
  const { $ref, allOf, if: condition, then, else: otherwise, ...own } = schema;
  let flat: Flat = { schema: own, refs };
  const parts: unknown[] = Array.isArray(allOf) ? [...allOf] : [];
  if (condition !== undefined) parts.push(toBranches(condition, then, otherwise));
  if (typeof $ref === 'string') {
    if (refs.filter((ref) => ref === $ref).length > 1) return undefined;
    flat = { schema: own, refs: [...refs, $ref] };
    parts.unshift(lookUp($ref, root));
  }
  for (const part of parts) {
    const other = flatten(part, root, flat.refs);
    if (!other) return undefined;
    flat = { schema: merge(flat.schema, other.schema), refs: other.refs };
  }
  return flat;
}

/** What a local reference points to: `#`, a JSON pointer, or an anchor. A foreign one allows anything here. */
export function lookUp(ref: string, root: JsonSchema): unknown {
  if (!ref.startsWith('#')) return true;
  if (ref !== '#' && !ref.startsWith('#/')) return findAnchor(ref.slice(1), root) ?? true;
  let found: unknown = root;
  for (const step of ref.split('/').slice(1)) {
    const key = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
    found = isObject(found) || Array.isArray(found) ? (found as Record<string, unknown>)[key] : undefined;
  }
  return found ?? true;
}

function findAnchor(anchor: string, within: unknown): unknown {
  if (!isObject(within) && !Array.isArray(within)) return undefined;
  const { $anchor, $id } = within as { $anchor?: unknown; $id?: unknown };
  if ($anchor === anchor || $id === `#${anchor}`) return within;
  for (const inner of Object.values(within)) {
    const found = findAnchor(anchor, inner);
    if (found !== undefined) return found;
  }
  return undefined;
}

function toBranches(condition: unknown, then: unknown, otherwise: unknown): JsonSchema {
  return { anyOf: [{ allOf: [condition, then ?? true] }, { allOf: [{ not: condition }, otherwise ?? true] }] };
}

/** Both at once. Where two demands cannot be joined the later one stays; values are checked afterwards anyway. */
function merge(a: JsonSchema, b: JsonSchema): JsonSchema {
  const merged: Record<string, unknown> = { ...a };
  for (const [key, value] of Object.entries(b)) {
    merged[key] = key in a ? join(key, a[key], value) : value;
  }
  return merged;
}

function join(key: string, a: unknown, b: unknown): unknown {
  if (typeof a === 'number' && typeof b === 'number') return joinNumbers(key, a, b);
  if (key === 'required') return [...new Set([...(a as string[]), ...(b as string[])])];
  if (key === 'enum') return (a as unknown[]).filter((one) => (b as unknown[]).some((other) => isSame(one, other)));
  if (key === 'type') return joinTypes(a, b);
  if (key === 'anyOf' || key === 'oneOf') return cross(a as unknown[], b as unknown[]);
  if (key === 'not') return { anyOf: [a, b] };
  if (a === false || b === false) return false;
  if (key === 'properties' || key === 'patternProperties') return joinMaps(a as JsonSchema, b as JsonSchema);
  return isObject(a) && isObject(b) && key !== 'const' && key !== 'default' ? { allOf: [a, b] } : b;
}

function joinNumbers(key: string, a: number, b: number): number {
  if (key === 'multipleOf') return a % b === 0 ? a : b % a === 0 ? b : a * b;
  return /^(min|exclusiveMin)/.test(key) ? Math.max(a, b) : Math.min(a, b);
}

function joinTypes(a: unknown, b: unknown): unknown {
  const left = [a].flat();
  const right = [b].flat();
  const both = left.filter((type) => right.includes(type) || (type === 'integer' && right.includes('number')));
  return right.includes('integer') && left.includes('number') ? [...new Set([...both, 'integer'])] : both;
}

function joinMaps(a: JsonSchema, b: JsonSchema): JsonSchema {
  const shared = Object.keys(a).filter((key) => Object.hasOwn(b, key));
  return { ...a, ...b, ...Object.fromEntries(shared.map((key) => [key, { allOf: [a[key], b[key]] }])) };
}

function cross(a: readonly unknown[], b: readonly unknown[]): readonly unknown[] {
  return a.flatMap((one) => b.map((other) => ({ allOf: [one, other] })));
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
