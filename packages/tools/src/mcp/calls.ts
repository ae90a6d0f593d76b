// The calls of one session that a server works on: in whose name it is answered when it asks something back.

import { AsyncLocalStorage } from 'node:async_hooks';
import type { ToolContext } from '@ai-agent/core';

export class Calls {
  /** Each with the answers that are being given in its name. */
  readonly #running = new Map<ToolContext, Set<Promise<unknown>>>();
  readonly #storage = new AsyncLocalStorage<ToolContext>();
  /** Who is being asked: each is let go when no call is left. */
  readonly #asking = new Set<() => void>();

  /** A call is over when the answers in its name are: one of them may be for another call. Persons are waited for only then. */
  async during<T>(context: ToolContext, work: () => Promise<T>): Promise<T> {
    const answers = new Set<Promise<unknown>>();
    this.#running.set(context, answers);
    try {
      return await this.#storage.run(context, work);
    } finally {
      this.#running.delete(context);
      if (this.#running.size === 0) for (const leave of this.#asking) leave();
      await Promise.allSettled(answers);
    }
  }

  /** Answers the server in the name of the call that it asks about; with nothing when there is none. */
  async answer<T>(work: (context: ToolContext) => Promise<T>): Promise<T | undefined> {
    const context = this.current;
    if (!context) return undefined;
    const answer = work(context);
    this.#running.get(context)?.add(answer);
    return answer;
  }

  /** The same with what a person says, who may take for ever: when no call is left, nobody wants to know. */
  async ask<T>(work: (context: ToolContext) => Promise<T>): Promise<T | undefined> {
    let leave: (() => void) | undefined;
    const left = new Promise<undefined>((resolve) => {
      leave = () => resolve(undefined);
      this.#asking.add(leave);
    });
    try {
      return await this.answer((context) => Promise.race([work(context), left]));
    } finally {
      if (leave) this.#asking.delete(leave);
    }
  }

  /**
   * The one whose request or stream brought the question. Where all calls share one stream, a server does not say which
   * of them it asks about: then the latest that was begun and is not over.
   */
  get current(): ToolContext | undefined {
    const own = this.#storage.getStore();
    return own && this.#running.has(own) ? own : [...this.#running.keys()].at(-1);
  }
}
