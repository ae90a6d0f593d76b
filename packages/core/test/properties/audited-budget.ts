// Watches over the budget of a tree with books of its own: what was granted, what came of it, and whether that was right.

import type { Budget, BudgetPort, Clock, Fact, Grant, Need, NewAccount, Scope, Spent, Used } from '@ai-agent/core';
import { TreeBudget } from '../../src/budget/tree-budget.ts';
import { nothingSpent } from '../../src/budget.ts';
import { isBelow, selfAndAncestors } from '../../src/place.ts';
import {
  type Amount,
  type Amounts,
  amounts,
  type Book,
  callItself,
  isTimeUp,
  lastWord,
  least,
  ownLastWord,
  promisedTo,
} from './last-words.ts';

interface Flight extends Amounts {
  readonly sessionId: string;
}

/** Called in the middle of everything: somebody may end the tree there. */
interface Observer {
  onProblem(words: string): void;
  onStep(): void;
}

const tolerance = 1e-9;

export class AuditedBudget implements BudgetPort {
  readonly books = new Map<string, Book>();
  readonly #inner: TreeBudget;
  readonly #on: Observer;
  readonly #flights = new Map<string, Flight>();
  /** What calls used beyond their reservation. */
  readonly #excess = new Map<string, Amounts>();
  readonly #granted = new Set<string>();
  /** Who may have been granted something that nobody has heard of yet. */
  readonly #waiting = new Set<Need>();
  /** Settled since time last stood still: a grant that was waited for is heard of a little late. */
  readonly #justSettled = new Set<string>();
  /** What began to use time and has not said that it ended. */
  #working = 0;

  constructor(clock: Clock, on: Observer) {
    this.#inner = new TreeBudget(clock);
    this.#on = on;
  }

  /** Zero when all work is over. */
  get held(): number {
    return this.#inner.held + this.#flights.size + this.#working;
  }

  /** Everything that was due has happened. */
  rest(): void {
    this.#justSettled.clear();
    const [first] = this.#waiting;
    if (
      first &&
      this.#above(first.sessionId).every((book) => amounts.every((amount) => this.#isThere(first, book, amount)))
    )
      this.#on.onProblem(`${first.key} waits, though all that it asked for is there`);
  }

