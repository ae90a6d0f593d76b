// Where an adapter goes, checked: an address, a key and headers that can be sent.

import { misconfigured, type ProviderSettings, toAddress } from '../config/provider-config.ts';
import { valuesInQuery } from '../config/query-values.ts';
import type { Transport } from '../http/transport.ts';
import type { Endpoint } from './adapter.ts';
import { refusingPages } from './refusing-pages.ts';

/** Throws when any of them is none. */
export function toEndpoint(
  name: string,
  { baseUrl, apiKey = '', headers = {} }: Pick<ProviderSettings, 'baseUrl' | 'apiKey' | 'headers'>,
  { fetch }: Transport,
): Endpoint {
  const url = toAddress(name, baseUrl);
  url.hash = '';
  const key = apiKey.trim();
  if (!isHeaderValue(key)) throw misconfigured(name, 'its apiKey has characters that no key has');
  const own = Object.entries(headers).map(([header, value]) => {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(header)) throw misconfigured(name, `${JSON.stringify(header)} is not a header`);
    if (!isHeaderValue(value.trim()))
      throw misconfigured(name, `its header ${header} has characters that cannot be sent`);
    return [header.toLowerCase(), value.trim()];
  });
  return {
    name,
    baseUrl: withoutSlash(url),
    apiKey: key,
    headers: Object.fromEntries(own),
    fetch: refusingPages(fetch),
  };
}

function isHeaderValue(text: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(text);
}

/** A query stays where it is: some gateways want one. */
function withoutSlash(url: URL): string {
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url.search === '' ? url.href.replace(/\/+$/, '') : url.href;
}

/** An address below the endpoint's own; its query goes along. */
export function addressOf({ baseUrl }: Endpoint, path: string): string {
  const url = new URL(baseUrl);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}${path}`;
  return url.href;
}

/** What goes with every request: what the kind of provider wants, then what the configuration says. */
export function headersOf({ headers }: Endpoint, own: Readonly<Record<string, string>>): Record<string, string> {
  return { 'user-agent': 'ai-agent', ...own, ...headers };
}

/** How most take a key; nothing where there is none. */
export function bearer({ apiKey }: Endpoint): Record<string, string> {
  return apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` };
}

/** The key, and what in a header or an address may be one: `Bearer x` is one secret as a whole and in its last word. */
export function secretsIn({ apiKey, headers, baseUrl }: Endpoint): readonly string[] {
  const values = Object.values(headers).flatMap((value) => [value, value.split(' ').at(-1) ?? '']);
  return [apiKey, ...values.filter((value) => value.length >= 8), ...valuesInQuery(baseUrl)];
}
