// Entries of the log of one request as notes to its client: in order, and only as many as it reads.

import type { LogEntry } from './log-entries.ts';

/** Under way at once; what comes while a client reads none of them is counted, not kept. */
const mostUnderWay = 200;

export class LogNotes {
  readonly #send: (entry: LogEntry) => Promise<void>;
  #underWay = 0;
  #missed = 0;

  constructor(send: (entry: LogEntry) => Promise<void>) {
    this.#send = send;
  }

  say(entry: LogEntry): void {
    if (this.#underWay >= mostUnderWay) {
      this.#missed++;
      return;
    }
    const missed = this.#missed;
    this.#missed = 0;
    this.#underWay++;
    const sent = () => void this.#underWay--;
    const { level, logger, data } = entry;
    this.#send(missed > 0 ? { level, logger, data: { ...data, entriesMissed: missed } } : entry).then(sent, sent);
  }
}
