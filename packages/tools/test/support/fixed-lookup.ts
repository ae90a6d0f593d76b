// Host names that lead where a test says, and how often somebody asked.

import type { Lookup } from '../../src/outbound/connector.ts';

export interface FixedLookup {
  readonly lookup: Lookup;
  readonly asked: readonly string[];
}

/** Each answer is given once, in order; the last one stays. */
export function fixedLookup(hosts: Readonly<Record<string, readonly (readonly string[])[]>>): FixedLookup {
  const asked: string[] = [];
  return {
    asked,
    lookup(hostname, _, answer) {
      const answers = hosts[hostname] ?? [];
      const count = asked.filter((host) => host === hostname).length;
      asked.push(hostname);
      const addresses = answers[Math.min(count, answers.length - 1)];
      const error = Object.assign(new Error(`ENOTFOUND ${hostname}`), { code: 'ENOTFOUND' });
      if (!addresses) return answer(error, []);
      answer(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
    },
  };
}
