// The thread that has the file, seen from outside: a batch at a time. One that breaks is replaced, and what it had done is known.

import { Worker } from 'node:worker_threads';
import { AgentError, messageOf } from '@ai-agent/core';
import { type Answer, type Ask, isRead } from '../ask.ts';
import type { Keep } from '../batched-store.ts';
import type { Deleted } from '../store.ts';
import { toAgentError } from '../to-agent-error.ts';
import type { FromWorker, ToWorker, WorkerStart } from './messages.ts';
import { workerFile } from './worker-file.ts';

export interface LinkOptions {
  readonly start: Omit<WorkerStart, 'aheadMs'>;
  readonly now: () => number;
  readonly onBug: (error: unknown) => void;
  readonly onTended?: ((deleted: Deleted) => void) | undefined;
  readonly onWarning?: ((sentence: string) => void) | undefined;
  /** For tests. @default the thread of this package */
  readonly file?: URL;
}

/** It broke so often, one after the other: for a while no other is started. */
const mostBreaks = 3;
const restMs = 10_000;
/** So many are read before it may be written again: one thread does both. */
const readsAtOnce = 8;

export class WorkerLink implements Keep {
  readonly #options: LinkOptions;
  #worker: Worker | undefined;
  /** What the one that asks waits for. */
  #expected: { resolve(message: FromWorker): void; reject(error: unknown): void } | undefined;
  /** Settles when the one that came last has been served. */
  #turn: Promise<unknown> = Promise.resolve();
  #batch = 0;
  #breaks = 0;
  #restsUntil = 0;

  constructor(options: LinkOptions) {
    this.#options = options;
  }

  /** Throws what is wrong with the file. */
  async open(): Promise<void> {
    await this.#started().catch((error: unknown) => this.#throw(error));
  }

  readonly perform = async (asks: readonly Ask[]): Promise<readonly Answer[]> => {
    if (!asks.every(isRead)) return this.#inTurn(() => this.#keep(asks));
    const answers: Answer[] = [];
    for (let at = 0; at < asks.length; at += readsAtOnce)
      answers.push(...(await this.#inTurn(() => this.#keep(asks.slice(at, at + readsAtOnce)))));
    return answers;
  };

  async close(): Promise<void> {
    const worker = this.#worker;
    if (!worker) return;
    worker.ref();
    await new Promise<void>((resolve) => {
      worker.once('exit', () => resolve());
      worker.postMessage({ type: 'close' } satisfies ToWorker);
    });
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => {});
    return turn;
  }

  async #keep(asks: readonly Ask[]): Promise<readonly Answer[]> {
    if (this.#breaks >= mostBreaks && performance.now() < this.#restsUntil) throw this.#toError(undefined);
    const batch = ++this.#batch;
    const first = await this.#post(asks, batch);
    if (!(first instanceof BrokenThread)) return first;
    const second = (await this.#kept(batch)) ?? (await this.#post(asks, batch));
    if (!(second instanceof BrokenThread)) return second;
    const kept = await this.#kept(batch);
    if (kept) return kept;
    throw this.#toError(second);
  }

  /** Whatever broke a thread has happened before the batch was kept, or after: the next one knows. */
  async #kept(batch: number): Promise<readonly Answer[] | undefined> {
    const last = await this.#started().catch((error: unknown) => this.#throw(error));
    return last?.batch === batch ? last.answers : undefined;
  }

  async #post(asks: readonly Ask[], batch: number): Promise<readonly Answer[] | BrokenThread> {
    try {
      await this.#started();
      const message = await this.#exchange({ type: 'batch', batch, asks, aheadMs: this.#aheadMs() });
      this.#breaks = 0;
      return message.type === 'answers' ? message.answers : [];
    } catch (error) {
      if (error instanceof BrokenThread) return error;
      throw error;
    }
  }

  /** Gives what its writer had kept last, where it had to be started. */
  async #started(): Promise<Extract<FromWorker, { type: 'open' }> | undefined> {
    if (this.#worker) return undefined;
    const worker = new Worker(this.#options.file ?? workerFile, {
      name: 'ai-agent-store',
      workerData: { ...this.#options.start, aheadMs: this.#aheadMs() } satisfies WorkerStart,
      // Older versions of Node call SQLite an experiment, on the terminal. Nothing else of this process is for the thread.
      execArgv: ['--disable-warning=ExperimentalWarning'],
      env: {},
    });
    this.#worker = worker;
    this.#listen(worker);
    const message = await this.#exchange(undefined);
    if (message.type === 'not-open') {
      this.#worker = undefined;
      throw toAgentError(message.failure);
    }
    return message.type === 'open' ? message : undefined;
  }

  #listen(worker: Worker): void {
    let cause: unknown;
    worker.on('message', (message: FromWorker) => {
      if (message.type === 'bug') this.#options.onBug(toAgentError(message.failure));
      else if (message.type === 'warning') this.#options.onWarning?.(message.sentence);
      else if (message.type === 'tended') this.#options.onTended?.(message.deleted);
      else this.#expected?.resolve(message);
    });
    worker.on('error', (error: unknown) => {
      cause = error;
    });
    worker.on('exit', () => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      this.#breaks++;
      this.#restsUntil = performance.now() + restMs;
      this.#expected?.reject(new BrokenThread('broken', { cause }));
    });
  }

  /** The process lives for as long as something is under way, and no longer. */
  async #exchange(message: ToWorker | undefined): Promise<FromWorker> {
    const worker = this.#worker as Worker;
    const { promise, resolve, reject } = Promise.withResolvers<FromWorker>();
    this.#expected = { resolve, reject };
    worker.ref();
    if (message) worker.postMessage(message);
    try {
      return await promise;
    } finally {
      this.#expected = undefined;
      worker.unref();
    }
  }

  #throw(error: unknown): never {
    throw error instanceof BrokenThread ? this.#toError(error) : error;
  }

  #aheadMs(): number {
    return this.#options.now() - Date.now();
  }

  #toError(broken: BrokenThread | undefined): AgentError {
    const { path } = this.#options.start;
    const reason = broken?.cause === undefined ? '' : ` (${messageOf(broken.cause)})`;
    const message = `The thread that keeps the store ${path} has broken down${reason}. It is started again when it is needed next.`;
    return new AgentError('store-failed', message, { retryable: true, ...(broken ? { cause: broken.cause } : {}) });
  }
}

class BrokenThread extends Error {}
