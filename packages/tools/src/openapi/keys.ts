// What a configuration sends with an operation: headers and keys, and to whom. What they fill, no argument does.

import { portOf, readNamed } from '../outbound/named-hosts.ts';
import type { Api } from './api.ts';
import type { Operation, Parameter } from './operations.ts';
import type { OpenapiConfig } from './read-openapi-config.ts';
import { type Credentials, credentialsFor } from './security.ts';
import { addressIn } from './servers.ts';

export interface Keys extends Credentials {
  /** Whether it fills the place of a parameter. */
  readonly fills: (parameter: Pick<Parameter, 'in' | 'name'>) => boolean;
}

type KeysFor = (operation: Operation, address: URL) => Keys;

const nothing: Credentials = { headers: {}, query: {}, cookies: {} };

/** Where the document itself says that it is answered, or the configuration does; any other server of an operation gets none. */
export function keyring(
  config: Pick<OpenapiConfig, 'baseUrl' | 'headers' | 'auth' | 'allowedHosts'>,
  api: Api,
): KeysFor {
  const home = config.baseUrl === undefined ? addressIn(api.servers) : new URL(config.baseUrl);
  const isNamed = readNamed(config.allowedHosts);
  return (operation, address) => {
    const mayHaveThem = address.origin === home?.origin || isNamed(address.hostname, portOf(address));
    if (!mayHaveThem) return { ...nothing, fills: () => false };
    const { headers, query, cookies } = credentialsFor(operation.security, config.auth, api.schemes);
    const all = { headers: { ...config.headers, ...headers }, query, cookies };
    return { ...all, fills: (parameter) => isFilled(parameter, all) };
  };
}

function isFilled({ in: place, name }: Pick<Parameter, 'in' | 'name'>, keys: Credentials): boolean {
  if (place === 'query') return Object.hasOwn(keys.query, name);
  if (place === 'cookie') return Object.hasOwn(keys.cookies, name);
  if (place !== 'header') return false;
  const wished = name.toLowerCase();
  // It would bring cookies of any name.
  if (wished === 'cookie' && Object.keys(keys.cookies).length > 0) return true;
  return Object.keys(keys.headers).some((one) => one.toLowerCase() === wished);
}
