// Parameters back from the wire, by style: written from the specification, for tests.

import type { IncomingHttpHeaders } from 'node:http';

export type Doc = Readonly<Record<string, unknown>>;

export interface SpecParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly required?: boolean;
  readonly style?: string;
  readonly explode?: boolean;
  readonly schema?: Doc;
  readonly content?: Doc;
}

export type Decoded = string | number | boolean | null | readonly Decoded[] | { readonly [name: string]: Decoded };

export interface Pair {
  readonly name: string;
  readonly value: string;
  isRead: boolean;
}

export interface Wire {
  readonly path: ReadonlyMap<string, string>;
  readonly query: readonly Pair[];
  readonly headers: IncomingHttpHeaders;
  readonly cookies: readonly Pair[];
}

/** Still encoded. */
export function pairsOf(text: string, between: string): readonly Pair[] {
  const pairs = text === '' ? [] : text.split(between);
  return pairs.map((pair) => {
    const [name = '', ...rest] = pair.split('=');
    return { name: decodeURIComponent(name), value: rest.join('='), isRead: false };
  });
}

/** Nothing when it did not come. */
export function decodeValue(parameter: SpecParameter, schema: Doc, wire: Wire): Decoded | undefined {
  if (parameter.in === 'query') return fromQuery(parameter, schema, wire.query);
  if (parameter.in === 'cookie') return fromQuery(parameter, schema, wire.cookies);
  const isHeader = parameter.in === 'header';
  const text = isHeader ? wire.headers[parameter.name.toLowerCase()] : wire.path.get(parameter.name);
  if (text === undefined) return undefined;
  const decode = isHeader ? (piece: string) => piece : decodeURIComponent;
  if (parameter.content) return JSON.parse(decode(String(text))) as Decoded;
  return fromPath(parameter, schema, { text: String(text), decode });
}

interface Piece {
  readonly text: string;
  readonly decode: (piece: string) => string;
}

function fromPath(
  { name, style = 'simple', explode = false }: SpecParameter,
  schema: Doc,
  { text, decode }: Piece,
): Decoded {
  if (style === 'matrix') return fromMatrix(name, explode, schema, text);
  const isLabel = style === 'label';
  if (isLabel && !text.startsWith('.')) throw new TypeError(`a label begins with a dot: ${text}`);
  const between = isLabel && explode ? '.' : ',';
  return unjoin(schema, isLabel ? text.slice(1) : text, { between, explode, decode });
}

function fromMatrix(name: string, explode: boolean, schema: Doc, text: string): Decoded {
  const pairs = pairsOf(text.slice(1), ';');
  if (!explode || (schema.type !== 'array' && schema.type !== 'object'))
    return unjoin(schema, pairs[0]?.value ?? '', { between: ',', explode: false, decode: decodeURIComponent });
  if (schema.type === 'array') return pairs.map((pair) => scalar(itemOf(schema), decodeURIComponent(pair.value)));
  if (pairs.some((pair) => pair.name === name)) throw new TypeError('an exploded object has no name');
  return Object.fromEntries(
    pairs.map((pair) => [pair.name, scalar(propertyOf(schema, pair.name), decodeURIComponent(pair.value))]),
  );
}

interface Joining {
  readonly between: string;
  readonly explode: boolean;
  readonly decode: (piece: string) => string;
}

function unjoin(schema: Doc, text: string, { between, explode, decode }: Joining): Decoded {
  const pieces = text.split(between);
  if (schema.type === 'array') return pieces.map((piece) => scalar(itemOf(schema), decode(piece)));
  if (schema.type !== 'object') return scalar(schema, decode(text));
  const flat = explode ? pieces.flatMap((piece) => piece.split('=')) : pieces;
  const object: Record<string, Decoded> = {};
  for (let index = 0; index < flat.length; index += 2) {
    const key = decode(flat[index] ?? '');
    object[key] = scalar(propertyOf(schema, key), decode(flat[index + 1] ?? ''));
  }
  return object;
}

const delimiters: Record<string, string> = { form: ',', spaceDelimited: '%20', pipeDelimited: '%7C' };

function fromQuery(parameter: SpecParameter, schema: Doc, pairs: readonly Pair[]): Decoded | undefined {
  const { name, style = 'form' } = parameter;
  const { explode = style === 'form' } = parameter;
  if (style === 'deepObject') return fromBrackets(name, schema, pairs);
  if (schema.type === 'object' && explode && !parameter.content) {
    const known = Object.keys(schema.properties as object);
    const found = take(pairs, (one) => known.includes(one));
    if (found.length === 0) return undefined;
    return Object.fromEntries(
      found.map((pair) => [pair.name, scalar(propertyOf(schema, pair.name), decodeURIComponent(pair.value))]),
    );
  }
  const found = take(pairs, (one) => one === name);
  const [first] = found;
  if (!first) return undefined;
  if (parameter.content) return JSON.parse(decodeURIComponent(first.value)) as Decoded;
  if (schema.type === 'array' && explode)
    return found.map(({ value }) => scalar(itemOf(schema), decodeURIComponent(value)));
  return unjoin(schema, first.value, { between: delimiters[style] ?? ',', explode: false, decode: decodeURIComponent });
}

function fromBrackets(name: string, schema: Doc, pairs: readonly Pair[]): Decoded | undefined {
  const found = take(pairs, (one) => one.startsWith(`${name}[`));
  if (found.length === 0) return undefined;
  const entries = found.map((pair) => {
    const key = pair.name.slice(name.length + 1, -1);
    return [key, scalar(propertyOf(schema, key), decodeURIComponent(pair.value))] as const;
  });
  return Object.fromEntries(entries);
}

function take(pairs: readonly Pair[], isMeant: (name: string) => boolean): readonly Pair[] {
  const found = pairs.filter(({ name }) => isMeant(name));
  for (const pair of found) pair.isRead = true;
  return found;
}

function scalar(schema: Doc, text: string): Decoded {
  if (schema.type === 'integer' || schema.type === 'number') return Number(text);
  return schema.type === 'boolean' ? text === 'true' : text;
}

function itemOf(schema: Doc): Doc {
  return (schema.items ?? {}) as Doc;
}

function propertyOf(schema: Doc, name: string): Doc {
  return ((schema.properties ?? {}) as Record<string, Doc>)[name] ?? {};
}
