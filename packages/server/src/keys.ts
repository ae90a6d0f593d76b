// The keys of a server: which one was shown, and who that makes its bearer. Keys themselves are not kept, only their hashes.

import { createHash, timingSafeEqual } from 'node:crypto';
import { AgentError, type Clock, toMatcher } from '@ai-agent/core';
import { visitorAddressOf } from './address.ts';
import { Book } from './book.ts';
import { checkKey, type KeySettings } from './key-settings.ts';
import { Shares } from './shares.ts';
import { type Visitor, withShare } from './visitor.ts';

export type { KeySettings };

interface Entry {
  readonly digest: Buffer;
  readonly visitor: Visitor;
  /** Of a publishable key: what one of many visitors may have of its rate. */
  readonly shares: Shares | undefined;
}

/** One for all headends of a server: rates and allowances are counted here. */
export class Keys {
  readonly #entries: readonly Entry[];

  /** By the names of the keys. Throws `config-invalid` for what would let in nobody, or too many. */
  constructor(settings: Readonly<Record<string, KeySettings>>, clock: Clock) {
    const named = Object.entries(settings);
    if (named.length === 0)
      throw new AgentError('config-invalid', 'There are no keys: name at least one, or leave keys out.');
    const now = () => clock.now();
    this.#entries = named.map(([name, one]) => {
      checkKey(name, one);
      const { hash, origins, requestsPerMinute = 1 } = one;
      const shares = origins && new Shares(requestsPerMinute, now);
      return { digest: Buffer.from(hash.slice('sha256:'.length), 'hex'), visitor: toVisitor(name, one, now), shares };
    });
    const hashes = new Set(this.#entries.map(({ digest }) => digest.toString('hex')));
    if (hashes.size < named.length) throw new AgentError('config-invalid', 'Two keys have the same hash.');
  }

  /** Whether pages of this origin have a key that may stand there. */
  isForPagesOf(origin: string): boolean {
    return this.#entries.some(({ visitor }) => visitor.origins?.has(origin.toLowerCase()));
  }

  get arePublishable(): boolean {
    return this.#entries.some(({ visitor }) => visitor.origins !== undefined);
  }

  /** The bearer of the key of this name, for a headend that stands for it; of a publishable key there is none. */
  named(name: string): Visitor | undefined {
    return this.#entries.find(({ visitor }) => visitor.key === name && !visitor.origins)?.visitor;
  }

  /** Throws `key-refused`: it tells whether a key was sent, and nothing of those that there are. */
  visitorOf(request: Request): Visitor {
    const [key, other] = keysIn(request.headers);
    if (key === undefined) throw new AgentError('key-refused', 'This server wants a key, and none was sent.');
    if (other !== undefined)
      throw new AgentError('key-refused', 'Two different keys were sent; this server wants one alone.');
    const found = this.#find(key);
    const address = found?.shares && visitorAddressOf(request);
    if (found?.shares && address !== undefined) return withShare(found.visitor, found.shares, address);
    if (found) return found.visitor;
    throw new AgentError('key-refused', 'The key that was sent is none of this server.');
  }

  /** Every entry is compared, whichever fits: how long it takes tells nothing. */
  #find(key: string): Entry | undefined {
    // Each letter of a header is a byte of what was sent.
    const digest = createHash('sha256').update(key, 'latin1').digest();
    let found: Entry | undefined;
    for (const entry of this.#entries) if (timingSafeEqual(entry.digest, digest)) found = entry;
    return found;
  }
}

/** The hash of a key, as it stands in a configuration. */
export function hashOf(key: string): string {
  return `sha256:${createHash('sha256').update(key).digest('hex')}`;
}

/** Each once; other ways to say who one is are not ours. */
function keysIn(headers: Headers): readonly string[] {
  const [, bearer] = /^bearer +(\S.*)$/i.exec(headers.get('authorization')?.trim() ?? '') ?? [];
  const apiKey = headers.get('x-api-key')?.trim();
  return [...new Set([bearer, apiKey].filter((key) => key !== undefined && key !== ''))] as string[];
}

function toVisitor(name: string, settings: KeySettings, now: () => number): Visitor {
  const { agents, budget, concurrency, origins } = settings;
  const book = new Book(settings, now);
  return {
    key: name,
    may: agents ? toMatcher(agents) : () => true,
    budget,
    concurrency,
    admit: () => book.admit(),
    spend: (spender) => book.open(spender),
    ...(origins ? { isOfPage: true, origins: new Set(origins.map((origin) => origin.toLowerCase())) } : {}),
  };
}
