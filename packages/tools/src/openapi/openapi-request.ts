// A call of an operation as the request it means.

import type { Json, JsonObject } from '@ai-agent/core';
import { checkSegments, encodePiece, type HttpRequest, setHeader, wrongArgument } from '../rest/http-request.ts';
import type { CallShape } from './call-shape.ts';
import type { Operation, Parameter, ParameterPlace } from './operations.ts';
import type { Credentials } from './security.ts';
import { toHeaderText, toPathPiece, toQueryPairs } from './serialise.ts';
import { writeBody } from './write-body.ts';

export interface Target {
  readonly operation: Operation;
  readonly shape: CallShape;
  readonly address: URL;
  readonly keys: Credentials;
}

/** Throws `tool-arguments-invalid` when arguments cannot be sent where they belong. */
export function toOpenapiRequest(target: Target, args: JsonObject): HttpRequest {
  const { operation, shape, keys } = target;
  const given = givenIn(shape, args);
  const headers = new Headers();
  for (const [parameter, value] of given('header')) setHeader(headers, parameter.name, toHeaderText(parameter, value));
  // What is configured is said last: an argument cannot take the place of a key.
  for (const [name, value] of Object.entries(keys.headers)) setHeader(headers, name, value);
  const cookies = pairsBeside(keys.cookies, given('cookie'));
  const ownCookies = Object.entries(keys.cookies).map(([name, key]) => `${name}=${key}`);
  const allCookies = [headers.get('cookie'), ...cookies, ...ownCookies].filter((one) => one);
  if (allCookies.length > 0) setHeader(headers, 'cookie', allCookies.join('; '));
  const ownQuery = Object.entries(keys.query).map(([name, key]) => `${encodePiece(name)}=${encodePiece(key)}`);
  const query = [...pairsBeside(keys.query, given('query')), ...ownQuery];
  const url = toUrl(target, fillPath(operation.path, given('path')), query);
  const { method } = operation;
  const value = args.body;
  if (!shape.body || value === undefined) return { method, url, headers };
  const { contentType, body } = writeBody(shape.body, value, shape.files);
  headers.set('content-type', contentType);
  return { method, url, headers, body };
}

type Given = readonly (readonly [Parameter, Json])[];

/** What is null is not there: no style can say it. */
function givenIn({ parameters }: CallShape, args: JsonObject): (place: ParameterPlace) => Given {
  const all = [...parameters].flatMap(([name, parameter]) => {
    const value = Object.hasOwn(args, name) ? args[name] : undefined;
    return value === undefined || value === null ? [] : [[parameter, value] as const];
  });
  return (place) => all.filter(([parameter]) => parameter.in === place);
}

/** An object that is written as pairs could bring one of any name. */
function pairsBeside(keys: Readonly<Record<string, string>>, given: Given): readonly string[] {
  const taken = new Set(Object.keys(keys).map(encodePiece));
  const pairs = given.flatMap(([parameter, value]) => toQueryPairs(parameter, value));
  return pairs.filter((pair) => !taken.has(pair.split('=', 1)[0] ?? ''));
}

function fillPath(path: string, given: Given): string {
  const values = new Map(given.map(([parameter, value]) => [parameter.name, toPathPiece(parameter, value)]));
  const segments = path.split('/');
  const filled = segments.map((segment) =>
    segment.replace(/\{([^{}]+)\}/g, (_, name: string) => {
      const value = values.get(name);
      if (value === undefined) throw wrongArgument(`The path needs the argument "${name}"`);
      return value;
    }),
  );
  checkSegments(filled.join('/'), (index) => /\{[^{}]+\}/.test(segments[index] ?? ''));
  return filled.join('/');
}

function toUrl({ address }: Target, path: string, query: readonly string[]): URL {
  const base = address.pathname.replace(/\/+$/, '');
  const url = URL.parse(`${address.origin}${base}${path}`);
  if (!url || url.origin !== address.origin) throw wrongArgument('The arguments would lead to another host');
  url.search = [address.search.slice(1), url.search.slice(1), ...query].filter((part) => part !== '').join('&');
  return url;
}
