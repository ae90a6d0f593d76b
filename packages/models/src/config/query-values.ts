// What stands in the query of an address, in every form in which a server may say it again: a key may be in it.

import { isSecretName } from '@ai-agent/core';

export function valuesInQuery(baseUrl: string): readonly string[] {
  return piecesOf(baseUrl).flatMap(formsOf);
}

/** Only of those that are named like a key: nobody hides `api-version`. */
export function keysInQuery(baseUrl: string): readonly string[] {
  const keys = piecesOf(baseUrl).filter((piece) => isSecretName((piece.split('=')[0] ?? '').replaceAll('-', '_')));
  return keys.flatMap(formsOf);
}

function piecesOf(baseUrl: string): readonly string[] {
  return URL.parse(baseUrl)?.search.slice(1).split('&') ?? [];
}

/** The value as it was sent, as servers read it, and as they may write it again. */
function formsOf(piece: string): readonly string[] {
  const sent = piece.slice(piece.indexOf('=') + 1);
  // A plus is a space in a form, and a plus everywhere else.
  const read = [sent, sent.replaceAll('+', '%2B')].map(readForm);
  const forms = [sent, ...read, ...read.flatMap((value) => [encodeURIComponent(value), writeForm(value)])];
  return [...new Set(forms)].filter((form) => form.length >= 8);
}

function readForm(text: string): string {
  return new URLSearchParams(`_=${text}`).get('_') ?? '';
}

function writeForm(value: string): string {
  return new URLSearchParams({ _: value }).toString().slice(2);
}
