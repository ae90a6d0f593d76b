// The address of a REST tool: a template, and arguments that cannot lead it anywhere else.

import type { EnvOverlay, JsonObject } from '@ai-agent/core';
import { fill } from '../fill.ts';
import { addressForm, checkSegments, encodePiece, wrongArgument } from './http-request.ts';
import { argumentOf, fillText, isAbsent, namesIn, textForm } from './placeholders.ts';

/** Arguments stay inside their path segment or query value; only one that stands for the host itself decides about it. */
export function fillUrl(template: string, args: JsonObject): URL {
  const { origin, path, query } = partsOf(template);
  for (const name of [...namesIn(origin), ...namesIn(path)])
    if (argumentOf(name, args) === undefined) throw wrongArgument(`The address needs the argument "${name}"`);
  const filledOrigin = fillOrigin(origin, args);
  const filledPath = fillPath(path, args);
  const url = parseUrl(`${filledOrigin}${filledPath}`);
  const given = [url.search.slice(1), fillPairs(query, args, encodePiece)];
  url.search = given.filter((part) => part !== '').join('&');
  if (namesIn(origin).length === 0 && url.origin !== new URL(origin).origin)
    throw wrongArgument('The arguments would lead to another host');
  return url;
}

/** A variable that stands in a value of the query is encoded; elsewhere it may be more than one piece, and is as it is. */
export function fillVariables(template: string, env: EnvOverlay): string {
  const [, address = '', query = ''] = /^([^?]*)(.*)$/s.exec(template) ?? [];
  const pieces = query.match(/=[^&#]*|[^=]+/g) ?? [];
  return [
    fill(address, env),
    ...pieces.map((piece) => (piece.startsWith('=') ? fill(piece, env, encodePiece) : fill(piece, env))),
  ].join('');
}

/** The host that a template names itself: nothing when arguments decide about it. */
export function namedHost(template: string): string | undefined {
  const { origin } = partsOf(template);
  return namesIn(origin).length === 0 && URL.canParse(origin) ? origin : undefined;
}

interface UrlParts {
  /** `https://host:port`, or the placeholder that stands where it should. */
  readonly origin: string;
  readonly path: string;
  readonly query: string;
}

function partsOf(template: string): UrlParts {
  const [beforeHash = ''] = template.trim().split('#');
  const at = beforeHash.indexOf('?');
  const address = at < 0 ? beforeHash : beforeHash.slice(0, at);
  const origin = /^(?:https?:\/\/[^/\\]*|\$\{parameters\.[^{}\s]+\})/i.exec(address)?.[0] ?? '';
  return { origin, path: address.slice(origin.length), query: at < 0 ? '' : beforeHash.slice(at + 1) };
}

function fillOrigin(origin: string, args: JsonObject): string {
  if (origin.startsWith('$')) return fillText(origin, args, textForm).replace(/#.*$/s, '').replace(/\/$/, '');
  return fillText(origin, args, (value) => {
    const text = textForm(value);
    if (!/^[\p{L}\p{N}.:[\]-]+$/u.test(text))
      throw wrongArgument('An argument is to be part of a host name and is none');
    return text;
  });
}

function fillPath(path: string, args: JsonObject): string {
  const segments = path.split('/');
  const filled = segments.map((segment) => fillText(segment, args, (value) => encodePiece(addressForm(value))));
  const whole = filled.join('/');
  checkSegments(whole, (index) => namesIn(segments[index]).length > 0);
  return whole;
}

/** `a=1&b=${parameters.b}`; a pair whose arguments are not there is left out. */
export function fillPairs(pairs: string, args: JsonObject, encode: (text: string) => string): string {
  const kept = pairs.split('&').filter((pair) => pair !== '' && !isAbsent(pair, args));
  return kept.map((pair) => fillText(pair, args, (value) => encode(addressForm(value)))).join('&');
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') return url;
  throw wrongArgument('The arguments do not make an http(s) address without a user name in it');
}
