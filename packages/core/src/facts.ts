// Writes the facts of one session: numbered, and timed by what operations reported, so that a replay writes the same.

import type { Fact } from './events.ts';
import type { Json } from './json.ts';
import type { Message } from './message.ts';
import { type Place, type Subject, traceOf, traceWithin } from './place.ts';
import type { Run } from './run.ts';
import type { Trace } from './trace.ts';

type Draft<F> = F extends Fact ? Omit<F, 'kind' | 'seq' | 'at' | 'trace'> : never;

export class FactWriter {
  readonly #run: Run;
  readonly #trace: Trace;
  #seq = 0;
  #now = 0;

  constructor(run: Run, place: Place) {
    this.#run = run;
    this.#trace = traceOf(place);
  }

  /** The session's only clock: the latest moment any of its operations has reported. */
  get now(): number {
    return this.#now;
  }

  advance(at: number): void {
    if (at > this.#now) this.#now = at;
  }

  /** What was said in a session below, as its facts tell. */
  conversationOf(sessionId: string): readonly Message[] | undefined {
    return this.#run.records.conversations.of(sessionId);
  }

  /** The same of a session that an earlier run had. */
  recall(sessionId: string, messages: readonly Message[]): void {
    this.#run.records.conversations.recall(sessionId, messages);
  }

  /** Facts that were told before, and are no news where they were heard. */
  tellAgain(facts: readonly Json[]): void {
    for (const fact of facts) this.#run.emit(fact as unknown as Fact);
  }

  /** The draft becomes the fact: whoever writes one makes it for this, and does not use it again. */
  write(draft: Draft<Fact>, subject: Subject = {}): void {
    this.#seq++;
    const known = { kind: 'fact', seq: this.#seq, at: this.#now, trace: traceWithin(this.#trace, subject) } as const;
    this.#run.emit(Object.assign(draft, known) as Fact);
  }
}
