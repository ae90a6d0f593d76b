// The files of `--attach`, as parts of the prompt.

import { readFileSync, statSync } from 'node:fs';
import { basename, extname, resolve } from 'node:path';
import { type FilePart, messageOf } from '@ai-agent/core';

/** By the end of its name, which is what people go by. */
const mediaTypes: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.pdf': 'application/pdf',
  '.mp3': 'audio/mpeg',
  '.wav': 'audio/wav',
};

/** No provider takes more in one request. */
const mostBytes = 32 * 1024 * 1024;

export type Attached = { readonly attachments: readonly FilePart[] } | { readonly problem: string };

export function readAttachments(paths: readonly string[], cwd: string): Attached {
  const attachments: FilePart[] = [];
  let bytes = 0;
  for (const path of paths) {
    const read = readAttachment(path, cwd);
    if ('problem' in read) return { problem: `--attach ${path}: ${read.problem}` };
    bytes += read.data.length * 0.75;
    if (bytes > mostBytes) return { problem: `--attach ${path}: together they have more than 32 MB.` };
    attachments.push(read);
  }
  return { attachments };
}

function readAttachment(path: string, cwd: string): FilePart | { readonly problem: string } {
  const mediaType = mediaTypes[extname(path).toLowerCase()];
  if (mediaType === undefined) {
    const known = Object.keys(mediaTypes).join(', ');
    return { problem: `what it is cannot be told from its name; known are ${known}. Text goes in with @${path}.` };
  }
  try {
    const { size } = statSync(resolve(cwd, path));
    if (size === 0) return { problem: 'it is empty.' };
    if (size > mostBytes) return { problem: `it has ${Math.ceil(size / 1024 / 1024)} MB, and 32 is the most.` };
    const data = readFileSync(resolve(cwd, path), 'base64');
    return { type: 'file', mediaType, data, name: basename(path) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return { problem: code === 'ENOENT' ? 'there is no such file.' : `it cannot be read: ${messageOf(error)}.` };
  }
}
