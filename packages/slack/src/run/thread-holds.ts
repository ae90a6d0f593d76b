// Who is at work in a thread, or about to be, of all servers that share a store: one at a time, by a note that is renewed for as long as they are.

import { randomUUID } from 'node:crypto';
import { sleep } from '@ai-agent/core';
import type { Desk } from '../desk.ts';
import { keyOf, type Thread } from './threads.ts';

export interface HoldsOptions {
  readonly desk: Pick<Desk, 'notes' | 'clock'>;
  /** Our id as a user: several bots may share a store. */
  readonly bot: string;
  /** Aborts when we go, with a reason: nobody waits any longer. */
  readonly closing: AbortSignal;
}

/** A thread, while it is ours. */
export interface Held {
  letGo(): Promise<void>;
}

/** Whoever is silent for so long is gone; they say so often that they are there. */
const heldMs = 10_000;
const renewMs = 3_000;
/** Longer than who is gone can seem to hold it. */
const heirMs = 60_000;
/** How often it is looked whether the other one is done: at first often, since it may be tidying up. */
const [firstLookMs, lookMs] = [100, 1_000];
/** Whose turn comes sooner is not told that they wait: the answer before theirs is there already, and is being tidied up after. */
export const shortWaitMs = 1_000;

export class ThreadHolds {
  /** Of this process. */
  readonly owner = randomUUID();
  readonly #options: HoldsOptions;
  readonly #held = new Set<Held>();

  constructor(options: HoldsOptions) {
    this.#options = options;
  }

  /** Works there alone, behind another server that does. `onWait` is called once where that takes longer than a moment. Throws why we go, and as the work does. */
  async during(thread: Thread, work: () => Promise<void>, onWait: () => Promise<void>): Promise<void> {
    const { desk, closing } = this.#options;
    const begunAt = desk.clock.monotonicMs();
    let held = await this.tryTake(thread);
    let isTold = false;
    for (let looks = 0; !held; looks++) {
      await sleep(desk.clock, Math.min(lookMs, firstLookMs * 2 ** Math.min(looks, 10)), closing);
      held = await this.tryTake(thread);
      if (held || isTold || desk.clock.monotonicMs() - begunAt < shortWaitMs) continue;
      isTold = true;
      await onWait();
    }
    try {
      await work();
    } finally {
      await held.letGo();
    }
  }

  /** Undefined where somebody is at work, unless that is one who is known to be gone. */
  tryTake(thread: Thread, goneOwner?: string): Promise<Held | undefined> {
    return this.#tryTake(this.#nameOf(keyOf(thread)), goneOwner);
  }

  /** The same for what was said, by its name in `Unbegun`, while nobody knows yet where it stands and who answers it. */
  tryTakeSaid(said: string): Promise<Held | undefined> {
    return this.#tryTake(this.#nameOf(`said/${said}`));
  }

  async #tryTake(name: string, goneOwner?: string): Promise<Held | undefined> {
    const { notes, clock } = this.#options.desk;
    const claim = async () => notes.claim(name, this.owner, clock.now() + heldMs);
    if (await claim()) return this.#keep(name);
    if (goneOwner === undefined || (await notes.get(name)) !== goneOwner) return undefined;
    // Of all who know that it is gone, one takes its place: the others would take it from that one.
    if (!(await notes.claim(`slack:heir:${goneOwner}/${name}`, true, clock.now() + heirMs))) return undefined;
    if ((await notes.get(name)) !== goneOwner) return undefined;
    await notes.delete(name);
    return (await claim()) ? this.#keep(name) : undefined;
  }

  /** Whoever comes after us need not wait. */
  async letGoAll(): Promise<void> {
    await Promise.all([...this.#held].map((held) => held.letGo()));
  }

  #keep(name: string): Held {
    const { notes, clock } = this.#options.desk;
    let isLetGo = false;
    const isOurs = async () => (await notes.get(name)) === this.owner;
    const renew = async () => {
      const untilMs = clock.now() + heldMs;
      if (await isOurs()) await notes.put(name, this.owner, untilMs);
      // We slept for longer than it lasts: it is ours again, unless somebody has taken it meanwhile.
      else if (!isLetGo) await notes.claim(name, this.owner, untilMs);
      if (!isLetGo) unset = clock.after(renewMs, () => void renew(), true);
      else if (await isOurs()) await notes.delete(name);
    };
    let unset = clock.after(renewMs, () => void renew(), true);
    const held: Held = {
      letGo: async () => {
        if (isLetGo) return;
        isLetGo = true;
        this.#held.delete(held);
        unset();
        if (await isOurs()) await notes.delete(name);
      },
    };
    this.#held.add(held);
    return held;
  }

  #nameOf(held: string): string {
    return `slack:hold:${this.#options.bot}/${held}`;
  }
}
