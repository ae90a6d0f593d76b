// The session of a talk in memory, and behind it in the store: one that fails, or that nobody wants, costs nobody the talk.

import {
  AgentError,
  type Fact,
  MemoryPauses,
  type PauseStore,
  type SessionHead,
  type SessionStore,
} from '@ai-agent/core';
import type { KeptSessions } from '../../kept-sessions.ts';

/** Somebody has deleted it elsewhere, and what was said in it is not to be kept again. */
function deleted(id: string): AgentError {
  return new AgentError('session-unknown', `The session ${id} is not there any more: it was deleted.`, {
    remedy: 'Send it again: that begins a new talk, which knows nothing of this one.',
  });
}

/** One that was begun before. */
export interface Begun {
  readonly head: SessionHead;
  readonly facts: readonly Fact[];
}

export class TalkStore implements SessionStore {
  readonly hasCopy = true;
  #behind: KeptSessions | undefined;
  /** What the store behind has failed to take: it knows nothing of facts without it. */
  #refused: SessionHead | undefined;
  readonly #facts: Fact[];
  readonly #known = new WeakSet<Fact>();
  readonly #pauses = new MemoryPauses();
  #head: SessionHead | undefined;

  constructor(behind: KeptSessions | undefined, begun?: Begun) {
    this.#behind = behind;
    this.#head = begun?.head;
    this.#facts = [...(begun?.facts ?? [])];
  }

  get head(): SessionHead | undefined {
    return this.#head;
  }

  /** Of all of its rounds. */
  get all(): readonly Fact[] {
    return this.#facts;
  }

  readonly pauses: PauseStore = {
    put: async (handle, paused) => {
      this.#pauses.put(handle, paused);
      await this.#behind?.store.pauses.put(handle, paused);
    },
    get: async (handle) => this.#pauses.get(handle) ?? this.#behind?.store.pauses.get(handle),
    // One that is left in a store that fails is no question any more: its session has gone on.
    delete: async (handle) => {
      const wasHere = this.#pauses.delete(handle);
      return Promise.resolve(this.#behind?.store.pauses.delete(handle) ?? wasHere).catch(() => wasHere);
    },
  };

  put(head: SessionHead): void | Promise<void> {
    this.#head = head;
    return this.#behind && this.#putBehind(this.#behind, head);
  }

  /** Where the store behind has lost some of it, the talk goes on without. */
  async claim(head: SessionHead): Promise<boolean> {
    if (this.#behind?.unkept) this.#behind = undefined;
    const isOurs = (await this.#claimBehind(head)) ?? true;
    if (isOurs) this.#head = head;
    else if (!(await this.#behind?.store.get(head.id))) throw deleted(head.id);
    return isOurs;
  }

  /** Undefined where no store says whether it may. */
  async #claimBehind(head: SessionHead): Promise<boolean | undefined> {
    try {
      return await this.#behind?.store.claim(head);
    } catch (error) {
      this.#behind?.lose(error);
      this.#behind = undefined;
      return undefined;
    }
  }

  /** What the store behind did not take comes again. */
  append(id: string, facts: readonly Fact[]): void | Promise<void> {
    for (const fact of facts) {
      if (this.#known.has(fact)) continue;
      this.#known.add(fact);
      this.#facts.push(fact);
    }
    return this.#behind && this.#appendBehind(this.#behind, id, facts);
  }

  get(id: string): SessionHead | undefined {
    return this.#head?.id === id ? this.#head : undefined;
  }

  facts(_id: string, after: number, limit = Number.POSITIVE_INFINITY): readonly Fact[] {
    return this.#facts.slice(after, after + limit);
  }

  list(): readonly SessionHead[] {
    return this.#head ? [this.#head] : [];
  }

  delete(): boolean {
    return false;
  }

  async #putBehind({ store }: KeptSessions, head: SessionHead): Promise<void> {
    this.#refused = head;
    await store.put(head);
    this.#refused = undefined;
  }

  async #appendBehind(behind: KeptSessions, id: string, facts: readonly Fact[]): Promise<void> {
    if (this.#refused) await this.#putBehind(behind, this.#refused);
    await behind.store.append(id, facts);
  }
}
