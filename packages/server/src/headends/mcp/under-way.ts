// Calls that are not answered yet, for whoever wants to wait until they are.

import { setImmediate, setTimeout } from 'node:timers/promises';

export class UnderWay {
  #count = 0;
  #none = Promise.withResolvers<void>();

  /** Until what is returned is called, once. */
  begin(): () => void {
    this.#count += 1;
    return () => {
      this.#count -= 1;
      if (this.#count > 0) return;
      this.#none.resolve();
      this.#none = Promise.withResolvers();
    };
  }

  /** Or when the time is over: one that waits for a person may wait for long. */
  async whenAnswered(withinMs: number): Promise<void> {
    if (this.#count > 0) await Promise.race([this.#none.promise, setTimeout(withinMs, undefined, { ref: false })]);
    // What came of the last one is on its way to the stream.
    await setImmediate();
  }
}
