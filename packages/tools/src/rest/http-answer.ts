// A good answer as the output of a tool: data as data, text as text, pictures as files; anything else is named.

import { type Json, type JsonObject, messageOf, type ToolOutput } from '@ai-agent/core';
import { withExactNumbers } from './exact-numbers.ts';
import { decode, mediaTypeOf, type ReadBytes, readBytes } from './read-body.ts';

/** Bytes of a body that are read. What core shows a model of them is its own matter. */
export const maxBodyBytes = 10_000_000;

export async function toAnswer(response: Response, method: string): Promise<ToolOutput> {
  if (method === 'HEAD') return { type: 'json', value: headOf(response) };
  const contentType = response.headers.get('content-type') ?? '';
  const body = await readBytes(response, maxBodyBytes);
  const mediaType = mediaTypeOf(contentType);
  if (body.bytes.length === 0) return `HTTP ${response.status}, without content.`;
  const picture = pictureTypeOf(mediaType, body.bytes);
  if (picture !== undefined) return pictureOf(body, picture);
  if (!isText(mediaType, body.bytes)) return `${nameOf(body, mediaType)}. This is no text and is not shown.`;
  const text = decode(body.bytes, contentType);
  if (body.isCut) return `${text}\n[Only the first ${maxBodyBytes} bytes were read.]`;
  return /[/+]json$/.test(mediaType) ? parsed(text) : text;
}

function headOf(response: Response): JsonObject {
  const kept = [...response.headers].filter(([name]) => name !== 'set-cookie');
  return { status: response.status, headers: Object.fromEntries(kept) as Record<string, Json> };
}

const pictures: readonly (readonly [string, RegExp])[] = [
  ['image/png', /^89504e470d0a1a0a/],
  ['image/jpeg', /^ffd8ff/],
  ['image/gif', /^47494638(?:37|39)61/],
  ['image/webp', /^52494646.{8}57454250/],
];

/** By its first bytes: providers refuse a whole request for one picture that is none, or another than it is called. */
function pictureTypeOf(mediaType: string, bytes: Uint8Array): string | undefined {
  if (!mediaType.startsWith('image/')) return undefined;
  const head = Buffer.from(bytes.subarray(0, 12)).toString('hex');
  return pictures.find(([, begin]) => begin.test(head))?.[0];
}

function pictureOf(body: ReadBytes, mediaType: string): ToolOutput {
  const value = nameOf(body, mediaType);
  if (body.isCut) return `${value}. It is too large to be shown.`;
  const data = Buffer.from(body.bytes).toString('base64');
  return { type: 'text', value, files: [{ type: 'file', mediaType, data }] };
}

function nameOf({ bytes, isCut }: ReadBytes, mediaType: string): string {
  return `${mediaType || 'Data of an unknown type'}, ${isCut ? 'more than ' : ''}${bytes.length} bytes`;
}

/** By its name; what has no telling name is looked at. */
function isText(mediaType: string, bytes: Uint8Array): boolean {
  if (mediaType.startsWith('text/') || /[/+](?:json|xml|yaml|x-yaml)$/.test(mediaType)) return true;
  if (
    /^application\/(?:x-)?(?:ndjson|jsonl|javascript|ecmascript|www-form-urlencoded|sql|graphql|toml)/.test(mediaType)
  )
    return true;
  if (/^(?:image|audio|video|font)\//.test(mediaType)) return false;
  return isUtf8(bytes.subarray(0, 4096));
}

function isUtf8(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** What would become other numbers stays text. */
function parsed(text: string): ToolOutput {
  try {
    if (withExactNumbers(text) !== undefined) return text;
    return { type: 'json', value: JSON.parse(text) as Json };
  } catch (error) {
    return `${text}\n[The server called this JSON, and it is none: ${messageOf(error).slice(0, 200)}]`;
  }
}
