// The runs of this process by their threads, while they are under way: for who wants to end one.

import { keyOf, type Thread } from './threads.ts';

export interface LiveRun {
  readonly asker: string;
  /** Whether it is the one that this message shows at work. */
  isShownBy(messageTs: string): boolean;
  /** By whom it is wished, for the others. */
  end(wish: 'stop' | 'cancel', user: string): Promise<void>;
  /** We go: who comes after us tells what it came to. */
  leave(): Promise<void>;
}

export class LiveRuns {
  readonly #runs = new Map<string, LiveRun>();

  get size(): number {
    return this.#runs.size;
  }

  add(thread: Thread, run: LiveRun): void {
    this.#runs.set(keyOf(thread), run);
  }

  remove(thread: Thread, run: LiveRun): void {
    if (this.#runs.get(keyOf(thread)) === run) this.#runs.delete(keyOf(thread));
  }

  async leaveAll(): Promise<void> {
    await Promise.all([...this.#runs.values()].map((run) => run.leave()));
  }

  of(thread: Thread): LiveRun | undefined {
    return this.#runs.get(keyOf(thread));
  }
}
