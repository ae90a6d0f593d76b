// What is told of one session, line by line, for whoever looks into it: the beginning and the latest, not all of a long one.

import { type Fact, type LogRecord, toLogRecord } from '@ai-agent/core';

export type LogEntry = Pick<LogRecord, 'at' | 'level' | 'event' | 'op' | 'message'>;

/** How many lines of its beginning are kept, and of its end. */
const firstKept = 100;
const lastKept = 200;

export class SessionLog {
  readonly #first: LogEntry[] = [];
  #last: LogEntry[] = [];
  #count = 0;

  add(fact: Fact): void {
    const { at, level, event, op, message } = toLogRecord(fact);
    this.#count++;
    if (this.#first.length < firstKept) this.#first.push({ at, level, event, op, message });
    else this.#last.push({ at, level, event, op, message });
    // Twice as many may wait, so that not every line moves all of them.
    if (this.#last.length > 2 * lastKept) this.#last = this.#last.slice(-lastKept);
  }

  get first(): readonly LogEntry[] {
    return this.#first;
  }

  get last(): readonly LogEntry[] {
    return this.#last.slice(-lastKept);
  }

  /** How many lines between the first and the last are not kept. */
  get missing(): number {
    return this.#count - this.#first.length - Math.min(this.#last.length, lastKept);
  }
}
