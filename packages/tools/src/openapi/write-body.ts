// Bodies on the wire, by their kind.

import { randomBytes } from 'node:crypto';
import { isObject, type Json, type JsonObject, toMatcher } from '@ai-agent/core';
import { encodePiece, wrongArgument } from '../rest/http-request.ts';
import { mediaTypeOf } from '../rest/read-body.ts';
import type { Node } from './document.ts';
import type { BodyType } from './media-type.ts';
import { toQueryPairs } from './serialise.ts';

type Bytes = Uint8Array<ArrayBuffer>;

export interface WrittenBody {
  readonly contentType: string;
  readonly body: string | Bytes;
}

/** `files` are the fields of a form that hold files. Throws `tool-arguments-invalid`. */
export function writeBody(type: BodyType, value: Json, files: ReadonlySet<string>): WrittenBody {
  const { kind, contentType } = type;
  if (kind === 'json') return { contentType, body: JSON.stringify(value) };
  if (kind === 'form') return { contentType, body: toForm(fieldsOf(value), type.encoding) };
  if (kind === 'multipart') return toMultipart(fieldsOf(value), type, files);
  if (kind === 'text') return { contentType, body: typeof value === 'string' ? value : JSON.stringify(value) };
  return { contentType, body: toFile(value, 'body').bytes };
}

function fieldsOf(value: Json): JsonObject {
  if (isObject(value)) return value as JsonObject;
  throw wrongArgument('The body is a form, and must be an object of its fields');
}

/** Lists are a field several times, objects are JSON, unless the document says a style. */
function toForm(fields: JsonObject, encoding: Node): string {
  const pairs = Object.entries(fields).flatMap(([name, value]) => {
    const said = encoding[name];
    const { style, explode, allowReserved } = isObject(said) ? said : {};
    const isStyled = style !== undefined || explode !== undefined;
    return toQueryPairs(
      {
        name,
        style: typeof style === 'string' ? style : 'form',
        isExploded: typeof explode === 'boolean' ? explode : style === undefined || style === 'form',
        allowsReserved: allowReserved === true,
        isJson: isObject(value) && !isStyled,
      },
      value,
    );
  });
  return pairs.join('&');
}

function toMultipart(fields: JsonObject, { contentType, encoding }: BodyType, files: ReadonlySet<string>): WrittenBody {
  const boundary = `part-${randomBytes(18).toString('hex')}`;
  const chunks = Object.entries(fields).flatMap(([name, value]) => {
    const said = encoding[name];
    const allowed = isObject(said) && typeof said.contentType === 'string' ? said.contentType.split(',') : [];
    return toParts(name, value, files.has(name)).map((part) =>
      Buffer.concat([
        Buffer.from(`--${boundary}\r\n${headOf(name, part, typeOf(part, allowed))}`),
        part.bytes,
        lineEnd,
      ]),
    );
  });
  chunks.push(Buffer.from(`--${boundary}--\r\n`));
  const sentAs = `${contentType.replace(/;.*$/s, '').trim()}; boundary=${boundary}`;
  return { contentType: sentAs, body: new Uint8Array(Buffer.concat(chunks)) };
}

/** Its own where the document allows it, or else the first that is one: a range is none. */
function typeOf({ type, fileName }: Part, allowed: readonly string[]): string | undefined {
  if (allowed.length === 0) return type;
  const mediaType = mediaTypeOf(type ?? '');
  const isAllowed = allowed.map(mediaTypeOf).some((one) => toMatcher([one])(mediaType));
  if (type !== undefined && isAllowed) return type;
  const first = allowed.map((one) => one.trim()).find((one) => one !== '' && !one.includes('*'));
  return first ?? (fileName === undefined ? type : plainBytes);
}

const plainBytes = 'application/octet-stream';
const lineEnd = Buffer.from('\r\n');

function headOf(name: string, { fileName }: Part, type: string | undefined): string {
  const file = fileName === undefined ? '' : `; filename="${quoted(fileName)}"`;
  const typeLine = type === undefined ? '' : `Content-Type: ${printable(type)}\r\n`;
  return `Content-Disposition: form-data; name="${quoted(name)}"${file}\r\n${typeLine}\r\n`;
}

/** A list of files, or of plain values, is a part for each. */
function toParts(name: string, value: Json, isFile: boolean): readonly Part[] {
  const isMany = Array.isArray(value) && (isFile || !value.some((item) => typeof item === 'object'));
  const items = isMany ? (value as readonly Json[]) : [value];
  return items.map((item) => (isFile ? toFile(item, name) : toPart(item)));
}

interface Part {
  readonly bytes: Bytes;
  readonly type?: string;
  readonly fileName?: string;
}

function toPart(value: Json): Part {
  if (typeof value === 'object' && value !== null)
    return { bytes: toBytes(JSON.stringify(value)), type: 'application/json' };
  return { bytes: toBytes(typeof value === 'string' ? value : JSON.stringify(value)) };
}

/** A text is base64; an object says which it is: `{ text }` or `{ base64 }`, with a `filename` and a `contentType` if it likes. */
function toFile(value: Json, name: string): Part {
  const { text, base64, filename, contentType } = (isObject(value) ? value : { base64: value }) as JsonObject;
  const type = typeof contentType === 'string' ? contentType : plainBytes;
  const fileName = typeof filename === 'string' && filename !== '' ? filename : name;
  if (typeof text === 'string') return { bytes: toBytes(text), type, fileName };
  const packed = typeof base64 === 'string' ? base64.replace(/\s+/g, '') : '!';
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(packed))
    throw wrongArgument(`"${name}" is to be a file, and is not base64; give text as { "text": "…" }`);
  return { bytes: new Uint8Array(Buffer.from(packed, 'base64')), type, fileName };
}

function toBytes(text: string): Bytes {
  return new Uint8Array(Buffer.from(text));
}

/** As browsers write names of fields and files. */
function quoted(name: string): string {
  return name.replace(/[\r\n"]/g, encodePiece);
}

function printable(type: string): string {
  return type.replace(/[^\x20-\x7e]/g, '');
}
