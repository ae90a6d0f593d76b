// What a server wrote, as it may be shown: on one line, bounded, and without the secrets that it was given.

import { isSecretName, oneLine, withoutKeys } from '@ai-agent/core';
import type { ServerConfig } from './server-config.ts';

const mostChars = 1_500;
const struck = '***';

export type Conceal = (text: string) => string;

export function concealerFor(server: ServerConfig): Conceal {
  const secrets = secretsOf(server);
  return (text) => withoutKeys(secrets.reduce((told, secret) => told.replaceAll(secret, struck), text));
}

/** The end of it: there the reason stands. */
export function tailLine(text: string, conceal: Conceal): string {
  const line = oneLine(conceal(text));
  return line.length > mostChars ? `…${line.slice(-mostChars)}` : line;
}

/** The beginning of it. */
export function headLine(text: string, conceal: Conceal): string {
  const line = oneLine(conceal(text));
  return line.length > mostChars ? `${line.slice(0, mostChars)}…` : line;
}

/** The address without what may be a key in it. */
export function shownUrl(url: string): string {
  const parsed = URL.parse(url);
  return parsed ? `${parsed.origin}${parsed.pathname}` : 'its address';
}

function secretsOf({ env, headers, oauth, url }: ServerConfig): readonly string[] {
  const variables = Object.entries(env).flatMap(([name, value]) => (isSecretName(name) ? [value] : []));
  const ofHeaders = Object.values(headers).flatMap((value) => [value, ...value.split(/\s+/)]);
  const ofLogin = Object.entries(oauth || {}).flatMap(([name, value]) =>
    /secret|key/i.test(name) && typeof value === 'string' ? [value] : [],
  );
  const parsed = URL.parse(url);
  const ofUrl = parsed ? [parsed.password, ...parsed.searchParams.values()] : [];
  // Longest first: a part of a secret must not leave the rest behind.
  return [...variables, ...ofHeaders, ...ofLogin, ...ofUrl]
    .filter((secret) => secret.length >= 8)
    .sort((a, b) => b.length - a.length);
}
