// What a message or a result is made of: words, pictures and files, as the API writes them.

import { type FilePart, isObject, type TextPart } from '@ai-agent/core';
import { readFile, typeByName } from '../read-file.ts';
import type { Fields } from '../read-object.ts';
import { WrongField, wrongType } from '../wrong-field.ts';

export type Part = TextPart | FilePart;

/** `param` is where it is. What is neither words nor a file is left out. Throws `request-invalid`. */
export function readParts(content: unknown, param: string): readonly Part[] {
  if (content === null || content === undefined) return [];
  if (typeof content === 'string') return toText(content);
  if (!Array.isArray(content)) throw wrongType(param, 'text, or a list of parts');
  return content.flatMap((part: unknown, at) => readPart(part, `${param}[${at}]`));
}

/** The words of it alone. */
export function wordsOf(parts: readonly Part[], between = ''): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(between);
}

export function filesOf(parts: readonly Part[]): readonly FilePart[] {
  return parts.filter((part) => part.type === 'file');
}

type Reader = (part: Fields, param: string) => readonly Part[];

function readPart(part: unknown, param: string): readonly Part[] {
  if (typeof part === 'string') return toText(part);
  if (!isObject(part)) throw wrongType(param, 'an object with a type');
  const read = typeof part.type === 'string' && Object.hasOwn(readers, part.type) ? readers[part.type] : undefined;
  return read?.(part, param) ?? [];
}

const readText: Reader = ({ text }, param) => toText(textIn(text, `${param}.text`));

const readers: Readonly<Record<string, Reader>> = {
  input_text: readText,
  output_text: readText,
  text: readText,
  refusal: ({ refusal }, param) => toText(textIn(refusal, `${param}.refusal`)),
  input_image: (part, param) => {
    if (!isGiven(part.image_url)) throw notKept(part, param, 'image_url');
    const data = isObject(part.image_url) ? part.image_url.url : part.image_url;
    return [readFile({ data, mediaType: 'image/*' }, `${param}.image_url`)];
  },
  input_file: (part, param) => {
    const { file_data: whole, file_url: url, filename } = part;
    const name = typeof filename === 'string' && filename !== '' ? filename : undefined;
    const mediaType = typeByName(name);
    if (isGiven(whole)) return [readFile({ data: whole, mediaType, name }, `${param}.file_data`)];
    if (isGiven(url)) return [readFile({ data: url, mediaType, name }, `${param}.file_url`)];
    throw notKept(part, param, 'file_data');
  },
  input_audio: ({ input_audio: audio }, param) => {
    const { data, format } = isObject(audio) ? audio : {};
    return [readFile({ data, mediaType: typeByName(`.${String(format)}`) }, `${param}.input_audio.data`)];
  },
  input_video: ({ video_url: data }, param) => [readFile({ data, mediaType: 'video/*' }, `${param}.video_url`)],
};

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function toText(text: string): readonly TextPart[] {
  return text === '' ? [] : [{ type: 'text', text }];
}

function textIn(value: unknown, param: string): string {
  if (typeof value === 'string') return value;
  throw wrongType(param, 'text');
}

function notKept({ file_id: id }: Fields, param: string, field: string): WrongField {
  const remedy = 'Send the file itself as a data URL, or an address that it can be read from.';
  if (isGiven(id)) return new WrongField(`${param}.file_id`, 'There is no such file: none are kept here.', { remedy });
  return new WrongField(`${param}.${field}`, `${param} has no file.`, { remedy });
}
