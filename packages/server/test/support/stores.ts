// Stores for tests: one that takes its time over everything, and one that breaks.

import { MemorySessions, type SessionStore } from '../../src/index.ts';

/** Right, but never at once: each call settles some turns of the event loop later, reads sooner than writes. */
export function slowStore(inner: SessionStore = new MemorySessions()): SessionStore {
  const later = async <T>(turns: number, work: () => T | Promise<T>): Promise<T> => {
    for (let i = 0; i < turns; i++) await new Promise((resolve) => setImmediate(resolve));
    return work();
  };
  return {
    put: (head) => later(3, () => inner.put(head)),
    append: (id, facts) => later(3, () => inner.append(id, facts)),
    get: (id) => later(1, () => inner.get(id)),
    facts: (id, after, limit) => later(2, () => inner.facts(id, after, limit)),
    list: (owner, limit) => later(1, () => inner.list(owner, limit)),
  };
}

/** Throws, or rejects. */
export function brokenStore(how: 'throws' | 'rejects'): SessionStore {
  const fail = (): never | Promise<never> => {
    const error = new TypeError('The disk of the house at /srv/house is full.');
    if (how === 'throws') throw error;
    return Promise.reject(error);
  };
  return { put: fail, append: fail, get: fail, facts: fail, list: fail };
}
