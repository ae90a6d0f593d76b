// Usage of interrupted sessions, for lists and brief documents. Their heads do not have it, and folding many facts takes long.

import { setImmediate } from 'node:timers/promises';
import { roundIdOf, type SessionHead, type SessionStore, type Totals, withUsage } from '@ai-agent/core';

/** 5,000 entries take less than 1 MB. */
const maxSums = 5_000;

export class InterruptedUsage {
  readonly #store: Pick<SessionStore, 'facts'>;
  /** Keys are round and number of facts; the oldest entry comes first. */
  readonly #sums = new Map<string, Totals>();

  constructor(store: Pick<SessionStore, 'facts'>) {
    this.#store = store;
  }

  /** Folds one session at a time, so that the event loop handles other work in between. */
  async addTo(heads: readonly SessionHead[]): Promise<readonly SessionHead[]> {
    const full: SessionHead[] = [];
    for (const head of heads) full.push(head.status === 'interrupted' ? await this.#add(head) : head);
    return full;
  }

  async #add(head: SessionHead): Promise<SessionHead> {
    const key = `${roundIdOf(head)} ${head.facts}`;
    const known = this.#sums.get(key);
    if (known) return { ...head, usage: known };
    await setImmediate();
    const full = await withUsage(this.#store, head);
    if (full.usage) this.#sums.set(key, full.usage);
    const [oldest = key] = this.#sums.keys();
    if (this.#sums.size > maxSums) this.#sums.delete(oldest);
    return full;
  }
}
