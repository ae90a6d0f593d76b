// Threads of Slack and the sessions that they are: kept as notes, so that a restart finds them again.

import { isObject } from '@ai-agent/core';
import type { Desk } from '../desk.ts';

/** A thread, by its first message. */
export interface Thread {
  readonly team: string;
  readonly channel: string;
  readonly ts: string;
}

/** What is known of a thread that is ours. */
export interface ThreadNote {
  readonly session: string;
  /** Who asked last. */
  readonly asker: string;
  /** The last message that was taken up. */
  readonly seenTs: string;
  /** The message that asked something last; whether that is open its session knows. */
  readonly askedTs?: string | undefined;
}

const threadMs = 90 * 24 * 60 * 60_000;

/** Of one bot: several may share a store, and a thread. */
export class Threads {
  readonly #desk: Pick<Desk, 'notes' | 'clock'>;
  readonly #bot: string;

  /** `bot` is our id as a user. */
  constructor(desk: Pick<Desk, 'notes' | 'clock'>, bot: string) {
    this.#desk = desk;
    this.#bot = bot;
  }

  async get(thread: Thread): Promise<ThreadNote | undefined> {
    const note = await this.#desk.notes.get(this.#nameOf(thread));
    return isObject(note) ? (note as unknown as ThreadNote) : undefined;
  }

  async put(thread: Thread, { session, asker, seenTs, askedTs }: ThreadNote): Promise<void> {
    const { notes, clock } = this.#desk;
    const note = { session, asker, seenTs, ...(askedTs === undefined ? {} : { askedTs }) };
    await notes.put(this.#nameOf(thread), note, clock.now() + threadMs);
  }

  /** As it was before. */
  async restore(thread: Thread, note: ThreadNote | undefined): Promise<void> {
    if (note) await this.put(thread, note);
    else await this.#desk.notes.delete(this.#nameOf(thread));
  }

  #nameOf(thread: Thread): string {
    return `slack:thread:${this.#bot}/${keyOf(thread)}`;
  }
}

export function keyOf({ team, channel, ts }: Thread): string {
  return `${team}/${channel}/${ts}`;
}
