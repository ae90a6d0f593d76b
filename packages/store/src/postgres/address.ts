// The address of a PostgreSQL database: what its client is given, and what people are shown of it.

import { AgentError } from '@ai-agent/core';

export interface Address {
  /** As the client takes it. */
  readonly url: string;
  /** For people: without its password. */
  readonly place: string;
  /** Where our tables are. */
  readonly schema: string;
}

/** Throws `store-failed` where it is none. */
export function readAddress(text: string): Address {
  const url = parse(text);
  const schema = schemaOf(url);
  const place = placeOf(url);
  url.searchParams.delete('schema');
  // The modes of `sslmode` mean what they mean to every other client of PostgreSQL.
  if (url.searchParams.has('sslmode') && !url.searchParams.has('uselibpqcompat') && !isOwnMode(url))
    url.searchParams.set('uselibpqcompat', 'true');
  return { url: withoutHost(url), place, schema };
}

/** Stands where an address has no host because it names a socket: a URL cannot have a user and no host. */
const noHost = 'socket.invalid';

function parse(text: string): URL {
  const url = URL.parse(text.replace(/^(postgres(?:ql)?:\/\/[^/?#]*@)(?=[/?#]|$)/, `$1${noHost}`));
  if (url && !hasPasswordElsewhere(url)) return url;
  // Without the text: the password is in it.
  const message = 'The address of the store is no URL: it is written postgres://user:password@host:5432/database.';
  const remedy = 'Write signs like @, / and # in the password as %40, %2F and %23.';
  throw new AgentError('store-failed', message, { remedy });
}

/** Signs that should have been written otherwise end the place of a password before its end: the rest would be shown. */
function hasPasswordElsewhere({ pathname, hash, searchParams }: URL): boolean {
  return [pathname, hash, ...searchParams.keys()].some((part) => part.includes('@'));
}

function withoutHost(url: URL): string {
  return url.href.replace(`@${noHost}`, '@');
}

/** What `no-verify` says has no name elsewhere. */
function isOwnMode(url: URL): boolean {
  return url.searchParams.get('sslmode') === 'no-verify';
}

/** Named for itself, or as every client of PostgreSQL can: `options=-c search_path=name`. */
function schemaOf({ searchParams }: URL): string {
  const named = searchParams.get('schema');
  if (named) return named;
  const path = /search_path\s*=\s*"?([^",\s]+)/.exec(searchParams.get('options') ?? '')?.[1];
  return path ?? 'ai_agent';
}

const shown = ['host', 'port', 'schema', 'sslmode'];

function placeOf(url: URL): string {
  const place = new URL(url.href);
  place.password = '';
  for (const name of new Set(place.searchParams.keys())) if (!shown.includes(name)) place.searchParams.delete(name);
  return withoutHost(place);
}
