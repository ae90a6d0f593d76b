// Keys of a configuration, put where an operation asks for them.

import { isObject } from '@ai-agent/core';
import { follow, type Node, wrong } from './document.ts';

/** What a key adds to a request. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly cookies: Readonly<Record<string, string>>;
}

export type Schemes = ReadonlyMap<string, Node>;

export function schemesOf(document: Node): Schemes {
  const { securitySchemes } = isObject(document.components) ? document.components : ({} as Node);
  const found = Object.entries(isObject(securitySchemes) ? securitySchemes : {});
  return new Map(
    found.flatMap(([name, given]) => {
      const scheme = follow(document, given);
      return scheme ? [[name, scheme] as const] : [];
    }),
  );
}

/** Throws `config-invalid` for a key that the document has no use for. */
export function checkAuth(auth: Readonly<Record<string, string>>, schemes: Schemes, owner: string): void {
  const unknown = Object.keys(auth).find((name) => !schemes.has(name));
  if (unknown === undefined) return;
  const names = [...schemes.keys()].join(', ');
  throw wrong(`${owner}.auth.${unknown}`, `is not a security scheme of the document, which has ${names || 'none'}`, {
    remedy: 'Name one of the schemes, or send the key in headers.',
  });
}

/** By the first alternative that the configuration has every key of; nothing is sent where nothing is asked for. */
export function credentialsFor(
  security: readonly Node[],
  auth: Readonly<Record<string, string>>,
  schemes: Schemes,
): Credentials {
  const alternative = security.find((one) => {
    const names = Object.keys(one);
    return names.length > 0 && names.every((name) => Object.hasOwn(auth, name));
  });
  const credentials: Growing = { headers: {}, query: {}, cookies: {} };
  for (const name of Object.keys(alternative ?? {})) put(schemes.get(name), auth[name] ?? '', credentials);
  return credentials;
}

type Growing = Record<keyof Credentials, Record<string, string>>;

function put(scheme: Node | undefined, key: string, { headers, query, cookies }: Growing): void {
  const { type, in: place, scheme: kind, name } = scheme ?? {};
  if (type === 'apiKey' && typeof name === 'string') {
    if (place === 'header') headers[name] = key;
    if (place === 'query') query[name] = key;
    if (place === 'cookie') cookies[name] = key;
  } else if (type === 'http' && String(kind).toLowerCase() === 'basic')
    headers.Authorization = `Basic ${Buffer.from(key).toString('base64')}`;
  else if (type === 'http' || type === 'oauth2' || type === 'openIdConnect')
    headers.Authorization = /^bearer /i.test(key) ? key : `Bearer ${key}`;
}
