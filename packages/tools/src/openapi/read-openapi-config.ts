// The set-up of an OpenAPI document, read: everything has its type and its default.

import { toNames, toText, toTexts } from '../rest/settings.ts';

export interface OpenapiConfig {
  /** A file. */
  readonly spec: string;
  readonly baseUrl: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Keys, by the names of security schemes. */
  readonly auth: Readonly<Record<string, string>>;
  readonly allowedHosts: readonly string[];
  readonly queue: string | undefined;
  readonly cache: unknown;
  /** In upper case; all when there are none. */
  readonly includeMethods: readonly string[];
  /** Patterns; all when there are none. */
  readonly tagFilter: readonly string[];
}

/** Variables are filled in, or not needed. */
export function readOpenapiConfig(config: Readonly<Record<string, unknown>>): OpenapiConfig {
  return {
    spec: toText(config.spec) ?? '',
    baseUrl: toText(config.baseUrl)?.trim(),
    headers: toTexts(config.headers),
    auth: toTexts(config.auth),
    allowedHosts: toNames(config.allowedHosts),
    queue: toText(config.queue),
    cache: config.cache,
    includeMethods: toNames(config.includeMethods).map((method) => method.toUpperCase()),
    tagFilter: toNames(config.tagFilter),
  };
}
