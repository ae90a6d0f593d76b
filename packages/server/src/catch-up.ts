// A session on its way into a store that may fail: what of it the store has, and how it is given what it lacks.

import {
  AgentError,
  type Fact,
  isUnderWay,
  type SessionHead,
  type SessionStore,
  takesTime,
  withoutEnd,
} from '@ai-agent/core';
import { andThen, attempt, inTurn, type Soon } from './at-once.ts';

/** Where all of it is, whatever the store does. */
export interface Copy {
  head(): SessionHead | undefined;
  /** Counted over the life of the session. */
  facts(after: number, count: number): readonly Fact[];
}

interface CatchUpOptions {
  readonly id: string;
  readonly store: SessionStore;
  readonly copy: Copy;
  /** How many facts were told of it before. */
  readonly facts: number;
  /** The round that the store has of it. @default it has never heard of it */
  readonly round?: number | undefined;
}

export class CatchUp {
  readonly #options: CatchUpOptions;
  #told: number;
  /** How many facts whoever writes knows to be kept: what it gives next begins behind them. */
  #acknowledged: number;
  #kept: number;
  #round: number | undefined;
  /** It was gone on with while the store could not say whether that was right. */
  #claim: SessionHead | undefined;
  #isHeadBehind = false;
  #hasFailed = false;
  #doing: Promise<void> | undefined;

  constructor(options: CatchUpOptions) {
    this.#options = options;
    this.#told = options.facts;
    this.#acknowledged = options.facts;
    this.#kept = options.facts;
    this.#round = options.round;
  }

  /** Whether the store lacks some of it. */
  get isBehind(): boolean {
    return this.#isHeadBehind || this.#kept < this.#told;
  }

  /** How many facts the store has. */
  get kept(): number {
    return this.#kept;
  }

  /** Its head has changed. */
  put(): Soon<void> {
    this.#isHeadBehind = true;
    return this.give();
  }

  /** Those that nobody was given yet go to the copy. */
  append(facts: readonly Fact[], add: (facts: readonly Fact[]) => void): Soon<void> {
    const more = facts.slice(this.#told - this.#acknowledged);
    add(more);
    this.#told += more.length;
    const count = this.#told;
    return andThen(this.give(), () => {
      this.#acknowledged = count;
    });
  }

  /** It goes on behind so many facts, and the store could not be asked. */
  goOn(head: SessionHead): void {
    if (!this.isBehind) this.#claim = head;
    this.#acknowledged = head.facts;
    this.#isHeadBehind = true;
  }

  /** All that the store lacks. Throws what the store throws, and `session-busy` when others have gone on with it meanwhile. */
  give(): Soon<void> {
    const work = () => this.#give();
    const failed = (error: unknown): never => {
      this.#hasFailed = true;
      throw error;
    };
    const doing = this.#doing ? this.#doing.then(work, work).catch(failed) : attempt(work, failed);
    if (!takesTime(doing)) return;
    this.#doing = doing;
    const forget = () => {
      if (this.#doing === doing) this.#doing = undefined;
    };
    doing.then(forget, forget);
    return doing;
  }

  /** Facts before the head that counts them. */
  #give(): Soon<void> {
    const steps = [() => this.#ask(), () => this.#introduce(), () => this.#giveFacts(), () => this.#giveHead()];
    return andThen(inTurn(steps), () => {
      this.#hasFailed = false;
    });
  }

  /** Whether it is ours still. */
  #ask(): Soon<void> {
    const { id, store } = this.#options;
    const claim = this.#claim;
    const round = this.#round;
    if (claim)
      return andThen(store.claim(claim), (isOurs) => {
        if (!isOurs) throw lost(id);
        this.#claim = undefined;
        this.#round = claim.resumptions;
      });
    if (!this.#hasFailed || round === undefined) return;
    return andThen(store.get(id), (head) => {
      if (!head || head.resumptions > round) throw lost(id);
    });
  }

  /** A session has a head before it has facts; it has not ended before the store has all of it. */
  #introduce(): Soon<void> {
    const { store, copy } = this.#options;
    const head = copy.head();
    if (this.#round !== undefined || !head) return;
    const isEarly = this.#kept < this.#told && !isUnderWay(head);
    const first: SessionHead = isEarly ? { ...withoutEnd(head), status: 'running', facts: 0 } : head;
    return andThen(store.put(first), () => this.#hasHead(first));
  }

  #giveFacts(): Soon<void> {
    const { id, store, copy } = this.#options;
    const count = this.#told;
    if (this.#kept === count) return;
    return andThen(store.append(id, copy.facts(this.#kept, count - this.#kept)), () => {
      this.#kept = count;
    });
  }

  #giveHead(): Soon<void> {
    const { store, copy } = this.#options;
    const head = copy.head();
    if (!head || !this.#isHeadBehind) return;
    return andThen(store.put(head), () => this.#hasHead(head));
  }

  #hasHead(head: SessionHead): void {
    this.#round = head.resumptions;
    if (this.#options.copy.head() === head) this.#isHeadBehind = false;
  }
}

export function lost(id: string): AgentError {
  return new AgentError('session-busy', `Somebody else has gone on with the session ${id}, or has deleted it.`);
}