  open(account: NewAccount): void {
    const { sessionId: id, contextTokens } = account;
    const spent = { ...nothingSpent, ...account.spent };
    this.books.set(id, { id, account, contextTokens, unread: new Map(), spent, atLastGrant: new Set() });
    const halt: NewAccount['halt'] = (limit, { isFinal }) => {
      const isRight = this.#above(id).some((owner) =>
        isTimeUp(owner, this.spentBy(owner.id), isFinal ? undefined : id),
      );
      if (!isRight) this.#on.onProblem(`${id} was stopped by ${limit}, though there is time`);
      account.halt(limit, { isFinal });
    };
    this.#inner.open({ ...account, halt });
  }

  close(sessionId: string): void {
    const book = this.books.get(sessionId);
    const { timeMs } = this.#inner.spentBy(sessionId);
    if (book) {
      const most = Math.max(book.account.budget.timeMs ?? Number.POSITIVE_INFINITY, book.account.spent?.timeMs ?? 0);
      // A timer has whole milliseconds.
      if (timeMs > most + 1) this.#on.onProblem(`${sessionId} worked ${timeMs} of ${most} ms`);
    }
    this.#inner.close(sessionId);
    this.#on.onStep();
  }

  reserve(need: Need, scope: Scope): Grant | Promise<Grant> | undefined {
    const answer = this.#inner.reserve(need, scope);
    this.#on.onStep();
    if (!answer) return this.#noteUnbounded(need);
    if (!('then' in answer)) return this.#note(need, answer, { isLate: false });
    this.#waiting.add(need);
    return answer.finally(() => this.#waiting.delete(need)).then((grant) => this.#note(need, grant, { isLate: true }));
  }

  settle(key: string, used: Used = { inputTokens: 0, outputTokens: 0, costUsd: 0 }): void {
    const flight = this.#flights.get(key);
    if (flight) {
      this.#flights.delete(key);
      this.#justSettled.add(key);
      const { costUsd } = used;
      this.#book(key, flight, { tokens: used.inputTokens + used.outputTokens, costUsd });
      if (used.inputTokens > 0) this.#hear(flight.sessionId, used);
    }
    this.#inner.settle(key, used);
    this.#on.onStep();
  }

  take(sessionId: string, key: string, taken: readonly ('toolCalls' | 'descendants')[]): string | undefined {
    const refused = this.#inner.take(sessionId, key, taken);
    this.#on.onStep();
    if (refused !== undefined) return refused;
    for (const book of this.#above(sessionId))
      for (const amount of taken) {
        book.spent[amount]++;
        this.#hold(book, amount, 0);
      }
    return undefined;
  }

  begin(sessionId: string, key: string): (() => void) | undefined {
    const end = this.#inner.begin(sessionId, key);
    if (!end) return undefined;
    this.#working++;
    return () => {
      this.#working--;
      end();
    };
  }

  spentBy(sessionId: string): Spent {
    return this.#inner.spentBy(sessionId);
  }

  add(fact: Fact): void {
    this.#inner.add(fact);
  }

  /** After all: whatever was used too much was used by calls that nobody could stop any more. */
  finish(): void {
    for (const book of this.books.values())
      for (const amount of amounts) {
        let most = Math.max(book.account.budget[amount] ?? Number.POSITIVE_INFINITY, book.account.spent?.[amount] ?? 0);
        for (const key of book.atLastGrant) most += this.#excess.get(key)?.[amount] ?? 0;
        if (book.spent[amount] > most + tolerance)
          this.#on.onProblem(
            `${book.id} used ${book.spent[amount]} ${amount}, and ${most} is the most that it could help`,
          );
      }
  }

  #note(need: Need, grant: Grant, { isLate }: { readonly isLate: boolean }): Grant {
    if (!grant.isGranted) {
      if (!isLate) this.#checkRefusal(need, grant);
      return grant;
    }
    const isAgain = this.#granted.has(need.key);
    this.#granted.add(need.key);
    this.#flights.set(need.key, { sessionId: need.sessionId, ...promisedTo(need, grant.outputTokens) });
    if (grant.outputTokens < 0 || grant.outputTokens > need.outputTokens)
      this.#on.onProblem(`${need.key} was granted ${grant.outputTokens} tokens of ${need.outputTokens}`);
    for (const book of this.#above(need.sessionId)) {
      if (!isAgain) book.spent.turns++;
      this.#hold(book, 'turns', 0);
      const under = this.#under(book);
      book.atLastGrant = new Set([...under.map(([key]) => key), ...this.#justSettled]);
      for (const amount of amounts) {
        const promised = under.reduce((sum, [, flight]) => sum + flight[amount], 0);
        const more = isLate ? -this.#late(amount) : this.#heldBack(need, book, amount, grant.outputTokens);
        this.#hold(book, amount, promised + more);
      }
    }
    return grant;
  }

  /** Only where nothing is bounded may a call go unasked. */
  #noteUnbounded({ key, sessionId }: Need): undefined {
    const bounded = this.#above(sessionId).find(
      ({ account: { budget } }) => (budget.tokens ?? budget.costUsd ?? budget.turns) !== undefined,
    );
    if (bounded) this.#on.onProblem(`${key} was not counted, though ${bounded.id} has a budget`);
    return undefined;
  }

  /** A limit is kept, with what is promised and held back. */
  #hold(book: Book, amount: keyof Budget, more: number): void {
    const limit = book.account.budget[amount] ?? Number.POSITIVE_INFINITY;
    if (book.spent[amount] + more > limit + tolerance)
      this.#on.onProblem(`${book.id}: ${book.spent[amount]} ${amount} and ${more} more are over ${limit}`);
  }

  /** A refusal has a reason: not even the least reply fits once all others have settled. */
  #checkRefusal(need: Need, { limit, inputTokens }: Grant & { isGranted: false }): void {
    const short = this.#above(need.sessionId).filter((book) =>
      limit === 'turns' ? this.#isOutOfTurns(need, book) : !this.#fits(need, book, limit as Amount, tolerance),
    );
    if (short.length === 0) this.#on.onProblem(`${need.key} was refused for ${limit}, though there is enough`);
    if (inputTokens === undefined || inputTokens < 0 || !need.isLast) return;
    const shorter = { ...need, inputTokens };
    if (!short.some((book) => this.#fits(shorter, book, limit as Amount, -tolerance)))
      this.#on.onProblem(`${need.key} is told that ${inputTokens} input tokens would do, and they would not`);
  }

  #isOutOfTurns(need: Need, book: Book): boolean {
    const others = [...this.#waiting].filter(({ sessionId }) => isBelow(sessionId, book.id)).length;
    const turns = book.spent.turns + 1 + others + this.#speakers(need, book).length + (need.isLast ? 0 : 1);
    return !this.#granted.has(need.key) && turns > (book.account.budget.turns ?? Number.POSITIVE_INFINITY);
  }

  /** Whether a call fits with the least reply, once all others have settled. */
  #fits(need: Need, book: Book, amount: Amount, margin: number): boolean {
    const limit = book.account.budget[amount] ?? Number.POSITIVE_INFINITY;
    const output = least(need, limit, amount);
    return book.spent[amount] + this.#takes(need, book, amount, output) <= limit - margin;
  }

  /** Whether a call fits with all of its reply, though nobody settles. */
  #isThere(need: Need, book: Book, amount: Amount): boolean {
    const limit = book.account.budget[amount] ?? Number.POSITIVE_INFINITY;
    const promised = this.#under(book).reduce((sum, [, flight]) => sum + flight[amount], 0);
    return book.spent[amount] + promised + this.#takes(need, book, amount, need.outputTokens) <= limit - tolerance;
  }

  #takes(need: Need, book: Book, amount: Amount, outputTokens: number): number {
    return callItself(need, outputTokens, amount) + this.#heldBack(need, book, amount, outputTokens);
  }

  #under(book: Book): readonly [string, Flight][] {
    return [...this.#flights].filter(([, { sessionId }]) => isBelow(sessionId, book.id));
  }

  #book(key: string, flight: Flight, used: Amounts): void {
    this.#excess.set(key, {
      tokens: Math.max(0, used.tokens - flight.tokens),
      costUsd: Math.max(0, used.costUsd - flight.costUsd),
    });
    for (const book of this.#above(flight.sessionId)) for (const amount of amounts) book.spent[amount] += used[amount];
  }

  /** What a session says is part of its conversation, and soon of its caller's. */
  #hear(sessionId: string, { inputTokens, outputTokens }: Used): void {
    const [own, caller] = this.#above(sessionId);
    if (own) own.contextTokens = inputTokens + outputTokens;
    own?.unread.clear();
    caller?.unread.set(sessionId, outputTokens);
  }

  #late(amount: Amount): number {
    return [...this.#justSettled].reduce((sum, key) => sum + (this.#excess.get(key)?.[amount] ?? 0), 0);
  }

  /** For its own last word, if this is not it, and those of the sessions above it. */
  #heldBack(need: Need, owner: Book, amount: Amount, outputTokens: number): number {
    const limit = owner.account.budget[amount] ?? Number.POSITIVE_INFINITY;
    const own = ownLastWord(need, outputTokens, limit, amount);
    return this.#speakers(need, owner).reduce((sum, book) => sum + lastWord(book, limit, amount), own);
  }

  /** Who else has a last word before the owner's budget may be used up. */
  #speakers(need: Need, owner: Book): readonly Book[] {
    return this.#above(need.sessionId).filter(({ id }) => id !== need.sessionId && isBelow(id, owner.id));
  }

  /** The books of a session and of all above it. */
  #above(sessionId: string): readonly Book[] {
    return selfAndAncestors(sessionId).flatMap((id) => this.books.get(id) ?? []);
  }
}
