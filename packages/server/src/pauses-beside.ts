// Where sessions wait, in a store: this process goes on with what it has in memory, another one with what the store has.

import { MemoryPauses, type Paused, type PauseStore } from '@ai-agent/core';
import { andThen, attempt, inTurn, type Soon } from './at-once.ts';
import { Behind } from './behind.ts';
import type { Patience } from './patience.ts';
import { clientPauses, PausesApart } from './pauses-apart.ts';

export interface PausesBesideOptions {
  /** How long it is waited for until the store has taken something. */
  readonly patience: Pick<Patience, 'within'>;
  /** Told what the store says when it fails; nobody waits in vain because of that. */
  readonly onBug: (error: unknown) => void;
  /** Called when the store lacks something. @default nobody gives it that */
  readonly tryLater?: () => void;
}

export class PausesBeside implements PauseStore {
  readonly #pauses: PauseStore;
  /** Bounded: what is forgotten here before the store could take it is lost. */
  readonly #memory = new PausesApart(new MemoryPauses());
  /** Those that wait for a client's results, in their order: most are never gone on with. */
  readonly #results = new Set<string>();
  readonly #behind: Behind;
  readonly #onBug: PausesBesideOptions['onBug'];
  readonly #tryLater: () => void;

  constructor(pauses: PauseStore, { patience, onBug, tryLater = () => {} }: PausesBesideOptions) {
    this.#pauses = pauses;
    this.#behind = new Behind(patience);
    this.#onBug = onBug;
    this.#tryLater = tryLater;
  }

  put(handle: string, paused: Paused): Soon<void> {
    this.#memory.put(handle, paused);
    if (paused.calls) this.#bound(handle);
    return attempt(() => this.#put(handle, paused), this.#failed);
  }

  get(handle: string): Soon<Paused | undefined> {
    return andThen(this.#memory.get(handle), (paused) => {
      // The store may have it yet.
      const isGone = this.#behind.get(handle)?.isGone ?? false;
      return paused || isGone ? paused : this.#pauses.get(handle);
    });
  }

  /** The store knows whether somebody else was there first. */
  delete(handle: string): Soon<boolean> {
    this.#results.delete(handle);
    const behind = this.#behind.get(handle);
    return andThen(this.#memory.delete(handle), (wasHere) =>
      attempt(
        () => andThen(this.#delete(handle), (wasThere) => (behind ? !behind.isGone : wasThere)),
        (error) => {
          this.#failed(error);
          return wasHere;
        },
      ),
    );
  }

  /** What the store lacks of one session. Throws what the store throws. */
  give(session: string): Soon<void> {
    return inTurn(this.#ofSession(session).map((handle) => () => this.#again(handle)));
  }

  /** All that it lacks, but what is given with its session. Settles when it has that, or has failed once more. */
  async mend(isWithSession: (handle: string) => boolean): Promise<void> {
    for (const handle of this.#behind.names)
      if (!isWithSession(handle)) await attempt(async () => this.#again(handle), this.#tryLater);
  }

  /** The session is gone, or belongs to others: the store is given nothing of it any more. */
  forget(session: string): void {
    for (const handle of this.#ofSession(session)) {
      this.#behind.drop(handle);
      this.#results.delete(handle);
      this.#memory.delete(handle);
    }
  }

  #ofSession(session: string): readonly string[] {
    return this.#behind.names.filter((handle) => isHandleOf(session, handle));
  }

  #again(handle: string): Soon<void> {
    return this.#behind.again(handle, ({ isGone }) => {
      if (isGone) return andThen(this.#delete(handle), () => {});
      return andThen(this.#memory.get(handle), (paused) =>
        paused ? this.#put(handle, paused) : this.#behind.drop(handle),
      );
    });
  }

  #put(handle: string, paused: Paused): Soon<void> {
    return this.#behind.write(handle, false, () => this.#pauses.put(handle, paused));
  }

  #delete(handle: string): Soon<boolean> {
    return this.#behind.write(handle, true, () => this.#pauses.delete(handle));
  }

  readonly #failed = (error: unknown): void => {
    this.#onBug(error);
    this.#tryLater();
  };

  #bound(handle: string): void {
    this.#results.add(handle);
    const [oldest = handle] = this.#results;
    if (this.#results.size <= clientPauses.sessions) return;
    this.#results.delete(oldest);
    attempt<unknown>(() => this.#delete(oldest), this.#failed);
  }
}

/** Handles are the ids of runs: the first has that of the session, those after it a number; below them follows a sign. */
export function isHandleOf(session: string, handle: string): boolean {
  return handle.startsWith(session) && /^(?:-\d+)?(?:[~.].*)?$/s.test(handle.slice(session.length));
}
