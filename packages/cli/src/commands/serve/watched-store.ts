// A store that is watched: whoever runs the server is told once when it begins to fail, and once when it works again.

import { isAgentError, messageOf } from '@ai-agent/core';
import type { Deleted, Store } from '@ai-agent/store';
import type { ServerLog } from './server-log.ts';

/** What goes wrong with a store is no defect of ours. */
export class StoreWatch {
  readonly #log: Pick<ServerLog, 'fail' | 'say' | 'bug'>;
  readonly #place: string;
  #isFailing = false;

  constructor(place: string, log: Pick<ServerLog, 'fail' | 'say' | 'bug'>) {
    this.#place = place;
    this.#log = log;
  }

  /** What anybody was told by the store. */
  readonly failed = (error: unknown): void => {
    if (!isOfStore(error)) {
      this.#log.bug(error);
      return;
    }
    if (!this.#isFailing) this.#log.fail(`Sessions are kept in memory alone for now: ${inWords(error)}`);
    this.#isFailing = true;
  };

  /** Old sessions went by themselves. */
  readonly tended = ({ byAge, bySize }: Deleted): void => {
    const old = byAge === 0 ? [] : [`${counted(byAge)} that ended too long ago`];
    const much = bySize === 0 ? [] : [`${counted(bySize)}, the oldest, because it had grown too large`];
    this.#log.say(`Deleted from the store ${this.#place}: ${[...old, ...much].join('; ')}.`);
  };

  /** Old sessions stay. */
  readonly warned = (sentence: string): void => {
    this.#log.say(`The store ${this.#place}: ${sentence}`);
  };

  /** It takes what it is given. */
  worked(): void {
    if (this.#isFailing) this.#log.say(`The store ${this.#place} works again.`);
    this.#isFailing = false;
  }
}

/** The same store. What it fails at is heard on the way; that it takes facts again is what counts, small things may fit anywhere. */
export function watchStore(store: Store, watch: StoreWatch): Store {
  const hear = async <T>(doing: T | Promise<T>): Promise<T> => {
    try {
      return await doing;
    } catch (error) {
      if (isOfStore(error)) watch.failed(error);
      throw error;
    }
  };
  const { pauses, notes } = store;
  return {
    place: store.place,
    put: (head) => hear(store.put(head)),
    claim: (head) => hear(store.claim(head)),
    async append(id, facts) {
      await hear(store.append(id, facts));
      watch.worked();
    },
    delete: (id) => hear(store.delete(id)),
    get: (id) => hear(store.get(id)),
    facts: (id, after, limit) => hear(store.facts(id, after, limit)),
    list: (query) => hear(store.list(query)),
    pauses: {
      put: (handle, paused) => hear(pauses.put(handle, paused)),
      get: (handle) => hear(pauses.get(handle)),
      delete: (handle) => hear(pauses.delete(handle)),
    },
    notes: {
      put: (name, value, untilMs) => hear(notes.put(name, value, untilMs)),
      claim: (name, value, untilMs) => hear(notes.claim(name, value, untilMs)),
      get: (name) => hear(notes.get(name)),
      names: (prefix, limit) => hear(notes.names(prefix, limit)),
      delete: (name) => hear(notes.delete(name)),
    },
    close: () => store.close(),
  };
}

/** Whether it can be written now; who cannot is told by the watch. */
export async function canWrite(store: Store, nowMs: number): Promise<boolean> {
  try {
    await store.notes.put('@server-start', nowMs, nowMs + 1);
    return true;
  } catch {
    return false;
  }
}

function counted(sessions: number): string {
  return sessions === 1 ? '1 session' : `${sessions} sessions`;
}

export function isOfStore(error: unknown): boolean {
  return isAgentError(error) && error.code.startsWith('store-');
}

/** With what to do about it. */
export function inWords(error: unknown): string {
  return `${messageOf(error)}${isAgentError(error) ? ` ${error.remedy}` : ''}`;
}
