// Work that several wait for and that is done once. It is called off when nobody waits any more.

interface Running<T> {
  readonly result: Promise<T>;
  readonly stop: AbortController;
  waiting: number;
}

export class SharedWork<T> {
  #running: Running<T> | undefined;

  /** Joins what is under way, or begins it. Rejects as the signal says, for this one alone. */
  async join(work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    this.#running ??= this.#begin(work);
    const running = this.#running;
    running.waiting++;
    try {
      return await (signal ? orAborted(running.result, signal) : running.result);
    } finally {
      running.waiting--;
      if (running.waiting === 0) this.#end(running, signal?.reason);
    }
  }

  #begin(work: (signal: AbortSignal) => Promise<T>): Running<T> {
    const stop = new AbortController();
    const result = work(stop.signal);
    // Whoever waited may have gone.
    result.catch(() => {});
    return { result, stop, waiting: 0 };
  }

  /** Who comes from now on begins anew. */
  #end(running: Running<T>, reason: unknown): void {
    running.stop.abort(reason);
    if (this.#running === running) this.#running = undefined;
  }
}

async function orAborted<T>(result: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort);
  try {
    return await Promise.race([result, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
