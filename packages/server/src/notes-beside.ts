// Notes in a store, with a copy in memory: while the store fails they are read here, and when it works again it is given them.

import { compareNames, type Json, limitOf, type NoteStore } from '@ai-agent/core';
import { andThen, attempt, type Soon } from './at-once.ts';
import { Behind } from './behind.ts';
import { MemoryNotes } from './memory-notes.ts';
import type { Patience } from './patience.ts';

export interface NotesBesideOptions {
  readonly now: () => number;
  readonly patience: Pick<Patience, 'within'>;
  /** Told what the store says when it fails. */
  readonly onBug: (error: unknown) => void;
  /** Called when the store lacks something. */
  readonly tryLater: () => void;
}

export class NotesBeside implements NoteStore {
  readonly #notes: NoteStore;
  readonly #memory: MemoryNotes;
  /** The copy here is the newer one, also where it is none. */
  readonly #behind: Behind;
  readonly #options: NotesBesideOptions;

  constructor(notes: NoteStore, options: NotesBesideOptions) {
    this.#notes = notes;
    this.#memory = new MemoryNotes(options.now);
    this.#behind = new Behind(options.patience);
    this.#options = options;
  }

  put(name: string, value: Json, untilMs: number): Soon<void> {
    this.#memory.put(name, value, untilMs);
    return attempt(() => this.#put(name, { value, untilMs }), this.#failed);
  }

  /** The store knows whether somebody else was there first. While it fails, whoever shares it judges alone. */
  claim(name: string, value: Json, untilMs: number): Soon<boolean> {
    const { patience } = this.#options;
    // What it lacks it is given before.
    const ask = () => andThen(this.#again(name), () => patience.within(this.#notes.claim(name, value, untilMs)));
    return attempt(
      () =>
        andThen(ask(), (isOurs) => {
          // What was written here meanwhile is newer.
          if (isOurs && !this.#behind.get(name)) this.#memory.put(name, value, untilMs);
          return isOurs;
        }),
      (error) => {
        this.#failed(error);
        const isOurs = this.#memory.claim(name, value, untilMs);
        if (isOurs) this.#behind.lack(name);
        return isOurs;
      },
    );
  }

  get(name: string): Soon<Json | undefined> {
    const own = () => this.#memory.get(name);
    if (this.#behind.get(name)) return own();
    return attempt(
      () => this.#options.patience.within(this.#notes.get(name)),
      (error) => {
        this.#options.onBug(error);
        return own();
      },
    );
  }

  names(prefix: string, limit: number): Soon<readonly string[]> {
    const { patience, onBug } = this.#options;
    const behind = new Set(this.#behind.names.filter((name) => name.startsWith(prefix)));
    // Those that are gone here may be among the first of the store.
    const most = Math.min(limitOf({ limit }) + behind.size, Number.MAX_SAFE_INTEGER);
    const own = () => [...behind].filter((name) => this.#memory.find(name));
    return attempt<readonly string[]>(
      () =>
        andThen(patience.within(this.#notes.names(prefix, most)), (names) => {
          const others = names.filter((name) => !behind.has(name));
          return [...own(), ...others].sort(compareNames).slice(0, limit);
        }),
      (error) => {
        onBug(error);
        return this.#memory.names(prefix, limit);
      },
    );
  }

  delete(name: string): Soon<void> {
    this.#memory.delete(name);
    return attempt(() => this.#delete(name), this.#failed);
  }

  /** Settles when the store has what it lacks, or has failed once more. */
  async mend(): Promise<void> {
    for (const name of this.#behind.names) await attempt(async () => this.#again(name), this.#options.tryLater);
  }

  #again(name: string): Soon<void> {
    return this.#behind.again(name, ({ isGone }) => {
      if (isGone) return this.#delete(name);
      const note = this.#memory.find(name);
      // Its time is over, or there were too many.
      return note ? this.#put(name, note) : this.#behind.drop(name);
    });
  }

  #put(name: string, { value, untilMs }: { readonly value: Json; readonly untilMs: number }): Soon<void> {
    return this.#behind.write(name, false, () => this.#notes.put(name, value, untilMs));
  }

  #delete(name: string): Soon<void> {
    return this.#behind.write(name, true, () => this.#notes.delete(name));
  }

  readonly #failed = (error: unknown): void => {
    this.#options.onBug(error);
    this.#options.tryLater();
  };
}
