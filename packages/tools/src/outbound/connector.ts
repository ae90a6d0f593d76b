// How a connection comes about: the address that was looked at is the address that is connected to.

import type { LookupAddress, LookupAllOptions, LookupOptions } from 'node:dns';
import { isIP } from 'node:net';
import { buildConnector } from 'undici';
import { kindOfAddress } from './address.ts';
import { type IsNamed, portOf } from './named-hosts.ts';
import { toRefusal } from './refusal.ts';

/** As `dns.lookup`, for all addresses. */
export type Lookup = (hostname: string, options: LookupAllOptions, answer: AllAnswer) => void;

export interface ConnectorOptions {
  readonly isNamed: IsNamed;
  readonly lookup: Lookup;
  readonly timeoutMs: number;
}

type AllAnswer = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void;
type AnyAnswer = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

/** Named hosts are connected to wherever they are, others only on addresses of the whole internet. */
export function guardedConnector({ isNamed, lookup, timeoutMs: timeout }: ConnectorOptions): buildConnector.connector {
  const connectAnywhere = buildConnector({ timeout, lookup: asSocketLookup(lookup) });
  const connectOutside = buildConnector({ timeout, lookup: asSocketLookup(publicOnly(lookup)) });
  return (options, callback) => {
    const { hostname } = options;
    if (isNamed(hostname, portOf(options))) return connectAnywhere(options, callback);
    const refuse = (reason: string) => refuseTo(options, `${reason}${otherPorts(hostname, isNamed)}`);
    const kind = isIP(hostname) ? kindOfAddress(hostname) : undefined;
    if (kind === undefined) return connectOutside(options, refusing(refuse, callback));
    // Later, as every other answer: the client is in the middle of asking.
    queueMicrotask(() => callback(refuse(`it is ${kind}`), null));
  };
}

/** A lookup that knows no host of which any address is not of the whole internet. */
export function publicOnly(lookup: Lookup): Lookup {
  return (hostname, options, answer) =>
    lookup(hostname, options, (error, addresses) => {
      if (error) return answer(error, []);
      for (const { address } of addresses) {
        const kind = kindOfAddress(address);
        if (kind) return answer(new PrivateAddress(`${hostname} is at ${address}, ${kind}`), []);
      }
      answer(null, addresses);
    });
}

/** What the lookup found: it does not know of which address, and with which port, somebody asked. */
class PrivateAddress extends Error {}

function refusing(refuse: (reason: string) => Error, callback: buildConnector.Callback): buildConnector.Callback {
  return (...[error, socket]: Parameters<buildConnector.Callback>) => {
    if (error instanceof PrivateAddress) callback(refuse(error.message), null);
    else if (error) callback(error, null);
    else callback(null, socket as NonNullable<typeof socket>);
  };
}

/** A host that is named, but not so: only its port is another one. */
function otherPorts(hostname: string, { portsOf }: IsNamed): string {
  const ports = [...new Set(portsOf(hostname))];
  if (ports.length === 0) return '';
  return `; ${hostname} is named for ${ports.length === 1 ? 'port' : 'ports'} ${ports.join(' and ')} only`;
}

function refuseTo(options: buildConnector.Options, reason: string): Error {
  const { protocol, hostname, port } = options;
  const host = isIP(hostname) === 6 ? `[${hostname}]` : hostname;
  const origin = `${protocol}//${host}${port ? `:${port}` : ''}/`;
  return toRefusal(origin, reason, { host: port ? `${host}:${port}` : host });
}

/** Sockets ask for one address or for all of them. */
function asSocketLookup(lookup: Lookup) {
  return (hostname: string, options: LookupOptions, answer: AnyAnswer): void =>
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      // Nothing at all comes with an error.
      const first = error ? undefined : addresses[0];
      if (!first) answer(error ?? notFound(hostname), []);
      else if (options.all) answer(null, addresses);
      else answer(null, first.address, first.family);
    });
}

function notFound(hostname: string): Error {
  return Object.assign(new Error(`${hostname} has no address`), { code: 'ENOTFOUND' });
}
