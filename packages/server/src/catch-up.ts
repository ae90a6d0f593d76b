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
import type { Patience } from './patience.ts';

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
  readonly patience: Pick<Patience, 'within'>;
  /** Gives the store what it lacks of where the session waits. */
  readonly givePauses: () => Soon<void>;
  /** As it was when its round began, behind so many facts. */
  readonly begun: SessionHead;
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
  /** As it was when each round began of which the store may lack something. */
  #begun: readonly SessionHead[];
  #isHeadBehind = false;
  #hasFailed = false;
  #isDeleted = false;
  #doing: Promise<unknown> | undefined;
  /** What is given next, while the store is busy with what was given before. */
  #next: Promise<void> | undefined;

  constructor(options: CatchUpOptions) {
    this.#options = options;
    const { begun } = options;
    this.#begun = [begun];
    this.#told = begun.facts;
    this.#acknowledged = begun.facts;
    this.#kept = begun.facts;
    this.#round = options.round;
  }

  /** Whether the store lacks some of it. */
  get isBehind(): boolean {
    return !this.#isDeleted && (this.#isHeadBehind || this.#kept < this.#told);
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
    if (this.#begun.at(-1) !== head) this.#begun = [...this.#begun, head];
    this.#acknowledged = head.facts;
    this.#isHeadBehind = true;
  }

  /**
   * All that the store lacks. Throws what the store throws, `session-busy` when others have gone on with it meanwhile, and
   * `store-unreachable` when it hangs: then it is given all of that when it has answered.
   */
  give(): Soon<void> {
    if (this.#next) return this.#options.patience.within(this.#next);
    const isBusy = this.#doing !== undefined;
    const work = () => {
      this.#next = undefined;
      return this.#give();
    };
    const failed = (error: unknown): never => {
      this.#hasFailed = true;
      throw error;
    };
    const doing = this.#inOrder(() => attempt(work, failed));
    if (isBusy && takesTime(doing)) this.#next = doing;
    return this.#options.patience.within(doing);
  }

  /** With all that the store has of it; what it lacks is given no more. Throws what `give` throws: `done` is called when it is gone. */
  delete(done: () => void): Soon<void> {
    const gone = () => {
      this.#isDeleted = true;
      done();
    };
    return this.#options.patience.within(this.#inOrder(() => andThen(this.#delete(), gone)));
  }

  /** One after the other, whatever came of the one before. */
  #inOrder<T>(work: () => Soon<T>): Soon<T> {
    const doing = this.#doing ? this.#doing.then(work, work) : work();
    if (!takesTime(doing)) return doing;
    this.#doing = doing;
    const forget = () => {
      if (this.#doing === doing) this.#doing = undefined;
    };
    doing.then(forget, forget);
    return doing;
  }

  #give(): Soon<void> {
    if (this.#isDeleted) return;
    return andThen(inTurn([() => this.#ask(), () => this.#giveRounds()]), () => {
      this.#hasFailed = false;
    });
  }

  /** A store leaves alone what runs, as far as it knows: what was cut short on its way has to have ended there first. */
  #delete(): Soon<void> {
    const { id, store, copy } = this.#options;
    return andThen(store.delete(id), (isGone) => {
      if (isGone) return;
      return andThen(store.get(id), (known) => {
        const head = copy.head();
        if (!known || !head) return;
        if (known.resumptions > (this.#round ?? head.resumptions)) throw lost(id);
        const ended: SessionHead = {
          ...withoutEnd(head),
          status: 'interrupted',
          endedAt: head.createdAt,
          facts: this.#kept,
        };
        return andThen(store.put(ended), () =>
          andThen(store.delete(id), (isNow) => {
            if (!isNow) throw lost(id);
          }),
        );
      });
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

  /**
   * One after the other: wherever it breaks off, what the store has is a session that broke off there. The last head comes when
   * there is nothing before it any more, whatever was told and begun while the store took its time.
   */
  #giveRounds(): Soon<void> {
    const [begun, next] = this.#begun;
    if (!begun || !this.#options.copy.head()) return;
    return andThen(this.#introduce(begun, next), () =>
      andThen(this.#giveFacts(next?.facts ?? this.#told), () => {
        const after = this.#begun[1];
        if (!after && this.#kept >= this.#told) return this.#giveHead();
        if (after && this.#kept >= after.facts) this.#begun = this.#begun.slice(1);
        return this.#giveRounds();
      }),
    );
  }

  /** A round has a head before it has facts, with what was used before it; it has not ended before the store has all of it. */
  #introduce(begun: SessionHead, next: SessionHead | undefined): Soon<void> {
    const head = this.#options.copy.head();
    if (!head || this.#round === begun.resumptions) return;
    const isEarly = next !== undefined || (this.#kept < this.#told && !isUnderWay(head));
    const { title } = head;
    const first: SessionHead = isEarly
      ? { ...begun, status: 'running', ...(title === undefined ? {} : { title }) }
      : head;
    return this.#putHead(first);
  }

  #giveFacts(count: number): Soon<void> {
    const { id, store, copy } = this.#options;
    if (this.#kept >= count || !copy.head()) return;
    return andThen(store.append(id, copy.facts(this.#kept, count - this.#kept)), () => {
      this.#kept = count;
    });
  }

  #giveHead(): Soon<void> {
    const head = this.#options.copy.head();
    if (head && this.#isHeadBehind) return this.#putHead(head);
  }

  /** Whoever finds that it waits finds what it waits with. */
  #putHead(head: SessionHead): Soon<void> {
    const { store, givePauses } = this.#options;
    const isWaiting = head.resume !== undefined;
    const failed = (error: unknown) => {
      if (isWaiting) throw error;
    };
    const given = head.endedAt === undefined ? undefined : attempt(givePauses, failed);
    return andThen(given, () => andThen(store.put(head), () => this.#hasHead(head)));
  }

  #hasHead(head: SessionHead): void {
    this.#round = head.resumptions;
    if (this.#options.copy.head() === head) this.#isHeadBehind = false;
  }
}

export function lost(id: string): AgentError {
  return new AgentError('session-busy', `Somebody else has gone on with the session ${id}, or has deleted it.`);
}
