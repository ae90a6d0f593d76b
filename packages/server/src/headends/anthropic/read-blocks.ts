// The content of a message, block by block: what there is of it in a conversation of ours, and nothing of the rest.

import type { FilePart, TextPart, ToolCallPart } from '@ai-agent/core';
import { asWritable } from '../../parse-json.ts';
import { objectAt, textAt, wrong } from './field.ts';

export type Part = TextPart | FilePart | ToolCallPart | ResultPart;

/** What a tool of the client gave; the name of the tool is in the call. */
export interface ResultPart {
  readonly type: 'tool-result';
  readonly id: string;
  readonly text: string;
  readonly isError: boolean;
  readonly files: readonly FilePart[];
  /** Where it stands in the request. */
  readonly at: string;
}

/** Blocks that are not known are left out: tools of other servers, thoughts, and what is still to come. Throws `request-invalid`. */
export function readContent(content: unknown, at: string): readonly Part[] {
  return readBlocks(content, at, inMessages);
}

type Block = Readonly<Record<string, unknown>>;
type Readers<P> = Readonly<Record<string, (block: Block, at: string) => readonly P[]>>;

function readBlocks<P>(content: unknown, at: string, readers: Readers<P | TextPart>): readonly (P | TextPart)[] {
  if (typeof content === 'string') return toText(content);
  if (!Array.isArray(content)) throw wrong(at, content === undefined ? 'this field is required.' : notContent);
  return content.flatMap((one, i) => {
    const block = objectAt(one, `${at}.${i}`);
    const type = textAt(block.type, `${at}.${i}.type`);
    return Object.hasOwn(readers, type) ? (readers[type]?.(block, `${at}.${i}`) ?? []) : [];
  });
}

const notContent = 'this must be a text, or a list of blocks.';

type Shown = TextPart | FilePart;

// One within the other and no deeper, however deep the request is.
const inDocuments: Readers<Shown> = {
  text: ({ text }, at) => toText(textAt(text, `${at}.text`)),
  image: ({ source }, at) => [readFile(objectAt(source, `${at}.source`), `${at}.source`, { mediaType: 'image/*' })],
};
const inResults: Readers<Shown> = {
  ...inDocuments,
  document: readDocument,
  search_result: readSearchResult,
  tool_reference: ({ tool_name: name }) => (typeof name === 'string' ? toText(name) : []),
};
const inMessages: Readers<Part> = {
  ...inResults,
  tool_use: (block, at) => [readCall(block, at)],
  tool_result: (block, at) => [readResult(block, at)],
};

function toText(text: string): readonly TextPart[] {
  return text === '' ? [] : [{ type: 'text', text }];
}

/** `usual` holds for files of which only the address is known. */
function readFile(source: Block, at: string, usual: Pick<FilePart, 'mediaType' | 'name'>): FilePart {
  if (source.type === 'url') return { type: 'file', ...usual, data: addressAt(source.url, `${at}.url`) };
  if (source.type === 'base64') {
    const mediaType = filled(source.media_type, `${at}.media_type`);
    return { type: 'file', ...usual, mediaType, data: base64At(source.data, `${at}.data`) };
  }
  if (source.type === 'file') throw wrong(at, 'no files are kept here: send it as base64, or its url.');
  throw wrong(`${at}.type`, 'this must be base64 or url.');
}

/** What is on this machine, or in some other place of ours, is for nobody outside. */
function addressAt(value: unknown, at: string): string {
  const address = filled(value, at);
  if (/^https?:/i.test(address) && URL.canParse(address)) return address;
  throw wrong(at, 'this must be an address of http or https.');
}

/** What has a colon would be taken for an address. */
function base64At(value: unknown, at: string): string {
  const data = filled(value, at);
  if (!data.includes(':')) return data;
  throw wrong(at, 'this must be base64, and nothing before it.');
}

function filled(value: unknown, at: string): string {
  const text = textAt(value, at);
  if (text === '') throw wrong(at, 'this must not be empty.');
  return text;
}

/** What is text already is said as text: every model takes that. */
function readDocument({ source: given, title, context }: Block, at: string): readonly Shown[] {
  const source = objectAt(given, `${at}.source`);
  const heading = toText(linesOf([title, context]));
  if (source.type === 'text') return [...heading, ...toText(textAt(source.data, `${at}.source.data`))];
  if (source.type === 'content')
    return [...heading, ...readBlocks(source.content, `${at}.source.content`, inDocuments)];
  const named = typeof title === 'string' && title !== '' ? { name: title } : {};
  const file = readFile(source, `${at}.source`, { mediaType: 'application/pdf', ...named });
  return [...toText(linesOf([context])), file];
}

function readSearchResult({ title, source, content }: Block, at: string): readonly Shown[] {
  return [...toText(linesOf([title, source])), ...readBlocks(content, `${at}.content`, inDocuments)];
}

function linesOf(lines: readonly unknown[]): string {
  return lines.filter((line) => typeof line === 'string' && line !== '').join('\n');
}

function readCall({ id, name, input = {} }: Block, at: string): ToolCallPart {
  const given = asWritable(objectAt(input ?? {}, `${at}.input`));
  return {
    type: 'tool-call',
    id: filled(id, `${at}.id`),
    name: filled(name, `${at}.name`),
    input: JSON.stringify(given),
  };
}

function readResult({ tool_use_id: id, content, is_error: isError }: Block, at: string): ResultPart {
  const parts = readBlocks(content ?? '', `${at}.content`, inResults);
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return {
    type: 'tool-result',
    id: filled(id, `${at}.tool_use_id`),
    text: texts.join('\n'),
    isError: isError === true,
    files: parts.filter((part) => part.type === 'file'),
    at,
  };
}

/** The words alone, as a system prompt has them. Throws `request-invalid`. */
export function readWords(content: unknown, at: string): readonly string[] {
  return readBlocks(content, at, inDocuments).flatMap((part) => (part.type === 'text' ? [part.text] : []));
}
