// Cancellation and stops down a tree of scopes, without a listener per scope on anybody's signal.

import { type Counter, count, type Seat } from './counter.ts';
import { AgentError, messageOf } from './errors.ts';

/**
 * What a stop does to a scope: ends its work; ends it only when time is really over; passes through to sessions below, which end
 * with what they have; or passes through as it is, because the session below has the last word.
 */
export type EndsOn = 'stop' | 'cut' | 'nothing' | 'last-word';

/**
 * One node of the tree. Children are known by reference, so an abort walks down by itself and a closed scope
 * leaves nothing behind. Only a foreign signal gets a listener, one for the whole tree, removed on close.
 */
export class Scope {
  // Made when first needed: thousands of scopes are alive at once, and most of them never need any of these.
  #controller: AbortController | undefined;
  #links: (() => void)[] | undefined;
  // Lists through their members instead of sets beside them, for the same reason.
  #firstChild: Scope | undefined;
  #next: Scope | undefined;
  #previous: Scope | undefined;
  #waiting: Waiter | undefined;
  #reason: AgentError | undefined;
  #abortedAt: number | undefined;
  #halted: AgentError | undefined;
  #counter: Counter | undefined;
  readonly #endsOn: EndsOn;
  readonly #above: Scope | (() => number);

  /** Below a parent, or at the root with a clock that tells when it was aborted. */
  constructor(above: Scope | (() => number), endsOn: EndsOn = 'nothing') {
    this.#above = above;
    this.#endsOn = endsOn;
    if (!(above instanceof Scope)) return;
    this.#reason = above.#reason;
    this.#abortedAt = above.#abortedAt;
    if (!this.#reason && above.#halted) this.#haltFrom(above.#halted);
    if (!this.#reason) this.#attach(above);
  }

  /** For whoever does the work. Made on demand: most scopes never need one. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#reason) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  get isAborted(): boolean {
    return this.#reason !== undefined;
  }

  get reason(): AgentError | undefined {
    return this.#reason;
  }

  get abortedAt(): number | undefined {
    return this.#abortedAt;
  }

  /** Why nothing new may begin here, though nothing was cancelled: `stopped`, or `cut-off` when not even a last word is due. */
  get halted(): AgentError | undefined {
    return this.#halted;
  }

  /** Everything that still hangs on this scope; zero when all work is over. */
  get held(): number {
    let held = this.#links?.length ?? 0;
    for (let child = this.#firstChild; child; child = child.#next) held++;
    for (let waiter = this.#waiting; waiter; waiter = waiter.next) held++;
    return held;
  }

  /** Follows a signal that is not ours, until closed. */
  follow(signal: AbortSignal): void {
    const onAbort = () => this.abort(cancelled(`The caller cancelled the run${whyOf(signal.reason)}.`, signal.reason));
    if (signal.aborted) {
      onAbort();
      return;
    }
    signal.addEventListener('abort', onAbort, { once: true });
    this.#links ??= [];
    this.#links.push(() => signal.removeEventListener('abort', onAbort));
  }

  /** Now, or as it was at an earlier time. */
  abort(reason: AgentError, at?: number): void {
    if (this.#reason) return;
    this.#reason = reason;
    const above = this.#above instanceof Scope ? this.#above.abortedAt : undefined;
    this.#abortedAt = at ?? above ?? this.#now();
    // Downwards first: whoever reacts to this abort finds everything below already told.
    for (const child of this.#children()) child.abort(reason);
    this.#controller?.abort(reason);
    let waiter = this.#waiting;
    this.#waiting = undefined;
    for (; waiter; waiter = waiter.next) waiter.reject(reason);
  }

  /**
   * A limit, not a cancellation: work under way ends as stopped, sessions below end with what they have, and the session
   * of this scope may have a last word, unless it is cut off.
   */
  halt(reason: AgentError): void {
    if (this.#reason || this.#halted?.code === 'cut-off' || this.#halted?.code === reason.code) return;
    this.#halted = reason;
    for (const child of this.#children()) child.#haltFrom(reason);
  }

  /** Stops the sessions directly below, each with a last word of its own, and other work below at once. */
  stopBelow(reason: AgentError): void {
    for (const child of this.#children()) child.#haltFrom(reason, true);
  }

  #haltFrom(above: AgentError, hasLastWord = false): void {
    const isCut = above.code === 'cut-off';
    if (this.#endsOn === 'stop' || (this.#endsOn === 'cut' && isCut)) this.abort(above);
    else if (this.#endsOn === 'nothing') this.halt(isCut || hasLastWord ? above : cutOff(above));
    else if (this.#endsOn === 'last-word') this.halt(above);
  }

  /** Says who counts the time of what is done here and below. */
  countedBy(counter: Counter): void {
    this.#counter = counter;
  }

  /** Something here waits: nobody's time counts from here up, unless others are at work there, until what this gives is called. */
  stand(): () => void {
    const counters = this.#countersFrom(this);
    if (!counters) return nothing;
    count(counters, { waiting: 1 });
    return () => count(counters, { waiting: -1 });
  }

  /** The same until the work settles. */
  waits<T>(work: Promise<T>): Promise<T> {
    const goOn = this.stand();
    return goOn === nothing ? work : work.finally(goOn);
  }

  /** A call of this scope is at work, which is the time of those above, whoever waits beside it. Nothing when nobody counts. */
  work(): (() => void) | undefined {
    const counters = this.#countersFrom(this.#above);
    if (!counters) return undefined;
    count(counters, { working: 1 });
    return () => count(counters, { working: -1 });
  }

  /** The call that this is part of waits for others: what it holds is theirs meanwhile. Nothing when it holds nothing. */
  stepAside(): (() => Promise<void>) | undefined {
    let seat: Seat | undefined;
    for (let at: Scope | (() => number) = this; at instanceof Scope && !seat; at = at.#above) seat = at.#counter?.seat;
    const comeBack = seat?.leave();
    if (!comeBack) return undefined;
    return async () => {
      const back = comeBack();
      if (back) await this.waits(this.race(back));
    };
  }

  #countersFrom(first: Scope | (() => number)): readonly Counter[] | undefined {
    let counters: Counter[] | undefined;
    for (let at = first; at instanceof Scope; at = at.#above) {
      if (!at.#counter) continue;
      counters ??= [];
      counters.push(at.#counter);
    }
    return counters;
  }

  /** Settles as the work does, or rejects at once on abort; work that ignores its signal is left behind. */
  race<T>(work: Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#reason) {
        work.catch(() => {});
        reject(this.#reason);
        return;
      }
      const waiter: Waiter = { reject, next: this.#waiting };
      this.#waiting = waiter;
      work.then(
        (value) => {
          this.#drop(waiter);
          resolve(value);
        },
        (error) => {
          this.#drop(waiter);
          reject(error);
        },
      );
    });
  }

  throwIfAborted(): void {
    if (this.#reason) throw this.#reason;
  }

  close(): void {
    if (this.#above instanceof Scope) this.#detach(this.#above);
    for (const unlink of this.#links ?? []) unlink();
    this.#links = undefined;
  }

  /** A copy: whoever is told may leave meanwhile. */
  #children(): readonly Scope[] {
    const children: Scope[] = [];
    for (let child = this.#firstChild; child; child = child.#next) children.push(child);
    // Oldest first, as they came.
    return children.reverse();
  }

  #attach(parent: Scope): void {
    this.#next = parent.#firstChild;
    if (this.#next) this.#next.#previous = this;
    parent.#firstChild = this;
  }

  #detach(parent: Scope): void {
    if (this.#previous) this.#previous.#next = this.#next;
    else if (parent.#firstChild === this) parent.#firstChild = this.#next;
    if (this.#next) this.#next.#previous = this.#previous;
    this.#next = undefined;
    this.#previous = undefined;
  }

  #drop(waiter: Waiter): void {
    if (this.#waiting === waiter) {
      this.#waiting = waiter.next;
      return;
    }
    for (let at = this.#waiting; at; at = at.next) if (at.next === waiter) at.next = waiter.next;
  }

  #now(): number {
    return this.#above instanceof Scope ? this.#above.#now() : this.#above();
  }
}

interface Waiter {
  readonly reject: (reason: AgentError) => void;
  next: Waiter | undefined;
}

const nothing = () => {};

/** The caller's own words, when the reason is more than what every abort says. */
function whyOf(reason: unknown): string {
  const isPlain = reason === undefined || (reason instanceof Error && reason.name === 'AbortError');
  return isPlain ? '' : `: ${messageOf(reason).replace(/[.\s]+$/, '')}`;
}

export function cancelled(message: string, cause?: unknown): AgentError {
  return new AgentError('cancelled', message, { cause });
}

/** The work of a session was stopped by this limit of its own; it may still answer from what it has. */
export function stopped(limit: string): AgentError {
  const message = limit === 'stop' ? 'This was stopped' : `The limit ${limit} stopped this`;
  return new AgentError('stopped', `${message} before it was done.`, { limit });
}

/** The same, with no time left for a last word. */
export function cutOff({ limit = 'stop' }: { readonly limit?: string | undefined }): AgentError {
  const message = limit === 'stop' ? 'This was stopped' : `The limit ${limit} stopped this`;
  return new AgentError('cut-off', `${message}, with no time left for a last word.`, { limit });
}
