// Files that come with a prompt in a JSON body: each whole, as base64.

import { AgentError, type FilePart, inOneLine, isBase64, isObject } from '@ai-agent/core';
import { unknownField } from '../../unknown-field.ts';

const known = ['mediaType', 'data', 'name'] as const;

/** Undefined where nothing is said of files. Throws `request-invalid`. */
export function readAttachments(given: unknown): readonly FilePart[] | undefined {
  if (given === undefined) return undefined;
  if (!Array.isArray(given)) throw wrong('attachments must be a list of files, each with mediaType and data.');
  return given.map((file, i) => readAttachment(file, `attachments[${i}]`));
}

function readAttachment(file: unknown, at: string): FilePart {
  if (!isObject(file)) throw wrong(`${at} must be an object with mediaType and data.`);
  const unknown = Object.keys(file).find((key) => !(known as readonly string[]).includes(key));
  if (unknown !== undefined)
    throw unknownField(
      `${at}.${unknown}`,
      known.map((key) => `${at}.${key}`),
    );
  const { mediaType, data, name } = file;
  if (typeof mediaType !== 'string' || !/^[\w.+-]+\/[\w.+-]+$/.test(mediaType))
    throw wrong(`${at}.mediaType must be a media type such as image/png.`);
  const body = typeof data === 'string' ? inOneLine(data) : '';
  if (!isBase64(body)) throw wrong(`${at}.data must be the file as base64, and nothing before it.`);
  if (name !== undefined && (typeof name !== 'string' || name === '' || name.length > longestName))
    throw wrong(`${at}.name must be a text of at most ${longestName} characters.`);
  return { type: 'file', mediaType: mediaType.toLowerCase(), data: body, ...(name === undefined ? {} : { name }) };
}

const longestName = 255;

function wrong(message: string): AgentError {
  return new AgentError('request-invalid', message);
}
