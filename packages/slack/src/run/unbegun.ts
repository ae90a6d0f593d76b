// What was said to us and is not at work yet, kept as notes: when our process is gone, who comes after us answers it.

import { isObject, type Json } from '@ai-agent/core';
import type { Desk } from '../desk.ts';
import type { Heard } from '../hear/heard.ts';
import type { Thread } from './threads.ts';

export interface UnbegunNote {
  readonly heard: Heard;
  /** As what it was taken: a reply may be meant as a post. */
  readonly meant: Heard['how'];
  readonly atMs: number;
  /** The message that shows it at work already. */
  readonly statusTs?: string | undefined;
  /** Somebody who may has ended it before it began. */
  readonly isCancelled?: boolean | undefined;
  /** How often it was shown at work. @default never */
  readonly tries?: number | undefined;
}

/** Later nobody waits for it any more. */
const worthMs = 24 * 60 * 60_000;
const mostNotes = 1_000;

/** Of one bot: several may share a store. */
export class Unbegun {
  readonly #desk: Pick<Desk, 'notes' | 'clock'>;
  readonly #prefix: string;

  /** `bot` is our id as a user. */
  constructor(desk: Pick<Desk, 'notes' | 'clock'>, bot: string) {
    this.#desk = desk;
    this.#prefix = `slack:unbegun:${bot}/`;
  }

  /** False when it is there already: somebody is about to answer it. */
  async claim(name: string, heard: Heard, meant: Heard['how']): Promise<boolean> {
    const { notes, clock } = this.#desk;
    const atMs = clock.now();
    return notes.claim(this.#prefix + name, toJson({ heard, meant, atMs }), atMs + worthMs);
  }

  async get(name: string): Promise<UnbegunNote | undefined> {
    const note = await this.#desk.notes.get(this.#prefix + name);
    return isObject(note) ? (note as unknown as UnbegunNote) : undefined;
  }

  /** Where it is shown: whoever answers it goes on there. */
  async show(name: string, statusTs: string): Promise<void> {
    await this.#change(name, ({ tries = 0 }) => ({ statusTs, tries: tries + 1 }));
  }

  /** It did not begin, and nothing it does was the reason: this time does not count. */
  async leave(name: string): Promise<void> {
    await this.#change(name, ({ tries = 0 }) => ({ tries: Math.max(0, tries - 1) }));
  }

  /** It was called somewhere, and stands here now. */
  async place(name: string, heard: Heard): Promise<void> {
    await this.#change(name, () => ({ heard }));
  }

  /** What this message shows at work, and nobody has begun: whoever is about to sees it. False when there is no such thing. */
  async cancel({ channel, ts }: Thread, messageTs: string): Promise<boolean> {
    for (const name of await this.names()) {
      const note = await this.get(name);
      const isIt = note?.statusTs === messageTs && note.heard.channel === channel && note.heard.threadTs === ts;
      if (!isIt) continue;
      await this.#change(name, () => ({ isCancelled: true }));
      return true;
    }
    return false;
  }

  async delete(name: string): Promise<void> {
    await this.#desk.notes.delete(this.#prefix + name);
  }

  async #change(name: string, toChange: (note: UnbegunNote) => Partial<UnbegunNote>): Promise<void> {
    const note = await this.get(name);
    if (!note) return;
    await this.#put(name, { ...note, ...toChange(note) });
  }

  async #put(name: string, note: UnbegunNote): Promise<void> {
    await this.#desk.notes.put(this.#prefix + name, toJson(note), note.atMs + worthMs);
  }

  async names(): Promise<readonly string[]> {
    const names = await this.#desk.notes.names(this.#prefix, mostNotes);
    return names.map((name) => name.slice(this.#prefix.length));
  }
}

/** Without what is not there, nor a way back that is good in this process alone. */
function toJson({ heard: { respond: _, ...heard }, ...note }: UnbegunNote): Json {
  return JSON.parse(JSON.stringify({ ...note, heard })) as Json;
}
