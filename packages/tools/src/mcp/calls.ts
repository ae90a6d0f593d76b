// The calls of one session that a server works on: who is meant when the server asks something back.

import { AsyncLocalStorage } from 'node:async_hooks';
import type { ToolContext } from '@ai-agent/core';

export class Calls {
  readonly #running = new Set<ToolContext>();
  readonly #own = new AsyncLocalStorage<ToolContext>();

  /**
   * The call in whose answer the server asks; over HTTP each has its own. Where all share one channel, and a server does not say
   * which of them it asks about, the latest that was begun and is not over.
   */
  get latest(): ToolContext | undefined {
    const own = this.#own.getStore();
    return own && this.#running.has(own) ? own : [...this.#running].at(-1);
  }

  async during<T>(context: ToolContext, work: () => Promise<T>): Promise<T> {
    this.#running.add(context);
    try {
      return await this.#own.run(context, work);
    } finally {
      this.#running.delete(context);
    }
  }
}
