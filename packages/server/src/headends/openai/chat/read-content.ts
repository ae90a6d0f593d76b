// The content of a message of chat completions: words, or parts of several kinds.

import { type FilePart, isObject, type TextPart } from '@ai-agent/core';
import { readFile, typeByName } from '../read-file.ts';
import type { Fields } from '../read-object.ts';
import { missingField, WrongField, wrongType } from '../wrong-field.ts';

type Part = TextPart | FilePart;

/** Words are one part. Throws `request-invalid`. */
export function readContent(content: unknown, param: string): readonly Part[] {
  if (content === undefined || content === null) throw missingField(param);
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  if (!Array.isArray(content)) throw wrongType(param, 'text, or a list of parts');
  if (content.length === 0)
    throw new WrongField(param, `${param} is a list without a part.`, { trouble: 'empty_array' });
  return content.map((part, index) => readPart(part, `${param}[${index}]`));
}

/** Of messages that have nothing but words. Throws `request-invalid`. */
export function readWords(content: unknown, param: string): string {
  const parts = readContent(content, param);
  const file = parts.findIndex(({ type }) => type === 'file');
  if (file >= 0)
    throw new WrongField(`${param}[${file}].type`, `${param}[${file}] must be text: no files are taken here.`);
  return wordsOf(parts);
}

export function wordsOf(parts: readonly Part[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

function readPart(part: unknown, param: string): Part {
  if (!isObject(part)) throw wrongType(param, 'a part with a type');
  const { type } = part;
  if (type === undefined) throw missingField(`${param}.type`);
  const read = typeof type === 'string' && Object.hasOwn(readers, type) ? readers[type] : undefined;
  if (read) return read(part, param);
  throw new WrongField(`${param}.type`, `${param}.type must be one of ${Object.keys(readers).join(', ')}.`);
}

const readers: Readonly<Record<string, (part: Fields, param: string) => Part>> = {
  text: ({ text }, param) => ({ type: 'text', text: readString(text, `${param}.text`) }),
  refusal: ({ refusal }, param) => ({ type: 'text', text: readString(refusal, `${param}.refusal`) }),
  image_url: ({ image_url: image }, param) => {
    // Some clients leave out the object around it.
    const data = isObject(image) ? image.url : image;
    return readFile({ data, mediaType: 'image/*' }, `${param}.image_url.url`);
  },
  input_audio: ({ input_audio: audio }, param) => {
    const { data, format } = readInner(audio, `${param}.input_audio`);
    const mediaType = typeByName(`.${readString(format, `${param}.input_audio.format`)}`);
    return readFile({ data, mediaType }, `${param}.input_audio.data`);
  },
  file: ({ file }, param) => {
    const { file_data: data, file_id: id, filename } = readInner(file, `${param}.file`);
    if (data === undefined && id !== undefined)
      throw new WrongField(`${param}.file.file_id`, 'Files are not kept here, so none has an id.', {
        remedy: 'Send the file itself as file_data.',
      });
    const name = typeof filename === 'string' ? filename : undefined;
    return readFile({ data, mediaType: typeByName(name), name }, `${param}.file.file_data`);
  },
};

function readString(value: unknown, param: string): string {
  if (value === undefined || value === null) throw missingField(param);
  if (typeof value !== 'string') throw wrongType(param, 'text');
  return value;
}

function readInner(value: unknown, param: string): Fields {
  if (value === undefined) throw missingField(param);
  if (!isObject(value)) throw wrongType(param, 'an object');
  return value;
}
