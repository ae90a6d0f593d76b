// Notes in a store, with a copy in memory: a store that fails costs what would have outlived this process, and nothing else.

import { type Json, type NoteStore, takesTime } from '@ai-agent/core';
import { MemoryNotes } from './memory-notes.ts';

export interface NotesBesideOptions {
  readonly now: () => number;
  /** Told what the store says when it fails. */
  readonly onBug: (error: unknown) => void;
}

export class NotesBeside implements NoteStore {
  readonly #notes: NoteStore;
  readonly #memory: MemoryNotes;
  /** What the store has failed to take: the copy here is the newer one, also where it is none. */
  readonly #behind = new Set<string>();
  readonly #onBug: NotesBesideOptions['onBug'];

  constructor(notes: NoteStore, { now, onBug }: NotesBesideOptions) {
    this.#notes = notes;
    this.#memory = new MemoryNotes(now);
    this.#onBug = onBug;
  }

  put(name: string, value: Json, untilMs: number): void | Promise<void> {
    this.#memory.put(name, value, untilMs);
    return this.#write(name, () => this.#notes.put(name, value, untilMs));
  }

  get(name: string): Json | undefined | Promise<Json | undefined> {
    if (this.#behind.has(name)) return this.#memory.get(name);
    const own = (error: unknown) => {
      this.#onBug(error);
      return this.#memory.get(name);
    };
    try {
      const found = this.#notes.get(name);
      return takesTime(found) ? Promise.resolve(found).catch(own) : found;
    } catch (error) {
      return own(error);
    }
  }

  delete(name: string): void | Promise<void> {
    this.#memory.delete(name);
    return this.#write(name, () => this.#notes.delete(name));
  }

  #write(name: string, work: () => void | Promise<void>): void | Promise<void> {
    const failed = (error: unknown) => {
      this.#onBug(error);
      this.#behind.add(name);
      for (const oldest of this.#behind) {
        if (this.#behind.size <= mostBehind) return;
        this.#behind.delete(oldest);
      }
    };
    try {
      const doing = work();
      if (takesTime(doing))
        return Promise.resolve(doing)
          .then(() => void this.#behind.delete(name))
          .catch(failed);
      this.#behind.delete(name);
    } catch (error) {
      failed(error);
    }
  }
}

/** Names are all that is kept of them here. */
const mostBehind = 10_000;
