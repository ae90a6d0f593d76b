// Where sessions wait, in a store: this process goes on with what it has in memory, another one with what the store has.

import { MemoryPauses, type Paused, type PauseStore } from '@ai-agent/core';
import { andThen, attempt, type Soon } from './at-once.ts';
import type { Patience } from './patience.ts';
import { clientPauses, PausesApart } from './pauses-apart.ts';

export interface PausesBesideOptions {
  /** How long it is waited for until the store has taken something. */
  readonly patience: Pick<Patience, 'within'>;
  /** Told what the store says when it fails; nobody waits in vain because of that. */
  readonly onBug: (error: unknown) => void;
}

export class PausesBeside implements PauseStore {
  readonly #pauses: PauseStore;
  readonly #memory = new PausesApart(new MemoryPauses());
  /** Those that wait for a client's results, in their order: most are never gone on with. */
  readonly #results = new Set<string>();
  /** What the store has failed to take. */
  readonly #behind = new Map<string, Paused>();
  readonly #patience: PausesBesideOptions['patience'];
  readonly #onBug: PausesBesideOptions['onBug'];

  constructor(pauses: PauseStore, { patience, onBug }: PausesBesideOptions) {
    this.#pauses = pauses;
    this.#patience = patience;
    this.#onBug = onBug;
  }

  put(handle: string, paused: Paused): Soon<void> {
    this.#memory.put(handle, paused);
    if (paused.calls) this.#bound(handle);
    return attempt(
      () => andThen(this.#patience.within(this.#pauses.put(handle, paused)), () => this.#catchUp(handle)),
      (error) => {
        this.#onBug(error);
        this.#behind.set(handle, paused);
        const [oldest = handle] = this.#behind.keys();
        if (this.#behind.size > mostBehind) this.#behind.delete(oldest);
      },
    );
  }

  get(handle: string): Soon<Paused | undefined> {
    return andThen(this.#memory.get(handle), (paused) => paused ?? this.#pauses.get(handle));
  }

  /** The store knows whether somebody else was there first. */
  delete(handle: string): Soon<boolean> {
    this.#results.delete(handle);
    const wasBehind = this.#behind.delete(handle);
    return andThen(this.#memory.delete(handle), (wasHere) =>
      attempt(
        () => andThen(this.#patience.within(this.#pauses.delete(handle)), (wasThere) => wasThere || wasBehind),
        (error) => {
          this.#onBug(error);
          return wasHere;
        },
      ),
    );
  }

  #bound(handle: string): void {
    this.#results.add(handle);
    const [oldest = handle] = this.#results;
    if (this.#results.size > clientPauses.sessions) this.#drop(oldest);
  }

  #drop(handle: string): void {
    this.#results.delete(handle);
    attempt<unknown>(() => this.#pauses.delete(handle), this.#onBug);
  }

  /** It works again. */
  #catchUp(handle: string): void {
    this.#behind.delete(handle);
    for (const [other, paused] of [...this.#behind]) {
      this.#behind.delete(other);
      attempt(
        () => this.#pauses.put(other, paused),
        () => void this.#behind.set(other, paused),
      );
    }
  }
}

const mostBehind = 1_000;
