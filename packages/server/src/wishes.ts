// What is wished of a session that another server runs: left in the store, where that server looks while it runs something.

import type { Clock, NoteStore, SessionHead } from '@ai-agent/core';
import type { LiveSession } from './live-session.ts';

export type Wish = 'stop' | 'cancel';

interface Note {
  readonly wish: Wish;
  readonly resumptions: number;
  /** The sessions below that alone are meant. @default all of it */
  readonly below?: readonly string[];
}

interface House {
  readonly notes: NoteStore;
  readonly clock: Clock;
  readonly lives: readonly LiveSession[];
}

/** How often a server looks. */
export const lookMs = 2_000;

/** After that long it has ended, or its server is gone. */
const wishMs = 60 * 60_000;

/** Of those below that are to stop, between two looks: ids are taken as they come, also such as there are not. */
const mostBelow = 100;

export class Wishes {
  readonly #house: House;
  #isWatching = false;

  constructor(house: House) {
    this.#house = house;
  }

  async tell({ id, resumptions }: SessionHead, wish: Wish, below?: string): Promise<void> {
    const { notes, clock } = this.#house;
    const before = await this.#noteOf(id);
    const isOpen = before?.resumptions === resumptions;
    // All of it is to end: there is no more to wish, but that it ends at once.
    if (isOpen && !before.below && (below !== undefined || wish === 'stop')) return;
    const others = new Set(isOpen ? before.below : []);
    const meant = below === undefined ? {} : { below: [...others.add(below)].slice(-mostBelow) };
    await notes.put(nameOf(id), { wish, resumptions, ...meant }, clock.now() + wishMs);
  }

  /** As long as something runs here. */
  watch(): void {
    if (this.#isWatching) return;
    this.#isWatching = true;
    this.#house.clock.after(lookMs, () => this.#look(), true);
  }

  async #look(): Promise<void> {
    const running = this.#house.lives.filter(({ head }) => head.endedAt === undefined);
    for (const live of running) await this.#grant(live);
    this.#isWatching = false;
    if (this.#house.lives.length > 0) this.watch();
  }

  /** One that was meant for an earlier round is not for this one. */
  async #grant(live: LiveSession): Promise<void> {
    const { id, resumptions } = live.head;
    const { notes } = this.#house;
    const note = await this.#noteOf(id);
    if (!note) return;
    await notes.delete(nameOf(id));
    if (note.resumptions !== resumptions) return;
    if (note.below) for (const one of note.below) live.stopBelow(one);
    else if (note.wish === 'stop') live.stop();
    else live.cancel('Whoever started it cancelled it.');
  }

  async #noteOf(id: string): Promise<Note | undefined> {
    return (await this.#house.notes.get(nameOf(id))) as unknown as Note | undefined;
  }
}

function nameOf(id: string): string {
  return `wish:${id}`;
}
