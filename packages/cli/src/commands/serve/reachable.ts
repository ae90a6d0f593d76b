// Where a server that listens on every address can be asked: an address of all is one that nobody can use.

import { networkInterfaces } from 'node:os';
import { isWildcard, namesOfMachine } from '@ai-agent/server';

/** The same, from this machine. */
export function toUsable(url: string): string {
  const [, host = ''] = /^http:\/\/(.*):\d+$/.exec(url) ?? [];
  if (!isWildcard(host)) return url;
  return url.replace(host, host.includes(':') ? '[::1]' : '127.0.0.1');
}

/** From others: the name of the machine, and its addresses with their interfaces. */
export function addressesOf(host: string, port: number): readonly string[] {
  const isSix = host.includes(':');
  const [name] = namesOfMachine();
  const all = Object.entries(networkInterfaces()).flatMap(([label, found = []]) =>
    found
      .filter(({ internal, family, address }) => !internal && (family === 'IPv4' || (isSix && !isOfLink(address))))
      .map(({ address, family }) => `http://${family === 'IPv6' ? `[${address}]` : address}:${port} (${label})`),
  );
  return [...(name === undefined ? [] : [`http://${name}:${port}`]), ...all.slice(0, 4)];
}

/** Good only together with an interface. */
function isOfLink(address: string): boolean {
  return /^fe80:/i.test(address);
}
