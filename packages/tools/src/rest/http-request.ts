// A request that is about to be sent, and what may stand in it.

import { AgentError, type Json } from '@ai-agent/core';

export interface HttpRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

/** Percent-encoded, so that it stays one piece of the address wherever it stands. */
export function encodePiece(text: string): string {
  const encoded = encodeURIComponent(text.toWellFormed());
  return encoded.replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Adds a header whose value came from arguments. Throws when it would be more than one header, or none at all. */
export function setHeader(headers: Headers, name: string, given: string): void {
  const value = given.trim();
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
    throw wrongArgument(`The header ${name} would have a line break, a control sign or a letter outside Latin-1 in it`);
  headers.set(name, value);
}

/** A segment of a path must stay one: `.` and `..` walk away from the address, and nothing makes it another one. */
export function checkSegments(path: string, isFromArguments: (index: number) => boolean): void {
  path.split('/').forEach((segment, index) => {
    if (!isFromArguments(index)) return;
    if (segment === '') throw wrongArgument('A part of the path would be empty');
    if (walksAway(segment)) throw wrongArgument(`A part of the path would be "${segment}"`);
  });
}

/** Also after somebody on the way has decoded it, and taken a slash in it for one of the path. */
function walksAway(segment: string): boolean {
  const decoded = segment.replace(/%(?:2e|2f|5c)/gi, decodeURIComponent);
  return decoded.split(/[/\\]/).some((part) => part === '.' || part === '..');
}

/** Says that arguments cannot be sent. */
export function wrongArgument(what: string): AgentError {
  return new AgentError('tool-arguments-invalid', `${what}: nothing was sent.`, {
    remedy: 'Call again with other arguments.',
  });
}

/** Many values of an address are one text: lists with commas, objects as JSON. */
export function addressForm(value: Json): string {
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) return value.map(String).join(',');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
