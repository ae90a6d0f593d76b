// What a message or a result is made of: words, pictures and files, as the API writes them.

import { AgentError, type FilePart, isObject, type TextPart } from '@ai-agent/core';

export type Part = TextPart | FilePart;

/** `where` begins what is wrong. What is neither words nor a file is left out. Throws `request-invalid`. */
export function readParts(content: unknown, where: string): readonly Part[] {
  if (content === null || content === undefined) return [];
  if (typeof content === 'string') return toText(content);
  if (!Array.isArray(content)) throw new AgentError('request-invalid', `${where} must be a text, or a list of parts.`);
  return content.flatMap((part: unknown, at) => readPart(part, `${where}[${at}]`));
}

/** The words of it alone. */
export function wordsOf(parts: readonly Part[], between = ''): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(between);
}

export function filesOf(parts: readonly Part[]): readonly FilePart[] {
  return parts.filter((part) => part.type === 'file');
}

type Fields = Readonly<Record<string, unknown>>;
type Reader = (part: Fields, where: string) => readonly Part[];

function readPart(part: unknown, where: string): readonly Part[] {
  if (typeof part === 'string') return toText(part);
  if (!isObject(part)) throw new AgentError('request-invalid', `${where} must be an object with a type.`);
  const read = typeof part.type === 'string' && Object.hasOwn(readers, part.type) ? readers[part.type] : undefined;
  return read?.(part, where) ?? [];
}

const readText: Reader = ({ text }, where) => toText(textIn(text, `${where}.text`));

const readers: Readonly<Record<string, Reader>> = {
  input_text: readText,
  output_text: readText,
  text: readText,
  refusal: ({ refusal }, where) => toText(textIn(refusal, `${where}.refusal`)),
  input_image: ({ image_url: url }, where) => {
    const address = isObject(url) ? url.url : url;
    if (typeof address !== 'string' || address === '') throw notKept(where, 'image_url');
    return [toFile(address, 'image/*')];
  },
  input_file: ({ file_data: data, file_url: url, filename }, where) => {
    const given = [data, url].find((one) => typeof one === 'string' && one !== '');
    if (typeof given !== 'string') throw notKept(where, 'file_data or file_url');
    const name = typeof filename === 'string' && filename !== '' ? filename : undefined;
    const file = toFile(given, typeOfName(name ?? given));
    return [name === undefined ? file : { ...file, name }];
  },
  input_audio: ({ input_audio: audio }, where) => {
    if (!isObject(audio) || typeof audio.data !== 'string' || typeof audio.format !== 'string')
      throw new AgentError('request-invalid', `${where}.input_audio must have data and format.`);
    return [toFile(audio.data, audio.format === 'mp3' ? 'audio/mpeg' : `audio/${audio.format}`)];
  },
  input_video: ({ video_url: url }, where) => [toFile(textIn(url, `${where}.video_url`), 'video/*')],
};

function toText(text: string): readonly TextPart[] {
  return text === '' ? [] : [{ type: 'text', text }];
}

function textIn(value: unknown, where: string): string {
  if (typeof value === 'string') return value;
  throw new AgentError('request-invalid', `${where} must be a text.`);
}

/** An address that holds the file itself says what it is. */
function toFile(given: string, mediaType: string): FilePart {
  const [whole, said = ''] = /^data:([^;,]+)[^,]*;base64,/i.exec(given.slice(0, 200)) ?? [];
  if (whole === undefined) return { type: 'file', mediaType, data: given };
  return { type: 'file', mediaType: said, data: given.slice(whole.length) };
}

const types: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  txt: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
  html: 'text/html',
  json: 'application/json',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
};

function typeOfName(name: string): string {
  const [, end = ''] = /\.([a-z]{2,4})(?:[?#]|$)/i.exec(name.slice(-300)) ?? [];
  return types[end.toLowerCase()] ?? 'application/octet-stream';
}

function notKept(where: string, field: string): AgentError {
  return new AgentError('request-invalid', `${where} needs ${field}: no files are kept here.`, {
    remedy: 'Send the file itself as a data URL, or an address that it can be read from.',
  });
}
