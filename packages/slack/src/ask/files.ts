// Files that came with a message: those that the model takes as attachments, text as text, a word about the others.

import { defaultTexts, type FilePart, head, isObject, oneLine, type Texts, toMatcher } from '@ai-agent/core';
import { toFenced } from '../blocks/fence.ts';
import { type Downloaded, download, type Wanted } from './file-download.ts';
import { decodeText, isTextFile } from './text-file.ts';

export interface FilesOptions {
  /** Media types that the model takes: `image/*`. @default none */
  readonly takes: readonly string[] | undefined;
  /** Why others are not taken. @default cannot be read by this agent */
  readonly refusal?: string | undefined;
  /** @default our own */
  readonly texts?: Pick<Texts, 'cameAlong'> | undefined;
  readonly token: string;
  /** Slack's address: files may be there too. */
  readonly apiUrl: string;
  /** @default the platform's own */
  readonly fetch?: typeof fetch | undefined;
  /** For all of them together. @default 30000 */
  readonly timeoutMs?: number | undefined;
}

export interface ReadFiles {
  readonly attachments: readonly FilePart[];
  /** For the prompt: the text of files, and what could not be read. */
  readonly notes: readonly string[];
}

/** Never fails: a file that cannot be had is a note. */
export async function readFiles(files: unknown, options: FilesOptions): Promise<ReadFiles> {
  const all = Array.isArray(files) ? files.filter(isObject).map(toSlackFile) : [];
  const found: Found = { attachments: [], notes: [], room: maxBytes };
  const by = {
    token: options.token,
    apiUrl: options.apiUrl,
    fetch: options.fetch ?? fetch,
    signal: AbortSignal.timeout(options.timeoutMs ?? 30_000),
  };
  const isTaken = toMatcher(options.takes ?? []);
  const { refusal = unreadable, texts: { cameAlong } = defaultTexts } = options;
  for (const file of all.slice(0, maxFiles))
    await readFile(file, found, {
      isTaken: isTaken(file.mediaType),
      refusal,
      cameAlong,
      download: (wanted) => download(wanted, by),
    });
  const left = all.length - maxFiles;
  if (left > 0) {
    const file = `${left} more ${left === 1 ? 'file' : 'files'}`;
    found.notes.push(cameAlong({ file, problem: `cannot be read: ${maxFiles} are the most` }));
  }
  return { attachments: found.attachments, notes: found.notes };
}

const unreadable = 'cannot be read by this agent';

const maxFiles = 10;
/** Of each, and of all together. */
const maxBytes = 20_000_000;
const maxTextBytes = 100_000;

interface SlackFile {
  readonly name: string;
  readonly mediaType: string;
  readonly size: number | undefined;
  readonly url: string | undefined;
  /** Deleted, hidden by the plan, kept elsewhere, or shown only to those who ask for it by itself. */
  readonly isAway: boolean;
}

interface Found {
  readonly attachments: FilePart[];
  readonly notes: string[];
  room: number;
}

interface Reading {
  readonly isTaken: boolean;
  readonly refusal: string;
  readonly cameAlong: Texts['cameAlong'];
  download(wanted: Wanted): Promise<Downloaded>;
}

/** Names and types are other people's text: on one line, and not long. */
function toSlackFile(file: Readonly<Record<string, unknown>>): SlackFile {
  const { name, title, mimetype, size, mode, file_access } = file;
  const names = [name, title].filter((one) => typeof one === 'string').map((one) => oneLine(one));
  const mediaType = typeof mimetype === 'string' ? (mimetype.split(';')[0] ?? '').trim().toLowerCase() : '';
  const urls = [file.url_private_download, file.url_private];
  return {
    name: head(names.find((one) => one !== '') ?? 'A file without a name', 200),
    mediaType: /^[a-z0-9.+-]+\/[a-z0-9.+-]+$/.test(mediaType) ? mediaType : 'application/octet-stream',
    size: typeof size === 'number' && size >= 0 ? size : undefined,
    url: urls.find((url): url is string => typeof url === 'string' && url !== ''),
    isAway:
      mode === 'tombstone' || mode === 'hidden_by_limit' || mode === 'external' || file_access === 'check_file_info',
  };
}

async function readFile(file: SlackFile, found: Found, { isTaken, ...by }: Reading): Promise<void> {
  const { refusal, cameAlong, download } = by;
  const isText = !isTaken && isTextFile(file);
  const refuse = (problem: string) => found.notes.push(cameAlong({ file: describe(file), problem }));
  if (file.isAway || file.url === undefined) return void refuse('cannot be had from Slack');
  if (!isTaken && !isText) return void refuse(refusal);
  const most = Math.min(found.room, isText ? maxTextBytes : maxBytes);
  if ((file.size ?? 0) > most) return void refuse(tooLarge(isText));
  const bytes = await download({ url: file.url, mediaType: file.mediaType, size: file.size, maxBytes: most });
  if (!(bytes instanceof Uint8Array)) return void refuse(problemInWords(bytes.problem, isText));
  if (bytes.length === 0) return void refuse('is empty');
  if (isText) {
    const text = decodeText(bytes);
    if (text === undefined) return void refuse(unreadable);
    found.notes.push(cameAlong({ file: describe(file), text: toFenced(text) }));
  } else {
    const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');
    found.attachments.push({ type: 'file', mediaType: file.mediaType, data, name: file.name });
  }
  found.room -= bytes.length;
}

function problemInWords(problem: Exclude<Downloaded, Uint8Array>['problem'], isText: boolean): string {
  if (problem === 'scope') return 'cannot be read: the Slack app may not read files (its scope files:read is missing)';
  if (problem === 'elsewhere') return 'cannot be read: it is not kept by Slack';
  return problem === 'too-large' ? tooLarge(isText) : 'could not be fetched from Slack';
}

function tooLarge(isText: boolean): string {
  return isText
    ? 'is too large to be read: 100 kB are the most for text'
    : 'is too large to be read: 20 MB are the most, for all files together';
}

/** `photo.heic (image/heic, 2.1 MB)` */
function describe({ name, mediaType, size }: SlackFile): string {
  return `${name} (${[mediaType, ...(size === undefined ? [] : [sizeInWords(size)])].join(', ')})`;
}

function sizeInWords(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  if (bytes < 999_950) return `${(bytes / 1_000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
