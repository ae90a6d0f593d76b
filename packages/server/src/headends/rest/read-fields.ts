// The fields of a request, from its address or a form: each known, each once. A name that nobody knows is a wish that nobody hears.

import { AgentError } from '@ai-agent/core';
import { unknownField } from '../../unknown-field.ts';

export type Fields<K extends string> = Partial<Record<K, string>>;

/** What stands behind the question mark. Throws `request-invalid`. */
export function readQuery<K extends string>(url: string, known: readonly K[]): Fields<K> {
  const start = url.indexOf('?');
  if (start < 0) return {};
  const end = url.indexOf('#', start);
  return readFields(url.slice(start + 1, end < 0 ? undefined : end), known);
}

/** `name=value&name=value`, each URL-encoded. Throws `request-invalid`. */
export function readFields<K extends string>(text: string, known: readonly K[]): Fields<K> {
  const fields: Fields<K> = {};
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const [name, value] = readPair(pair);
    if (!isOneOf(known, name)) throw unknownField(name, known);
    if (fields[name] !== undefined) throw new AgentError('request-invalid', `${name} is there more than once.`);
    fields[name] = value;
  }
  return fields;
}

/** Whether an address says something of this name. */
export function hasQuery(url: string, name: string): boolean {
  const [, query = ''] = url.split(/[?#]/, 2);
  return url.includes('?') && hasField(query, [name]);
}

/** Whether a form has a field of one of these names. */
export function hasField(text: string, names: readonly string[]): boolean {
  return text.split('&').some((pair) => pair.includes('=') && names.includes(pair.slice(0, pair.indexOf('='))));
}

function readPair(pair: string): readonly [name: string, value: string] {
  const at = pair.indexOf('=');
  const name = decode(at < 0 ? pair : pair.slice(0, at), 'The name of a field');
  return [name, at < 0 ? '' : decode(pair.slice(at + 1), name)];
}

function decode(text: string, what: string): string {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (error) {
    throw new AgentError('request-invalid', `${what} is not URL-encoded UTF-8.`, { cause: error });
  }
}

function isOneOf<K extends string>(known: readonly K[], name: string): name is K {
  return (known as readonly string[]).includes(name);
}
