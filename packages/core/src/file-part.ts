// A file in a conversation: whether it is one, and how large it is.

import { isObject } from './json.ts';
import type { FilePart } from './message.ts';

const keys: readonly string[] = ['type', 'mediaType', 'data', 'name'] satisfies (keyof FilePart)[];

/** What is wrong with the shape of it; what a model takes, its provider says. */
export function fileProblem(part: unknown): string | undefined {
  if (!isObject(part) || part.type !== 'file') return ' must be an object of type file';
  for (const key of ['mediaType', 'data'])
    if (typeof part[key] !== 'string' || part[key] === '') return `.${key} must be a text`;
  if (part.name !== undefined && typeof part.name !== 'string') return '.name must be a text';
  const unknown = Object.keys(part).find((key) => !keys.includes(key));
  return unknown === undefined ? undefined : `.${unknown} is not known; known are ${keys.join(', ')}`;
}

/** At an address, which may be one that holds the file itself; else its data is base64. */
export function isAddress(data: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(data);
}

/** Base64 may come in lines, which not every provider takes. */
export function inOneLine(data: string): string {
  return isAddress(data) ? data : data.trim().replace(/[\r\n\t]+/g, '');
}

/** In one line. Looked through once: it may be megabytes, and of anybody's making. */
export function isBase64(data: string): boolean {
  const end = data.endsWith('==') ? -2 : data.endsWith('=') ? -1 : data.length;
  const body = data.slice(0, end);
  return body !== '' && !/[^A-Za-z0-9+/]/.test(body);
}

/** Of the files themselves, as near as base64 tells. */
export function bytesOfFiles(files: readonly FilePart[] | undefined): number {
  let bytes = 0;
  for (const { data } of files ?? []) bytes += isAddress(data) && !/^data:/i.test(data) ? 0 : (data.length * 3) / 4;
  return Math.floor(bytes);
}
