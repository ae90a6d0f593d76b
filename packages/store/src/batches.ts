// Group commit: one batch is written at a time, and all that is asked meanwhile is the next one. What is read goes beside that,
// behind what was asked before it. No timers.

import { AgentError } from '@ai-agent/core';
import { type Answer, type Ask, isRead, type Value } from './ask.ts';
import { toAgentError } from './to-agent-error.ts';

/**
 * Who keeps it: gives an answer to each, in their order. What it rejects with is told to all of them. Each batch is written or read as
 * a whole; one of each kind may be under way.
 */
export type Perform = (asks: readonly Ask[]) => Promise<readonly Answer[]>;

interface Waiting {
  readonly ask: Ask;
  readonly size: number;
  resolve(value: Value): void;
  reject(error: unknown): void;
}

/** What may wait to be written, in characters: more than that is refused, and given again by whoever has it. */
export const mostWaiting = 64 * 1024 * 1024;

export class Batches {
  readonly #perform: Perform;
  readonly #place: string;
  readonly #writes = new Lane((batch) => this.#settle(batch));
  readonly #reads = new Lane((batch) => this.#read(batch));
  /** Settles with all that was asked to be written until now. */
  #written: Promise<unknown> = Promise.resolve();
  #size = 0;

  constructor(perform: Perform, place: string) {
    this.#perform = perform;
    this.#place = place;
  }

  /** Throws when too much waits already: asked before anything is made into a text. */
  checkRoom(): void {
    if (this.#size <= mostWaiting) return;
    const message = `The store ${this.#place} is behind: more than ${mostWaiting / 1024 ** 2} MiB wait to be written.`;
    throw new AgentError('store-failed', message, { retryable: true });
  }

  /** `size` is what it holds until it is done. */
  ask(ask: Ask, size = 0): Promise<Value> {
    const { promise, resolve, reject } = Promise.withResolvers<Value>();
    const waiting = { ask, size, resolve, reject };
    this.#size += size;
    if (isRead(ask)) {
      this.#reads.add(waiting);
    } else {
      this.#writes.add(waiting);
      this.#written = promise;
    }
    return promise;
  }

  /** When nothing is under way, and nothing waits. */
  async whenIdle(): Promise<void> {
    while (this.#writes.working || this.#reads.working) await Promise.all([this.#writes.working, this.#reads.working]);
  }

  /** Whoever reads sees what they have written. */
  async #read(batch: readonly Waiting[]): Promise<void> {
    await this.#written.catch(() => {});
    await this.#settle(batch);
  }

  async #settle(batch: readonly Waiting[]): Promise<void> {
    try {
      const answers = await this.#perform(batch.map(({ ask }) => ask));
      for (const [i, { resolve, reject }] of batch.entries()) {
        const answer = answers[i];
        if (answer && 'value' in answer) resolve(answer.value);
        else
          reject(toAgentError(answer?.failure ?? { code: 'store-failed', message: `No answer from ${this.#place}.` }));
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      for (const { size } of batch) this.#size -= size;
    }
  }
}

/** One batch after the other. */
class Lane {
  readonly #settle: (batch: readonly Waiting[]) => Promise<void>;
  #waiting: Waiting[] = [];
  /** Nothing when it is idle. */
  working: Promise<void> | undefined;

  constructor(settle: (batch: readonly Waiting[]) => Promise<void>) {
    this.#settle = settle;
  }

  add(one: Waiting): void {
    this.#waiting.push(one);
    // What is asked in the same breath goes together.
    this.working ??= Promise.resolve().then(() => this.#work());
  }

  async #work(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      await this.#settle(batch);
    }
    this.working = undefined;
  }
}
