// How many servers start at once. Who comes first is first.

export class Starts {
  readonly #most: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(most: number) {
    this.#most = Math.max(1, most);
  }

  /** What it gives is called once, when the start is over. Rejects as the signal says. */
  readonly enter = async (signal: AbortSignal): Promise<() => void> => {
    signal.throwIfAborted();
    if (this.#running >= this.#most) await this.#wait(signal);
    else this.#running++;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    };
  };

  /** A place is handed over: it is never free in between. */
  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        const at = this.#waiting.indexOf(onTurn);
        if (at >= 0) this.#waiting.splice(at, 1);
        reject(signal.reason);
      };
      const onTurn = () => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      };
      this.#waiting.push(onTurn);
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }
}
