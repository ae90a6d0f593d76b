// What one kind of provider wants said otherwise, or besides, in the body of a request.

import { isObject } from '@ai-agent/core';
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { withOptions } from '../../to-call.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** Fields that replace those of the body; one that is undefined is not sent. */
export type Dialect = (options: LanguageModelV4CallOptions) => Fields | undefined;

/** What the configuration adds has the last word, after what was asked with `withFields`. */
export function toDialect(base: Dialect, added: Fields): Dialect {
  const isAdding = Object.keys(added).length > 0;
  return (options) => {
    const own = base(options);
    const asked = options.providerOptions?.[wire];
    if (!asked && !isAdding) return own;
    return merged({ ...own, ...asked }, added);
  };
}

/** Not a name that a provider package looks under. */
const wire = 'wire';

/** Fields that one request has in its body beside those that the package writes. */
export function withFields(options: LanguageModelV4CallOptions, fields: Fields): LanguageModelV4CallOptions {
  return { ...options, providerOptions: withOptions(options.providerOptions, wire, fields) };
}

export function fieldsIn({ providerOptions }: LanguageModelV4CallOptions): Fields {
  return providerOptions?.[wire] ?? {};
}

/** Objects on both sides are one object; otherwise what is added replaces. */
export function merged(fields: Fields, added: Fields): Fields {
  const both = Object.entries(added).map(([key, value]) => {
    const before = fields[key];
    return [key, isObject(before) && isObject(value) ? { ...before, ...value } : value];
  });
  return { ...fields, ...Object.fromEntries(both) };
}

/** The fields a configuration adds: as they stand, or under one of these names as a provider package would have them. */
export function addedFields(custom: Fields | undefined, names: readonly string[]): Fields {
  const given = custom?.providerOptions;
  if (!isObject(given)) return {};
  const flat = Object.entries(given).flatMap(([key, value]) =>
    names.includes(key) && isObject(value) ? Object.entries(value) : [[key, value] as const],
  );
  // Whoever reads the answer has to know whether it is a stream.
  return Object.fromEntries(flat.filter(([key]) => key !== 'stream'));
}
