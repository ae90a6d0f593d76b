// Pages in place of answers, and addresses where nobody answers: what is said of them, and what to do about it.

import { formsOf, strikeOut } from './secrets.ts';

/** The commonest cause by far. */
export const checkAddress =
  'Check baseUrl of the provider: it is where the API begins, with its version if it has one, as in https://host/v1.';

export function isPage(text: unknown): boolean {
  return typeof text === 'string' && /^\s*<(!doctype|html|head|body|[a-z]+[\s>])/i.test(text.slice(0, 1000));
}

/** What was asked, without what may be a key: the query, and a name with a password. */
export function addressIn(asked: string): string {
  const url = URL.parse(asked);
  return url ? `${url.origin}${url.pathname}` : '';
}

/** What servers of any kind say of a path that they do not have, rather than of a model. */
export function isBareNotFound(message: string): boolean {
  return /^((404|405|error)[\s:-]*)*((page|resource|route|path|url|endpoint|method)\s+)?not (found|allowed)[.!]?$|^invalid url\b/i.test(
    message.trim(),
  );
}

/** The start of a body; of a page, its words. Struck out before it is cut: half a key is no longer found. */
export function excerptOf(body: unknown, secrets: readonly string[]): string {
  const text = strikeOut(typeof body === 'string' ? body : '', formsOf(secrets)).slice(0, 4000);
  const words = /^\s*</.test(text) ? text.replace(/<(script|style)[\s\S]*?<\/\1>|<[^>]*>/gi, ' ') : text;
  return words
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, 300);
}
