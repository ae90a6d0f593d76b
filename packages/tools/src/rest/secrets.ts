// What of a set-up nobody may see: variables and headers that are named like secrets.

import { type EnvOverlay, isObject, isSecretName, withoutKeys } from '@ai-agent/core';
import { encodePiece } from './http-request.ts';
import { namesIn } from './placeholders.ts';

/** Shorter texts are in too many words to be struck out. */
const minLength = 6;

/** Every secret text of a set-up: `filled` is `config` with the variables of a session in it. */
export function secretsOf(
  config: unknown,
  filled: Readonly<Record<string, unknown>>,
  env: EnvOverlay,
): readonly string[] {
  const variables = secretVariablesIn(config).map((name) => env[name] ?? '');
  const headers = Object.entries(isObject(filled.headers) ? filled.headers : {})
    .filter(([name]) => isSecretHeader(name))
    .flatMap(([, value]) => piecesOf(String(value)));
  const auth = Object.values(isObject(filled.auth) ? filled.auth : {}).flatMap((value) => piecesOf(String(value)));
  return [...new Set([...variables, ...headers, ...auth])].filter((text) => text.length >= minLength);
}

type RestTemplates = Readonly<Partial<Record<'url' | 'headers' | 'bodyTemplate', unknown>>>;

/** Whether a request takes a key along, by its name: a variable, a header, a value of the query, a field of the body. */
export function takesKeyAlong({ url, headers, bodyTemplate }: RestTemplates): boolean {
  const query = String(url).split('?').slice(1).join('?').split('&');
  const pairs = query.map((pair) => [pair.split('=', 1)[0] ?? '', pair] as const);
  return (
    secretVariablesIn([url, headers, bodyTemplate]).length > 0 ||
    (isObject(headers) && Object.keys(headers).some(isSecretHeader)) ||
    [...pairs, ...fieldsIn(bodyTemplate)].some(([name, value]) => isKeyed(name) && namesIn(value).length === 0)
  );
}

function secretVariablesIn(value: unknown): readonly string[] {
  const found = JSON.stringify(value).matchAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g);
  return [...found].map(([, name = '']) => name).filter(isSecretName);
}

function fieldsIn(value: unknown): readonly (readonly [string, unknown])[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => [[name, part] as const, ...fieldsIn(part)]);
}

/** A text for people and models: without these secrets, in any form that we send them, and without what looks like a key. */
export function struck(text: string, secrets: readonly string[]): string {
  let rest = text;
  for (const secret of secrets)
    for (const form of [...formsOf(secret), encodeURIComponent(secret.toWellFormed())])
      rest = rest.replaceAll(form, '***');
  return withoutKeys(rest);
}

/** As it is, and as we write it into addresses and forms. */
export function formsOf(secret: string): readonly string[] {
  return [secret, encodePiece(secret)];
}

function isSecretHeader(name: string): boolean {
  return /auth|cookie/i.test(name) || isKeyed(name);
}

function isKeyed(name: string): boolean {
  return isSecretName(name.replaceAll('-', '_'));
}

/** `Bearer abc` is known by `abc` too, `sid=abc; x=y` by its values, `user:password` by its parts and as basic credentials. */
function piecesOf(value: string): readonly string[] {
  const fixed = value.replace(/\$\{parameters\.[^{}]*\}/g, ' ');
  const values = valuesIn(fixed);
  if (fixed !== value) return values;
  const word = value.replace(/^[A-Za-z]+ /, '');
  const passwords = [value, word].map((text) => /^[^:]+:(.+)$/s.exec(text)?.[1] ?? '');
  const packed = [value, word].filter((text) => text.includes(':')).map((text) => Buffer.from(text).toString('base64'));
  return [value, word, ...values, ...passwords, ...packed];
}

/** Without the word that says how it is sent, and without the names of values. */
function valuesIn(text: string): readonly string[] {
  return text
    .replace(/^\s*[\w-]+\s+/, '')
    .replace(/[\w.-]+="?(?=[^\s;,="])/g, ' ')
    .split(/[\s;,="]+/);
}
