// Stores for tests: one that takes its time over everything, one whose promises are not those of the language, and one that breaks.

import { compareNames, type Json, type NoteStore } from '@ai-agent/core';
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
    list: (query) => later(1, () => inner.list(query)),
    claim: (head) => later(1, () => inner.claim(head)),
    delete: (id) => later(1, () => inner.delete(id)),
  };
}

/** As clients of databases do it: what they give has a `then`, and nothing happens before that is called. */
export function lazyStore(inner: SessionStore = new MemorySessions()): SessionStore {
  const later = <T>(work: () => T | Promise<T>): Promise<T> => {
    const then: Promise<T>['then'] = (done, failed) => Promise.resolve().then(work).then(done, failed);
    return { then } as Promise<T>;
  };
  return {
    put: (head) => later(() => inner.put(head)),
    append: (id, facts) => later(() => inner.append(id, facts)),
    get: (id) => later(() => inner.get(id)),
    facts: (id, after, limit) => later(() => inner.facts(id, after, limit)),
    list: (query) => later(() => inner.list(query)),
    claim: (head) => later(() => inner.claim(head)),
    delete: (id) => later(() => inner.delete(id)),
  };
}

/** Throws, or rejects. */
export function brokenStore(how: 'throws' | 'rejects'): SessionStore {
  const fail = (): never | Promise<never> => {
    const error = new TypeError('The disk of the house at /srv/house is full.');
    if (how === 'throws') throw error;
    return Promise.reject(error);
  };
  return { put: fail, append: fail, get: fail, facts: fail, list: fail, claim: fail, delete: fail };
}

/** Right, until it is broken; and again when it is mended. What happens to it meanwhile is in `inner`. */
export class BreakableStore implements SessionStore {
  readonly inner: SessionStore;
  isBroken = false;
  /** Whether what is asked of it waits until it is told to go on. */
  #held: PromiseWithResolvers<void> | undefined;

  constructor(inner: SessionStore = new MemorySessions()) {
    this.inner = inner;
  }

  hold(): void {
    this.#held ??= Promise.withResolvers();
  }

  release(): void {
    this.#held?.resolve();
    this.#held = undefined;
  }

  readonly put: SessionStore['put'] = (head) => this.#work(() => this.inner.put(head));
  readonly claim: SessionStore['claim'] = (head) => this.#work(() => this.inner.claim(head));
  readonly append: SessionStore['append'] = (id, facts) => this.#work(() => this.inner.append(id, facts));
  readonly get: SessionStore['get'] = (id) => this.#work(() => this.inner.get(id));
  readonly facts: SessionStore['facts'] = (id, after, limit) => this.#work(() => this.inner.facts(id, after, limit));
  readonly list: SessionStore['list'] = (query) => this.#work(() => this.inner.list(query));
  readonly delete: SessionStore['delete'] = (id) => this.#work(() => this.inner.delete(id));

  async #work<T>(work: () => T | Promise<T>): Promise<T> {
    await this.#held?.promise;
    if (this.isBroken) throw new TypeError('The disk of the house at /srv/house is full.');
    return work();
  }
}

/** Notes in a map that a test may look into, each for ever. `work` may take its time, or fail. */
export function notesIn(
  kept: Map<string, Json>,
  work: <T>(done: () => T) => T | Promise<T> = (done) => done(),
): NoteStore {
  return {
    put: (name, value) => work(() => void kept.set(name, value)),
    claim: (name, value) =>
      work(() => {
        const isFree = !kept.has(name);
        if (isFree) kept.set(name, value);
        return isFree;
      }),
    get: (name) => work(() => kept.get(name)),
    names: (prefix, limit) =>
      work(() =>
        [...kept.keys()]
          .filter((name) => name.startsWith(prefix))
          .sort(compareNames)
          .slice(0, limit),
      ),
    delete: (name) => work(() => void kept.delete(name)),
  };
}
