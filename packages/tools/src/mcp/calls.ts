// The calls of one session that a server works on: who is meant when the server asks something back.

import type { ToolContext } from '@ai-agent/core';

export class Calls {
  readonly #running = new Set<ToolContext>();

  /** The latest that was begun and is not over. A server does not say which of them it asks about. */
  get latest(): ToolContext | undefined {
    return [...this.#running].at(-1);
  }

  async during<T>(context: ToolContext, work: () => Promise<T>): Promise<T> {
    this.#running.add(context);
    try {
      return await work();
    } finally {
      this.#running.delete(context);
    }
  }
}
