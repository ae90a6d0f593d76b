// Parameters on the wire: every style of OpenAPI, exploded or not, as RFC 6570 and the specification's own examples write them.

import { isObject, type Json, type JsonObject } from '@ai-agent/core';
import { encodePiece } from '../rest/http-request.ts';
import type { Parameter } from './operations.ts';

type Styled = Pick<Parameter, 'name' | 'style' | 'isExploded' | 'allowsReserved' | 'isJson'>;

/** What stands in the path in place of `{name}`. */
export function toPathPiece(parameter: Styled, value: Json): string {
  const { name, style, isExploded } = parameter;
  const encode = encodePiece;
  if (parameter.isJson) return encode(JSON.stringify(value));
  if (style === 'label') return `.${join(value, { encode, isExploded, between: isExploded ? '.' : ',' })}`;
  if (style === 'matrix') return toMatrix(name, value, { encode, isExploded });
  return join(value, { encode, isExploded, between: ',' });
}

/** What stands in the query: `limit=5`, or several pairs, or none at all. */
export function toQueryPairs(parameter: Styled, value: Json): readonly string[] {
  const { style, isExploded } = parameter;
  const encode = encoderOf(parameter);
  const name = encodePiece(parameter.name);
  if (parameter.isJson) return [`${name}=${encode(JSON.stringify(value))}`];
  if (style === 'deepObject' && isNested(value)) return deepPairs(name, value, encode);
  if (!isNested(value)) return [`${name}=${encode(toText(value))}`];
  if (isExploded) return explodedPairs(name, value, encode);
  const joined = join(value, { encode, isExploded: false, between: delimiters[style] ?? ',' });
  return joined === '' ? [] : [`${name}=${joined}`];
}

/** What a header says. Nothing is encoded there. */
export function toHeaderText(parameter: Styled, value: Json): string {
  if (parameter.isJson) return JSON.stringify(value);
  return join(value, { encode: (text) => text, isExploded: parameter.isExploded, between: ',' });
}

/** Lists and objects; everything else is one text. */
function isNested(value: Json): value is readonly Json[] | JsonObject {
  return typeof value === 'object' && value !== null;
}

const delimiters: Readonly<Record<string, string>> = { form: ',', spaceDelimited: '%20', pipeDelimited: '%7C' };

interface Joining {
  readonly encode: (text: string) => string;
  readonly isExploded: boolean;
  readonly between: string;
}

/** `a,b` of a list; `k,v` of an object, and `k=v` when it is exploded. */
function join(value: Json, { encode, isExploded, between }: Joining): string {
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => encode(toText(item))).join(between);
  if (!isObject(value)) return encode(toText(value));
  const pairs = entriesOf(value as JsonObject).map(([key, part]) => [encode(key), encode(toText(part))]);
  return pairs.map(([key, part]) => `${key}${isExploded ? '=' : between}${part}`).join(between);
}

function toMatrix(name: string, value: Json, { encode, isExploded }: Omit<Joining, 'between'>): string {
  const key = encodePiece(name);
  const one = (text: string, of = key) => (text === '' ? `;${of}` : `;${of}=${text}`);
  if (!isExploded || !isNested(value)) return one(join(value, { encode, isExploded: false, between: ',' }));
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => one(encode(toText(item)))).join('');
  return entriesOf(value as JsonObject)
    .map(([of, part]) => one(encode(toText(part)), encode(of)))
    .join('');
}

function explodedPairs(name: string, value: readonly Json[] | JsonObject, encode: (text: string) => string): string[] {
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => `${name}=${encode(toText(item))}`);
  return entriesOf(value as JsonObject).map(([key, part]) => `${encodePiece(key)}=${encode(toText(part))}`);
}

/** `filter[from]=1`; the specification stops there, and what is deeper is written as most servers read it. */
function deepPairs(name: string, value: Json, encode: (text: string) => string): readonly string[] {
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap((item) => deepPairs(name, item, encode));
  if (!isObject(value)) return [`${name}=${encode(toText(value))}`];
  return entriesOf(value as JsonObject).flatMap(([key, part]) =>
    deepPairs(`${name}%5B${encodePiece(key)}%5D`, part, encode),
  );
}

function entriesOf(value: JsonObject): readonly (readonly [string, Json])[] {
  return Object.entries(value);
}

function toText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Reserved signs may stay where they mean nothing; what would end the value, or begin another, never does. */
function encoderOf({ allowsReserved }: Styled): (text: string) => string {
  if (!allowsReserved) return encodePiece;
  return (text) => encodePiece(text).replace(/%(?:3A|2F|3F|40|21|24|27|28|29|2A|2C|3B)/g, decodeURIComponent);
}
