// Where sessions wait: those that wait for a client's results have a shelf of their own. There are many, most are forgotten by
// their clients, and they must not push out the question that a person comes back to.

import { MemoryPauses, type Paused, type PauseStore } from '@ai-agent/core';

/** Of conversations with clients: so many, and so much of them in all; when it is full, the oldest go. */
export const clientPauses = { sessions: 1_000, bytes: 64 * 1024 * 1024 } as const;

export class PausesApart implements PauseStore {
  readonly #questions: PauseStore;
  readonly #results = new MemoryPauses(clientPauses.sessions, clientPauses.bytes);

  constructor(questions: PauseStore) {
    this.#questions = questions;
  }

  put(handle: string, paused: Paused): void | Promise<void> {
    return (paused.calls ? this.#results : this.#questions).put(handle, paused);
  }

  get(handle: string): Paused | undefined | Promise<Paused | undefined> {
    return this.#results.get(handle) ?? this.#questions.get(handle);
  }

  delete(handle: string): boolean | Promise<boolean> {
    return this.#results.delete(handle) || this.#questions.delete(handle);
  }
}
