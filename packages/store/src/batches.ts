// Group commit: one batch is under way at a time, and all that is asked meanwhile is the next one. No timers.

import { AgentError } from '@ai-agent/core';
import type { Answer, Ask, Value } from './ask.ts';
import { toAgentError } from './to-agent-error.ts';

/** Who keeps it: gives an answer to each, in their order. What it rejects with is told to all of them. */
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
  #waiting: Waiting[] = [];
  #size = 0;
  #working: Promise<void> | undefined;

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
    this.#waiting.push({ ask, size, resolve, reject });
    this.#size += size;
    // What is asked in the same breath goes together.
    this.#working ??= Promise.resolve().then(() => this.#work());
    return promise;
  }

  /** When nothing is under way, and nothing waits. */
  async whenIdle(): Promise<void> {
    while (this.#working) await this.#working;
  }

  async #work(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      await this.#settle(batch);
    }
    this.#working = undefined;
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
