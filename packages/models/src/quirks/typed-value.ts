// A value that came as text between tags, as the type that the tool's schema gives it.

import { isObject, type JsonSchema } from '@ai-agent/core';
import { propertiesOf } from './offer.ts';

/** Text stays text unless the schema says otherwise, or it is plainly an object or a list and the schema says nothing. */
export function typedValue(text: string, key: string, inputSchema: JsonSchema): unknown {
  // The line breaks between a value and its tags are layout.
  const plain = text.replace(/^\r?\n/, '').replace(/\r?\n$/, '');
  const properties = propertiesOf(inputSchema);
  const types = Object.hasOwn(properties, key) ? typesOf(properties[key]) : new Set<string>();
  if (types.size === 0) return /^\s*[[{]/.test(plain) ? (parse(plain) ?? plain) : plain;
  if (types.size === 1 && types.has('string')) return plain;
  const value = parse(plain);
  return value !== undefined && isOf(value, types) ? value : plain;
}

function typesOf(schema: unknown, depth = 0): Set<string> {
  if (!isObject(schema) || depth > 4) return new Set();
  const { type, anyOf, oneOf, allOf } = schema;
  const named = [type].flat().filter((name) => typeof name === 'string');
  const shown = ('const' in schema ? [schema.const] : listOf(schema.enum)).map(typeOf);
  const below = [anyOf, oneOf, allOf].flatMap(listOf).flatMap((one) => [...typesOf(one, depth + 1)]);
  return new Set([...named, ...shown, ...below]);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isOf(value: unknown, types: ReadonlySet<string>): boolean {
  return types.has(typeOf(value)) || (types.has('integer') && Number.isInteger(value));
}

function typeOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}

const words: Readonly<Record<string, unknown>> = { True: true, False: false, None: null };

function parse(text: string): unknown {
  const trimmed = text.trim();
  if (Object.hasOwn(words, trimmed)) return words[trimmed];
  try {
    return JSON.parse(trimmed);
  } catch {
    return undefined;
  }
}
