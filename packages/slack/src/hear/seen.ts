// What was taken up already: Slack delivers again what it thinks was lost, and tells of one message in two events.

import type { Desk } from '../desk.ts';

/** Slack tries again for an hour at most. */
const rememberedMs = 2 * 60 * 60_000;
const mostRemembered = 2_000;

export class Seen {
  readonly #desk: Pick<Desk, 'notes' | 'clock'>;
  readonly #bot: string;
  readonly #owner: string;
  /** Of this process, at once; a restart, and another server, find the rest in notes. */
  readonly #here = new Set<string>();

  /** `bot` is our id as a user: another one of the same store may be meant too. `owner` is this process. */
  constructor(desk: Pick<Desk, 'notes' | 'clock'>, bot: string, owner: string) {
    this.#desk = desk;
    this.#bot = bot;
    this.#owner = owner;
  }

  /** Whether it is taken up for the first time; asked again, it is not. */
  async take(name: string): Promise<boolean> {
    if (this.#here.has(name)) return false;
    this.#here.add(name);
    if (this.#here.size > mostRemembered)
      for (const oldest of [...this.#here].slice(0, mostRemembered / 2)) this.#here.delete(oldest);
    const { notes, clock } = this.#desk;
    return notes.claim(this.#nameOf(name), this.#owner, clock.now() + rememberedMs);
  }

  /** Whether it was taken up before, by whomever. */
  async isKnown(name: string): Promise<boolean> {
    return this.#here.has(name) || (await this.#desk.notes.get(this.#nameOf(name))) !== undefined;
  }

  /** What another one took up, who is gone, is ours now. */
  async takeOver(name: string): Promise<void> {
    const { notes, clock } = this.#desk;
    await notes.put(this.#nameOf(name), this.#owner, clock.now() + rememberedMs);
  }

  /** Whether it was not taken over from us: while we waited we may have seemed to be gone. */
  async isOurs(name: string): Promise<boolean> {
    const owner = await this.#desk.notes.get(this.#nameOf(name));
    return owner === undefined || owner === this.#owner;
  }

  #nameOf(name: string): string {
    return `slack:seen:${this.#bot}/${name}`;
  }
}
