// A result as it comes in, before anybody checks it: one part that nobody knows would cost all the others their place.

import { isObject } from '@ai-agent/core';
import { isBase64, nameUnreadable } from './content.ts';

/** Parts that are none of the protocol become a text that names them. Changes the message in place. */
export function mendContent(message: unknown): void {
  const result = isObject(message) ? message.result : undefined;
  if (!isObject(result) || !('content' in result) || isObject(result.content)) return;
  const { content } = result;
  if (typeof content === 'string') result.content = [toText(content)];
  else if (!Array.isArray(content)) delete result.content;
  else if (!content.every(isSound)) result.content = content.map(mendPart);
}

/** As mail writes it: in lines, or without its end. */
function straighten(part: Record<string, unknown>): void {
  if (isText(part.data)) part.data = toPlainBase64(part.data);
  if (isObject(part.resource) && isText(part.resource.blob)) part.resource.blob = toPlainBase64(part.resource.blob);
}

function toPlainBase64(data: string): string {
  if (isBase64(data)) return data;
  const bare = data.replace(/\s+/g, '').replace(/=+$/, '');
  const plain = bare.padEnd(Math.ceil(bare.length / 4) * 4, '=');
  return bare.length % 4 !== 1 && isBase64(plain) ? plain : data;
}

function mendPart(part: unknown): unknown {
  if (isObject(part)) straighten(part);
  if (isSound(part)) return part;
  if (isObject(part) && part.type === 'resource_link' && isText(part.uri)) return { ...part, name: part.uri };
  return toText(isText(part) ? part : nameUnreadable(isObject(part) ? part.type : part));
}

function isSound(part: unknown): boolean {
  if (!isObject(part)) return false;
  const { type, text, data, mimeType, uri, name, resource } = part;
  if (type === 'text') return isText(text);
  if (type === 'image' || type === 'audio') return isText(mimeType) && isText(data) && isBase64(data);
  if (type === 'resource_link') return isText(uri) && isText(name);
  return type === 'resource' && isObject(resource) && isText(resource.uri) && isBody(resource);
}

function isBody({ text, blob }: Record<string, unknown>): boolean {
  return isText(text) || (isText(blob) && isBase64(blob));
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function toText(text: string) {
  return { type: 'text', text };
}
