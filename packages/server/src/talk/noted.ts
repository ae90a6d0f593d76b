// What is kept for a while under a key: noted where the sessions are kept, so that it outlives this process, and another server
// finds it; here alone, and bounded, where nothing is noted.

import { type Json, sizeOf } from '@ai-agent/core';
import type { Hall } from '../hall.ts';
import { MemoryNotes } from '../memory-notes.ts';
import { Remembered, type RememberedOptions } from './remembered.ts';

/** What one note may come to, about: what is larger is kept here alone. */
export const mostNoteBytes = 4 * 1024 * 1024;

export type NotedIn = Pick<Hall, 'notes' | 'clock' | 'patience'>;

export interface NotedOptions<T extends object> extends Omit<RememberedOptions<T>, 'now'> {
  /** Stands before the names of its notes. What is noted is read by later versions too: who changes its shape changes this. */
  readonly kind: string;
}

/** Of plain data. */
export class Noted<T extends object> {
  readonly #hall: NotedIn;
  readonly #options: NotedOptions<T>;
  readonly #here: Remembered<T>;

  constructor(hall: NotedIn, options: NotedOptions<T>) {
    this.#hall = hall;
    this.#options = options;
    this.#here = new Remembered({ ...options, now: () => hall.clock.monotonicMs() });
  }

  /** Settles when it is noted: whoever is told of it finds it from then on, also elsewhere. */
  async put(key: string, value: T): Promise<void> {
    const { notes, clock } = this.#hall;
    const isNoted = this.#isLasting && sizeOf(value) <= mostNoteBytes;
    // There is one place to look, also for who deletes it.
    if (isNoted) this.#here.delete(key);
    else this.#here.put(key, value);
    if (!this.#isLasting) return;
    const name = this.#nameOf(key);
    const until = clock.now() + this.#options.forMs;
    await this.#patiently(isNoted ? notes.put(name, value as unknown as Json, until) : notes.delete(name));
  }

  async get(key: string): Promise<T | undefined> {
    const here = this.#here.get(key);
    if (here || !this.#isLasting) return here;
    try {
      return (await this.#hall.patience.within(this.#hall.notes.get(this.#nameOf(key)))) as T | undefined;
    } catch {
      // What a store that hangs may know is lost to whoever waits.
      return undefined;
    }
  }

  async delete(key: string): Promise<void> {
    this.#here.delete(key);
    if (this.#isLasting) await this.#patiently(this.#hall.notes.delete(this.#nameOf(key)));
  }

  /** Notes in memory would outlive nothing, and are not bounded by what they are of. */
  get #isLasting(): boolean {
    return !(this.#hall.notes instanceof MemoryNotes);
  }

  #nameOf(key: string): string {
    return `${this.#options.kind}:${key}`;
  }

  async #patiently(doing: void | Promise<void>): Promise<void> {
    try {
      await this.#hall.patience.within(doing);
    } catch {}
  }
}
