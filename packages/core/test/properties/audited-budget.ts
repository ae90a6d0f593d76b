// Watches over the budget of a tree with books of its own: what was granted, what came of it, and whether that was right.

import type { Budget, BudgetPort, Clock, Fact, Grant, Need, NewAccount, Scope, Spent, Used } from '@ai-agent/core';
import { TreeBudget } from '../../src/budget/tree-budget.ts';
import { nothingSpent } from '../../src/budget.ts';
import { isBelow, selfAndAncestors } from '../../src/place.ts';
import { type Book, lastWord, leastReply } from './last-words.ts';

interface Flight extends Used {
  readonly sessionId: string;
}

const amounts = ['tokens', 'costUsd'] as const;
const tolerance = 1e-9;

export class AuditedBudget implements BudgetPort {
  readonly books = new Map<string, Book>();
  readonly #inner: TreeBudget;
  readonly #tell: (problem: string) => void;
  readonly #flights = new Map<string, Flight>();
  /** What calls used beyond their reservation. */
  readonly #excess = new Map<string, Used>();
  readonly #granted = new Set<string>();
  /** Who may have been granted something that nobody has heard of yet. */
  readonly #waiting = new Set<Need>();
  /** Settled since time last stood still: a grant that was waited for is heard of a little late. */
  readonly #justSettled = new Set<string>();

  /** Called in the middle of everything: somebody may end the tree there. */
  onStep = () => {};

  constructor(clock: Clock, tell: (problem: string) => void) {
    this.#inner = new TreeBudget(clock);
    this.#tell = tell;
  }

  /** Zero when all work is over. */
  get held(): number {
    return this.#inner.held + this.#flights.size;
  }

  /** Everything that was due has happened. */
  rest(): void {
    this.#justSettled.clear();
  }

  open(account: NewAccount): void {
    const { sessionId: id, contextTokens } = account;
    const spent = { ...nothingSpent, ...account.spent };
    this.books.set(id, { id, account, contextTokens, spent, isOpen: true, atLastGrant: new Set() });
    this.#inner.open(account);
  }

  close(sessionId: string): void {
    const book = this.books.get(sessionId);
    const { timeMs } = this.#inner.spentBy(sessionId);
    if (book) {
      book.isOpen = false;
      const most = Math.max(book.account.budget.timeMs ?? Number.POSITIVE_INFINITY, book.account.spent?.timeMs ?? 0);
      // A timer has whole milliseconds.
      if (timeMs > most + 1) this.#tell(`${sessionId} worked ${timeMs} of ${most} ms`);
    }
    this.#inner.close(sessionId);
    this.onStep();
  }

  reserve(need: Need, scope: Scope): Grant | Promise<Grant> {
    const answer = this.#inner.reserve(need, scope);
    this.onStep();
    if (!('then' in answer)) return this.#note(need, answer, { isLate: false });
    this.#waiting.add(need);
    return answer.finally(() => this.#waiting.delete(need)).then((grant) => this.#note(need, grant, { isLate: true }));
  }

  settle(key: string, used: Used = { tokens: 0, costUsd: 0 }): void {
    const flight = this.#flights.get(key);
    if (flight) {
      this.#flights.delete(key);
      this.#justSettled.add(key);
      this.#excess.set(key, {
        tokens: Math.max(0, used.tokens - flight.tokens),
        costUsd: Math.max(0, used.costUsd - flight.costUsd),
      });
      for (const book of this.#above(flight.sessionId))
        for (const amount of amounts) book.spent[amount] += used[amount];
      const own = this.books.get(flight.sessionId);
      if (own && used.tokens > 0) own.contextTokens = used.tokens;
    }
    this.#inner.settle(key, used);
    this.onStep();
  }

  take(sessionId: string, key: string, taken: readonly ('toolCalls' | 'descendants')[]): string | undefined {
    const refused = this.#inner.take(sessionId, key, taken);
    this.onStep();
    if (refused !== undefined) return refused;
    for (const book of this.#above(sessionId))
      for (const amount of taken) {
        book.spent[amount]++;
        this.#hold(book, amount, 0);
      }
    return undefined;
  }

  begin(sessionId: string, key: string): () => void {
    return this.#inner.begin(sessionId, key);
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
          this.#tell(`${book.id} used ${book.spent[amount]} ${amount}, and ${most} is the most that it could help`);
      }
  }

