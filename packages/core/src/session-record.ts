// A session written down while it runs: its facts and its head go to a store in order, and what the store has is known.

import type { Fact } from './events.ts';
import type { UserMessage } from './message.ts';
import { type SessionHead, type SessionStore, takesTime, withoutEnd } from './session-store.ts';
import { oneLine } from './text.ts';
import { addTotals, noTotals } from './totals.ts';

export interface Recording {
  readonly store: SessionStore;
  /** Told once, when the store has failed to keep some of it. */
  readonly onBug: (error: unknown) => void;
}

export class SessionRecord {
  readonly #recording: Recording;
  readonly #facts: Fact[] = [];
  readonly #before: number;
  readonly #usageBefore: SessionHead['usage'];
  #head: SessionHead;
  /** How many of the facts the store has for good. */
  #kept = 0;
  /** Settles when the store has everything that it was given, or has failed to take it. */
  #written: Promise<void> | undefined;
  #isFailing = false;
  /** Whoever goes on with a session has it from the store. */
  #isKnown: boolean;
  /** A head that the store has failed to take: it is given it again before any facts, and has heard of no end before them. */
  #refused: SessionHead | undefined;
  /** Whether facts wait until what is under way is done: those that are told meanwhile go with them. */
  #isAppendWaiting = false;
  #hasLost = false;
  #onKept: () => void = () => {};

  /** Facts that were told before it went on, as its head counts them, are in the store alone. */
  constructor(head: SessionHead, recording: Recording) {
    this.#head = head;
    this.#recording = recording;
    this.#before = head.facts;
    this.#usageBefore = head.usage;
    this.#isKnown = head.resumptions > 0;
  }

  get head(): SessionHead {
    return this.#head;
  }

  /** How many facts were told in all. */
  get count(): number {
    return this.#before + this.#facts.length;
  }

  /** How many of them were told before it went on. */
  get before(): number {
    return this.#before;
  }

  /** How many the store has for good. */
  get kept(): number {
    return this.#before + this.#kept;
  }

  /** Whether the store has heard of the session: what is told before that may be lost with all of it. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  /** Whether the store has refused the last that it was given: what is told now may be lost with this process. */
  get isFailing(): boolean {
    return this.#isFailing;
  }

  /** A fact that was told since it went on, by its number: whatever the store is doing. */
  fact(number: number): Fact | undefined {
    return this.#facts[number - this.#before - 1];
  }

  /** Those told since it went on. */
  facts(): readonly Fact[] {
    return this.#facts.slice();
  }

  /** Called whenever the store has more for good, and when it has failed. */
  onKept(listener: () => void): void {
    this.#onKept = listener;
  }

  /** The next fact. Gives its number. */
  readonly tell = (fact: Fact): number => {
    this.#facts.push(fact);
    const isRoot = fact.trace.selfId === fact.trace.originId;
    if (isRoot && fact.type === 'session-start') this.put({ ...this.#head, ...titleOf(this.#head, fact.messages) });
    if (isRoot && fact.type === 'session-end')
      this.#head = { ...this.#head, usage: addTotals(this.#head.usage ?? noTotals, fact.usage) };
    this.#writeFacts();
    return this.count;
  };

  /** The head as it is from now on; the store has what was told before it. */
  put(head: SessionHead): void {
    this.#head = head;
    this.#writeFacts();
    this.#write((store) => this.#putHead(store, head));
  }

  /** The same, where the store need not know yet: it is told with the next. */
  change(head: SessionHead): void {
    this.#head = head;
  }

  /** Whether the store has everything at this moment, or has failed. */
  get isWritten(): boolean {
    return this.#written === undefined;
  }

  /** The store has everything that was told until now, or has failed. */
  async whenSoFar(): Promise<void> {
    await this.#written;
  }

  /** The store has everything, or has failed. */
  async whenWritten(): Promise<void> {
    while (this.#written) await this.#written;
  }

  /** One that takes long to fail is not asked once for every fact. */
  #writeFacts(): void {
    if (this.#isAppendWaiting) return;
    this.#isAppendWaiting = true;
    this.#write((store) => {
      this.#isAppendWaiting = false;
      return this.#append(store);
    });
  }

  #putHead(store: SessionStore, head: SessionHead): void | Promise<void> {
    this.#refused = head;
    const doing = store.put(store.hasCopy ? head : this.#asKept(head));
    const done = () => {
      this.#refused = undefined;
      this.#isKnown = true;
    };
    return takesTime(doing) ? doing.then(done) : done();
  }

  /** Whoever finds an end in a store finds all that led to it there, or that it was interrupted. */
  #asKept(head: SessionHead): SessionHead {
    const { endedAt } = head;
    if (endedAt === undefined || this.#kept === this.#facts.length) return head;
    const { usage: _usage, ...open } = withoutEnd(head);
    // What the round has used is in its facts, as far as they are kept.
    const usage = this.#usageBefore ? { usage: this.#usageBefore } : {};
    return { ...open, ...usage, status: 'interrupted', endedAt, facts: this.kept };
  }

  /** Also what it failed to take before: each keeps its number. A store knows nothing of facts whose session it never had. */
  readonly #append = (store: SessionStore): void | Promise<void> => {
    const put = this.#refused && !store.hasCopy ? this.#putHead(store, this.#refused) : undefined;
    return put && takesTime(put) ? put.then(() => this.#appendFacts(store)) : this.#appendFacts(store);
  };

  readonly #appendFacts = (store: SessionStore): void | Promise<void> => {
    const facts = this.#facts.slice(this.#kept);
    if (facts.length === 0) return;
    const doing = store.append(this.#head.id, facts);
    if (takesTime(doing)) return doing.then(() => this.#keep(facts.length));
    this.#keep(facts.length);
  };

  #keep(count: number): void {
    this.#kept += count;
    this.#isFailing = false;
    this.#tellKept();
  }

  /** One after the other, as they were told. A store that fails costs what it would have kept, never the run. */
  #write(work: (store: SessionStore) => void | Promise<void>): void {
    const { store } = this.#recording;
    try {
      const doing = this.#written ? this.#written.then(() => work(store)) : work(store);
      if (takesTime(doing)) this.#wait(doing);
    } catch (error) {
      this.#lose(error);
    }
  }

  #wait(doing: PromiseLike<void>): void {
    const done = Promise.resolve(doing)
      .catch((error: unknown) => this.#lose(error))
      .then(() => {
        if (this.#written === done) this.#written = undefined;
      });
    this.#written = done;
  }

  #lose(error: unknown): void {
    this.#isFailing = true;
    if (!this.#hasLost) this.#recording.onBug(error);
    this.#hasLost = true;
    this.#tellKept();
  }

  /** Whoever looks on must not hurt what is written. */
  #tellKept(): void {
    try {
      this.#onKept();
    } catch {}
  }
}

const longestTitle = 200;

/** What was asked at first, in a line: nobody wants to read more of it in a list. */
function titleOf({ title }: SessionHead, messages: readonly { readonly role: string }[]): { readonly title?: string } {
  if (title !== undefined) return {};
  const asked = messages.findLast((message): message is UserMessage => message.role === 'user');
  // Cut first: a prompt may be a book.
  const text = asked ? oneLine(wordsOf(asked).slice(0, 2 * longestTitle)) : '';
  return { title: text.length > longestTitle ? `${text.slice(0, longestTitle - 1)}…` : text };
}

function wordsOf({ content }: UserMessage): string {
  return content.map((part) => (part.type === 'text' ? part.text : '')).join(' ');
}
