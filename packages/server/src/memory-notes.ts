// Notes in memory, bounded: those whose time is over go, and when there are too many, or they are too large, the oldest.

import { compareNames, type Json, limitOf, type NoteStore, sizeOf } from '@ai-agent/core';

/** So many, and so much of them in all; the newest is kept whatever it comes to. */
export const keptNotes = { notes: 10_000, bytes: 64 * 1024 * 1024 } as const;

interface Note {
  readonly value: Json;
  readonly untilMs: number;
  readonly bytes: number;
}

export class MemoryNotes implements NoteStore {
  readonly #now: () => number;
  /** In the order they were put. */
  readonly #notes = new Map<string, Note>();
  #bytes = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  get size(): number {
    return this.#notes.size;
  }

  put(name: string, value: Json, untilMs: number): void {
    this.delete(name);
    const bytes = name.length + sizeOf({ value });
    this.#notes.set(name, { value, untilMs, bytes });
    this.#bytes += bytes;
    for (const [oldest, note] of this.#notes) {
      const fits = this.#notes.size <= keptNotes.notes && this.#bytes <= keptNotes.bytes;
      if (oldest === name || (fits && note.untilMs > this.#now())) return;
      this.delete(oldest);
    }
  }

  claim(name: string, value: Json, untilMs: number): boolean {
    if (this.find(name)) return false;
    this.put(name, value, untilMs);
    return true;
  }

  get(name: string): Json | undefined {
    return this.find(name)?.value;
  }

  /** With how long it holds. */
  find(name: string): Note | undefined {
    const note = this.#notes.get(name);
    return note && note.untilMs > this.#now() ? note : undefined;
  }

  names(prefix: string, limit: number): readonly string[] {
    const names = [...this.#notes.keys()].filter((name) => name.startsWith(prefix) && this.find(name));
    return names.sort(compareNames).slice(0, limitOf({ limit }));
  }

  delete(name: string): void {
    this.#bytes -= this.#notes.get(name)?.bytes ?? 0;
    this.#notes.delete(name);
  }
}
