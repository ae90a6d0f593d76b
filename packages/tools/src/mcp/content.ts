// What a server answers, as the output of a tool: nothing is lost on the way, and nothing is said twice.

import { isDeepStrictEqual } from 'node:util';
import { type FilePart, fail, type Json, oneLine, type ToolOutput } from '@ai-agent/core';
import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client';

/** All files of one result together; what is beyond is named instead. */
const maxFileBytes = 10_000_000;
const maxMessageLength = 2_000;

export function toOutput({ content = [], structuredContent, isError }: CallToolResult): ToolOutput {
  const files = new Files();
  const isData = (part: ContentBlock) => structuredContent !== undefined && isJsonOf(part, structuredContent);
  const spoken = content.filter((part) => !isData(part));
  const paragraphs = spoken.map((part) => toParagraph(part, files)).filter((paragraph) => paragraph !== '');
  const isRepeated = structuredContent === undefined || isSaidBy(content, structuredContent);
  if (isError) return toFailure(paragraphs, isRepeated ? undefined : structuredContent);
  const added = files.parts.length > 0 ? { files: files.parts } : {};
  if (!isRepeated && paragraphs.length === files.named) return { type: 'json', value: structuredContent, ...added };
  if (!isRepeated) paragraphs.push(JSON.stringify(structuredContent));
  return { type: 'text', value: paragraphs.join('\n\n') || '(no content)', ...added };
}

/** The words of the server are the message; when they are long, they are also what was produced. */
function toFailure(paragraphs: readonly string[], data: unknown): ToolOutput {
  const text = [...paragraphs, ...(data === undefined ? [] : [JSON.stringify(data)])].join('\n\n');
  if (text === '') return fail('The tool says that it failed, and not why.');
  if (text.length <= maxMessageLength) return fail(text);
  return fail(`${oneLine(text.slice(0, maxMessageLength / 4))}… (all of it follows)`, { text });
}

function toParagraph(part: ContentBlock, files: Files): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'image':
    case 'audio':
      return files.add({ kind: part.type, mediaType: part.mimeType, data: part.data });
    case 'resource':
      return toResource(part.resource, files);
    case 'resource_link':
      return toLink(part);
    default:
      return nameUnreadable((part as { readonly type?: unknown }).type);
  }
}

/** A part that nobody knows. */
export function nameUnreadable(type: unknown): string {
  const word = typeof type === 'string' ? oneLine(type).slice(0, 100) : typeof type;
  return `(a part of the type ${JSON.stringify(word)}, which nobody here can read)`;
}

type Resource = Extract<ContentBlock, { type: 'resource' }>['resource'];

function toResource(resource: Resource, files: Files): string {
  const { uri, mimeType = 'application/octet-stream' } = resource;
  if ('text' in resource) return `Resource ${oneLine(uri)}:\n${resource.text}`;
  const text = isTextType(mimeType) ? toTextIfSound(resource.blob) : undefined;
  if (text !== undefined) return `Resource ${oneLine(uri)}:\n${text}`;
  const [kind = ''] = mimeType.split('/');
  const isShown = kind === 'image' || kind === 'audio' || mimeType === 'application/pdf';
  const file = { kind: kind === 'application' ? 'document' : kind, mediaType: mimeType, data: resource.blob, uri };
  return isShown ? files.add(file) : files.name(file, 'which only programs can read');
}

function isTextType(mimeType: string): boolean {
  return /^text\/|[/+](json|xml|yaml)\b/i.test(mimeType);
}

function toTextIfSound(data: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(data, 'base64'));
  } catch {
    return undefined;
  }
}

function toLink({ uri, name, title, description, mimeType }: Extract<ContentBlock, { type: 'resource_link' }>): string {
  const about = [mimeType, description].filter((text) => text !== undefined && text !== '').join(', ');
  return `Link: ${oneLine(title ?? name)} <${oneLine(uri)}>${about === '' ? '' : ` (${oneLine(about)})`}`;
}

interface File {
  readonly kind: string;
  readonly mediaType: string;
  readonly data: string;
  readonly uri?: string;
}

/** The files of one result, and how they are called. */
class Files {
  readonly parts: FilePart[] = [];
  /** How many were handed on; each has a paragraph. */
  named = 0;
  #bytes = 0;

  add(file: File): string {
    const data = file.data.replace(/\s+/g, '');
    const mediaType = file.mediaType.toLowerCase();
    if (!/^[\w.+-]+\/[\w.+-]+$/.test(mediaType) || data === '' || !isBase64(data))
      return this.name(file, 'which is damaged');
    const bytes = bytesIn(data);
    if (this.#bytes + bytes > maxFileBytes) return this.name(file, 'which is too large to be shown');
    this.#bytes += bytes;
    this.named += 1;
    const name = nameOf(file, this.named);
    this.parts.push({ type: 'file', mediaType, data, name });
    return `(${file.kind} ${name}, ${mediaType}, ${inWords(bytes)})`;
  }

  /** A file that goes no further. */
  name({ kind, mediaType, data, uri }: File, why: string): string {
    const what = uri === undefined ? `an ${kind}` : `the resource ${oneLine(uri)}`;
    return `(${what}, ${oneLine(mediaType)}, ${inWords(bytesIn(data))}, ${why})`;
  }
}

function nameOf({ kind, mediaType, uri }: File, number: number): string {
  const last = uri?.split(/[?#]/, 1)[0]?.split('/').at(-1) ?? '';
  const own = last.replace(/[^\w.-]+/g, '_').slice(-80);
  const [, subtype = ''] = mediaType.toLowerCase().split('/');
  return own === '' ? `${kind}-${number}.${subtype.replace(/^x-|\+.*$/g, '')}` : own;
}

export function isBase64(data: string): boolean {
  return data.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(data);
}

function bytesIn(data: string): number {
  return Math.floor((data.replace(/=+$/, '').length * 3) / 4);
}

function inWords(bytes: number): string {
  return bytes < 10_000 ? `${bytes} bytes` : `${Math.round(bytes / 1_000)} kB`;
}

/** Older clients read the data as text: that part is the data again. */
function isJsonOf(part: ContentBlock, data: unknown): boolean {
  if (part.type !== 'text' || !/^\s*[[{]/.test(part.text)) return false;
  try {
    return isDeepStrictEqual(JSON.parse(part.text), data);
  } catch {
    return false;
  }
}

/** Whether the data is only the content in another wrapping, as in `{ content: <the text> }`: all of it, and nothing else. */
function isSaidBy(content: readonly ContentBlock[], data: unknown): boolean {
  const said = new Set(leavesOf(content as unknown as Json));
  const leaves = new Set(leavesOf(data as Json));
  const isWhole = content.flatMap(bodyOf).every((body) => leaves.has(body));
  return isWhole && leaves.size > 0 && [...leaves].every((leaf) => typeof leaf === 'string' && said.has(leaf));
}

function bodyOf(part: ContentBlock): readonly string[] {
  if (part.type === 'text') return [part.text];
  if (part.type === 'image' || part.type === 'audio') return [part.data];
  if (part.type !== 'resource') return [];
  return ['text' in part.resource ? part.resource.text : part.resource.blob];
}

function leavesOf(value: Json): readonly Json[] {
  if (typeof value !== 'object' || value === null) return [value];
  return Object.values(value).flatMap((part) => leavesOf(part as Json));
}