  #note(need: Need, grant: Grant, { isLate }: { readonly isLate: boolean }): Grant {
    if (!grant.isGranted) {
      if (!isLate) this.#checkRefusal(need, grant.limit);
      return grant;
    }
    const isAgain = this.#granted.has(need.key);
    this.#granted.add(need.key);
    const tokens = need.inputTokens + grant.outputTokens;
    const { price } = need;
    const output = typeof price === 'object' ? (grant.outputTokens * price.output) / 1e6 : 0;
    const input = typeof price === 'object' ? (need.inputTokens * price.input) / 1e6 : 0;
    this.#flights.set(need.key, { sessionId: need.sessionId, tokens, costUsd: input + output });
    if (grant.outputTokens < 0) this.#tell(`${need.key} was granted ${grant.outputTokens} tokens`);
    for (const book of this.#above(need.sessionId)) {
      if (!isAgain) book.spent.turns++;
      this.#hold(book, 'turns', 0);
      const under = [...this.#flights].filter(([, flight]) => isBelow(flight.sessionId, book.id));
      book.atLastGrant = new Set([...under.map(([key]) => key), ...this.#justSettled]);
      for (const amount of amounts) {
        const promised = under.reduce((sum, [, flight]) => sum + flight[amount], 0);
        this.#hold(book, amount, promised + (isLate ? -this.#late(amount) : this.#heldBack(need, book, amount)));
      }
    }
    return grant;
  }

  /** A limit is kept, with what is promised and held back. */
  #hold(book: Book, amount: keyof Budget, more: number): void {
    const limit = book.account.budget[amount] ?? Number.POSITIVE_INFINITY;
    if (book.spent[amount] + more > limit + tolerance)
      this.#tell(`${book.id}: ${book.spent[amount]} ${amount} and ${more} more are over ${limit}`);
  }

  /** A refusal has a reason: not even the least reply fits once all others have settled. */
  #checkRefusal(need: Need, limit: string): void {
    const isRight = this.#above(need.sessionId).some((book) => {
      const all = book.account.budget.turns ?? Number.POSITIVE_INFINITY;
      const others = [...this.#waiting].filter(({ sessionId }) => isBelow(sessionId, book.id)).length;
      const turns = book.spent.turns + 1 + others + this.#speakers(need, book).length;
      if (limit === 'turns') return !this.#granted.has(need.key) && turns > all;
      const amount = limit as 'tokens' | 'costUsd';
      const least = leastReply(need, book.account.budget, amount);
      const most = book.account.budget[amount] ?? Number.POSITIVE_INFINITY;
      return book.spent[amount] + least + this.#heldBack(need, book, amount) > most - tolerance;
    });
    if (!isRight) this.#tell(`${need.key} was refused for ${limit}, though there is enough`);
  }

  #late(amount: 'tokens' | 'costUsd'): number {
    return [...this.#justSettled].reduce((sum, key) => sum + (this.#excess.get(key)?.[amount] ?? 0), 0);
  }

  #heldBack(need: Need, owner: Book, amount: 'tokens' | 'costUsd'): number {
    return this.#speakers(need, owner).reduce((sum, book) => sum + lastWord(book, owner.account.budget, amount), 0);
  }

  /** Who still has a last word before the owner's budget may be used up, besides the call itself. */
  #speakers(need: Need, owner: Book): readonly Book[] {
    const path = this.#above(need.sessionId).filter(({ id }) => isBelow(id, owner.id));
    return need.isLast ? path.filter(({ id }) => id !== need.sessionId) : path;
  }

  /** The books of a session and of all above it. */
  #above(sessionId: string): readonly Book[] {
    return selfAndAncestors(sessionId).flatMap((id) => this.books.get(id) ?? []);
  }
}
