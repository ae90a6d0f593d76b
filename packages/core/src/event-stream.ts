// The events of a run as something to iterate: nothing is kept before somebody does, and a slow reader slows nobody.

import type { AgentEvent } from './events.ts';
import { isBelow } from './place.ts';
import type { Run } from './run.ts';

/** Hints that may wait for a reader; past this the oldest are dropped. Facts are never dropped. */
const maxWaitingHints = 1000;

export class EventStream implements AsyncIterable<AgentEvent> {
  readonly #run: Run;
  readonly #sessionId: string;
  /** Most sessions have none. */
  #readers: Set<Reader> | undefined;
  #isOver = false;

  /** Of one session and everything below it. */
  constructor(run: Run, sessionId: string) {
    this.#run = run;
    this.#sessionId = sessionId;
  }

  [Symbol.asyncIterator](): AsyncIterator<AgentEvent, undefined> {
    const reader = new Reader();
    if (this.#isOver) reader.end();
    else {
      const listener = (event: AgentEvent) => {
        if (isBelow(event.trace.selfId, this.#sessionId)) reader.push(event);
      };
      const unlisten = this.#run.listen(listener, { hints: true });
      reader.onEnd = () => {
        unlisten();
        this.#readers?.delete(reader);
      };
      this.#readers ??= new Set();
      this.#readers.add(reader);
    }
    return { next: () => reader.next(), return: () => reader.return() };
  }

  end(): void {
    this.#isOver = true;
    for (const reader of [...(this.#readers ?? [])]) reader.end();
  }
}

class Reader {
  onEnd = () => {};
  #waiting: AgentEvent[] = [];
  #hints = 0;
  #isOver = false;
  #wakes: (() => void)[] = [];

  push(event: AgentEvent): void {
    this.#waiting.push(event);
    if (event.kind === 'hint' && ++this.#hints > maxWaitingHints) this.#dropHints();
    this.#wakeAll();
  }

  async next(): Promise<IteratorResult<AgentEvent, undefined>> {
    while (this.#waiting.length === 0 && !this.#isOver) await new Promise<void>((resolve) => this.#wakes.push(resolve));
    const event = this.#waiting.shift();
    if (!event) return { done: true, value: undefined };
    if (event.kind === 'hint') this.#hints--;
    return { done: false, value: event };
  }

  end(): void {
    this.#isOver = true;
    this.onEnd();
    this.#wakeAll();
  }

  async return(): Promise<IteratorResult<AgentEvent, undefined>> {
    this.#waiting = [];
    this.end();
    return { done: true, value: undefined };
  }

  #wakeAll(): void {
    for (const wake of this.#wakes.splice(0)) wake();
  }

  /** Drops the older half at once, so that a reader who stands still costs little for each further hint. */
  #dropHints(): void {
    let excess = this.#hints - maxWaitingHints / 2;
    this.#waiting = this.#waiting.filter((event) => event.kind === 'fact' || excess-- <= 0);
    this.#hints = maxWaitingHints / 2;
  }
}
