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
  /** What the store has failed to take, or has not taken yet: the copy here is the newer one, also where it is none. By name, the last write. */
  readonly #behind = new Map<string, object>();
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
    const write = {};
    const done = () => {
      if (this.#behind.get(name) === write) this.#behind.delete(name);
    };
    this.#setBehind(name, write);
    try {
      const doing = work();
      if (takesTime(doing)) return Promise.resolve(doing).then(done).catch(this.#onBug);
      done();
    } catch (error) {
      this.#onBug(error);
    }
  }

  #setBehind(name: string, write: object): void {
    this.#behind.delete(name);
    this.#behind.set(name, write);
    const [oldest = name] = this.#behind.keys();
    if (this.#behind.size > mostBehind) this.#behind.delete(oldest);
  }
}

/** Names are all that is kept of them here. */
const mostBehind = 10_000;
