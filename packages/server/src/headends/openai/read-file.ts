// Files in a conversation as OpenAI's clients send them: at an address, or the whole of them as base64.

import { Buffer } from 'node:buffer';
import type { FilePart } from '@ai-agent/core';
import { WrongField, wrongType } from './wrong-field.ts';

export interface GivenFile {
  /** An address, or base64. */
  readonly data: unknown;
  /** What it is when it does not say so itself. */
  readonly mediaType: string;
  readonly name?: string | undefined;
}

/** Throws `request-invalid`, about the field of this name. */
export function readFile({ data, mediaType, name }: GivenFile, param: string): FilePart {
  if (typeof data !== 'string' || data === '') throw wrongType(param, 'an address, or a file as base64');
  const named = name === undefined ? {} : { name };
  if (/^data:/i.test(data)) return { type: 'file', mediaType, ...readDataUrl(data, param), ...named };
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(data)?.[1]?.toLowerCase();
  if (scheme !== undefined && (!/^https?$/.test(scheme) || !URL.canParse(data)))
    throw new WrongField(param, `${param} must be an address of http, https or data.`);
  return { type: 'file', mediaType, data, ...named };
}

/** What a file is by the end of its name; what has none is taken for the kind that is sent most. */
export function typeByName(name: string | undefined): string {
  const ending = /\.([a-z0-9]+)$/i.exec(name ?? '')?.[1]?.toLowerCase() ?? '';
  return typesByEnding.get(ending) ?? 'application/pdf';
}

const typesByEnding = new Map([
  ['txt', 'text/plain'],
  ['md', 'text/markdown'],
  ['csv', 'text/csv'],
  ['html', 'text/html'],
  ['json', 'application/json'],
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['gif', 'image/gif'],
  ['webp', 'image/webp'],
  ['wav', 'audio/wav'],
  ['mp3', 'audio/mpeg'],
]);

function readDataUrl(url: string, param: string): Pick<FilePart, 'data'> & Partial<Pick<FilePart, 'mediaType'>> {
  const comma = url.indexOf(',');
  if (comma < 0) throw new WrongField(param, `${param} is a data address without data.`);
  const [type = '', ...more] = url.slice('data:'.length, comma).split(';');
  const body = url.slice(comma + 1);
  const isBase64 = more.some((word) => word.trim().toLowerCase() === 'base64');
  const data = isBase64 ? body : Buffer.from(decode(body, param)).toString('base64');
  if (data === '') throw new WrongField(param, `${param} is a data address without data.`);
  // It would be taken for another address.
  if (data.includes(':')) throw new WrongField(param, `${param} is a data address, and its data is not base64.`);
  return { data, ...(type.trim() === '' ? {} : { mediaType: type.trim().toLowerCase() }) };
}

function decode(text: string, param: string): string {
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    throw new WrongField(param, `${param} is neither base64 nor URL-encoded.`, { cause });
  }
}
