// The budget of one tree, kept in memory: reserves before a call, settles after it, and holds back one last word per live ancestor.

import type { Scope } from '../abort.ts';
import { nothingSpent, type Spent } from '../budget.ts';
import type { BudgetPort, Grant, Need, NewAccount, Used } from '../budget-port.ts';
import type { Fact, ModelEnd, ToolEnd } from '../events.ts';
import { isBelow, selfAndAncestors } from '../place.ts';
import type { Clock } from '../ports.ts';
import { costOf } from '../price.ts';
import { Account, replyTokens } from './account.ts';
import { WorkTime } from './work-time.ts';

export class TreeBudget implements BudgetPort {
  readonly #clock: Clock;
  readonly #accounts = new Map<string, Account>();
  readonly #promises = new Map<string, Promised>();
  /** Calls that were charged here: their facts are no news. */
  readonly #charged = new Set<string>();
  /** The same for the time they took. */
  readonly #timed = new Set<string>();
  /** In order of arrival: nobody is overtaken. */
  readonly #waiting: Waiting[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Calls in wait of their share; zero when all work is over. */
  get held(): number {
    return this.#waiting.length + this.#promises.size;
  }

  open(opened: NewAccount): void {
    const account = new Account(opened, opened.parentId === null ? undefined : this.#find(opened.parentId));
    this.#accounts.set(opened.sessionId, account);
    const { timeMs } = opened.budget;
    if (timeMs !== undefined) account.time = this.#timeOf(account, timeMs);
    for (const { time } of account.limited) time?.update();
  }

  close(sessionId: string): void {
    const account = this.#accounts.get(sessionId);
    if (!account) return;
    account.time?.stop();
    this.#accounts.delete(sessionId);
    for (const { time } of account.limited) time?.update();
    // What was held back for its last word is free.
    this.#serve();
  }

  reserve(need: Need, scope: Scope): Grant | Promise<Grant> {
    const account = this.#find(need.sessionId);
    if (!account?.isMetered) return { isGranted: true, outputTokens: need.outputTokens };
    const asked = { need, account };
    const answer = this.#waiting.length > 0 && !need.isLast ? undefined : this.#answer(asked);
    if (answer) return answer;
    return this.#wait(asked, scope);
  }

  async #wait(asked: Asked, scope: Scope): Promise<Grant> {
    try {
      return await scope.race(
        new Promise<Grant>((resolve) => {
          this.#waiting.push({ ...asked, resolve, isGone: () => scope.isAborted });
        }),
      );
    } catch (error) {
      this.#forget(asked);
      // Granted at the very moment of its cancellation: the share goes back.
      this.settle(asked.need.key);
      throw error;
    }
  }

  settle(key: string, used: Used = { tokens: 0, costUsd: 0 }): void {
    const promised = this.#promises.get(key);
    if (!promised) return;
    this.#promises.delete(key);
    for (const account of promised.account.limited) {
      account.promised.tokens -= promised.tokens;
      account.promised.costUsd -= promised.costUsd;
      account.charge(used);
    }
    if (used.tokens > 0) promised.account.contextTokens = used.tokens;
    this.#serve();
  }

  take(sessionId: string, key: string, amounts: readonly ('toolCalls' | 'descendants')[]): string | undefined {
    const account = this.#find(sessionId);
    if (!account) return undefined;
    for (const { budget, spent, time, level } of account.limited) {
      for (const amount of amounts) if (spent[amount] + 1 > (budget[amount] ?? Number.POSITIVE_INFINITY)) return amount;
      if (amounts.includes('descendants') && time?.isOver(account.level + 1 - level)) return 'timeMs';
    }
    for (const limited of account.limited) for (const amount of amounts) limited.charge({ [amount]: 1 });
    if (account.limited.length > 0) this.#charged.add(key);
    return undefined;
  }

  begin(sessionId: string, key: string): () => void {
    const account = this.#find(sessionId);
    if (!account?.isTimed) return () => {};
    const times = account.limited.flatMap(({ time }) => (time ? [time] : []));
    for (const time of times) time.begin();
    this.#timed.add(key);
    return () => {
      for (const time of times) time.end();
    };
  }

  spentBy(sessionId: string): Spent {
    const account = this.#accounts.get(sessionId);
    return { ...(account?.spent ?? nothingSpent), timeMs: account?.time?.usedMs ?? 0 };
  }

  add(fact: Fact): void {
    // A question is answered in the time of whoever is asked.
    if (fact.type === 'question-start' && fact.question.type === 'question')
      this.#timed.add(`${fact.trace.selfId}/turn.${fact.turn}.tool.${fact.index}`);
    if (fact.type !== 'model-end' && fact.type !== 'tool-end') return;
    const key = `${fact.trace.selfId}/${fact.op}`;
    const isCharged = this.#charged.delete(key);
    // The time of a session below is told by its own calls.
    const isTimed = this.#timed.delete(key) || (fact.type === 'tool-end' && fact.result.session !== undefined);
    if (isCharged && isTimed) return;
    const used = fact.type === 'model-end' ? usedByModel(fact) : usedByTool(fact);
    for (const limited of this.#find(fact.trace.selfId)?.limited ?? []) {
      if (!isCharged) limited.charge(used);
      if (!isTimed) limited.time?.spend(fact.startedAt, fact.endedAt);
    }
  }

  /** The session, or the nearest above it that is known here. */
  #find(sessionId: string): Account | undefined {
    const own = this.#accounts.get(sessionId);
    if (own) return own;
    const known = selfAndAncestors(sessionId).find((id) => this.#accounts.has(id));
    return known === undefined ? undefined : this.#accounts.get(known);
  }

  #timeOf(owner: Account, limitMs: number): WorkTime {
    const below = () => [...this.#accounts.values()].filter(({ id }) => isBelow(id, owner.id));
    return new WorkTime({
      clock: this.#clock,
      limitMs,
      usedMs: owner.spent.timeMs,
      deepest: () => Math.max(0, ...below().map(({ level }) => level - owner.level)),
      onDeadline: (level) => {
        for (const account of below())
          if (account.level - owner.level === Math.max(0, level)) account.halt('timeMs', { isFinal: level < 0 });
      },
    });
  }

  /** Grants, refuses, or finds that it is worth waiting. */
  #answer({ need, account }: Asked): Grant | undefined {
    // A call tried again is still one turn.
    const isNew = !this.#charged.has(need.key);
    const room = roomFor(need, account, { isNew });
    if (room.limit) return { isGranted: false, limit: room.limit };
    if (room.outputTokens === undefined) return undefined;
    const promised = { tokens: need.inputTokens + room.outputTokens, costUsd: priceOf(need, room.outputTokens) };
    this.#promises.set(need.key, { account, ...promised });
    for (const limited of account.limited) {
      limited.promised.tokens += promised.tokens;
      limited.promised.costUsd += promised.costUsd;
      if (isNew) limited.charge({ turns: 1 });
    }
    this.#charged.add(need.key);
    return { isGranted: true, outputTokens: room.outputTokens };
  }

  /** Those who wait, in order, as far as there is enough. */
  #serve(): void {
    for (let first = this.#waiting[0]; first; first = this.#waiting[0]) {
      const answer = first.isGone() ? undefined : this.#answer(first);
      if (!answer && !first.isGone()) return;
      this.#waiting.shift();
      if (answer) first.resolve(answer);
    }
  }

  /** A waiter that was cancelled must not stand in the way of those behind it. */
  #forget({ need }: Asked): void {
    const at = this.#waiting.findIndex((waiting) => waiting.need === need);
    if (at < 0) return;
    this.#waiting.splice(at, 1);
    this.#serve();
  }
}

interface Promised extends Used {
  readonly account: Account;
}

interface Asked {
  readonly need: Need;
  readonly account: Account;
}

interface Waiting extends Asked {
  readonly resolve: (grant: Grant) => void;
  readonly isGone: () => boolean;
}

/** How much output fits, or which limit leaves too little, or neither: then what others hold may come free. */
interface Room {
  readonly outputTokens?: number;
  readonly limit?: string;
}

function roomFor(need: Need, account: Account, { isNew }: { readonly isNew: boolean }): Room {
  let fits = need.outputTokens;
  let isWorthWaiting = false;
  for (const owner of account.limited) {
    const path = account.upTo(owner);
    // Its own last word is what it is about to say.
    const heldFor = need.isLast ? path.slice(1) : path;
    if (isNew && owner.left('turns', heldFor) < 1) return { limit: 'turns' };
    for (const amount of ['tokens', 'costUsd'] as const) {
      const { now, later } = outputUnder(need, owner, amount, heldFor);
      const least = leastReply(need, owner);
      if (later < least) return { limit: amount };
      // Enough for all of it once others have settled, or not even the least before: then waiting is better than less.
      isWorthWaiting ||= now < need.outputTokens && later > now && (later >= need.outputTokens || now < least);
      fits = Math.min(fits, now);
    }
  }
  return isWorthWaiting ? {} : { outputTokens: Math.floor(fits) };
}

/** How much output fits now, and once everybody else has settled. */
function outputUnder(need: Need, owner: Account, amount: 'tokens' | 'costUsd', heldFor: readonly Account[]) {
  const left = owner.left(amount, heldFor);
  return { now: outputFor(need, amount, left - owner.promised[amount]), later: outputFor(need, amount, left) };
}

function outputFor(need: Need, amount: 'tokens' | 'costUsd', left: number): number {
  if (left === Number.POSITIVE_INFINITY) return left;
  if (amount === 'tokens') return left - need.inputTokens;
  if (typeof need.price !== 'object') return left > 0 ? Number.POSITIVE_INFINITY : -1;
  const forOutput = left - (need.inputTokens * need.price.input) / 1e6;
  if (forOutput < 0) return -1;
  return need.price.output === 0 ? Number.POSITIVE_INFINITY : (forOutput * 1e6) / need.price.output;
}

function leastReply(need: Need, { budget }: Account): number {
  const least = budget.tokens === undefined ? 16 : replyTokens(budget.tokens);
  return Math.min(least, need.outputTokens);
}

function priceOf({ inputTokens, price }: Need, outputTokens: number): number {
  return typeof price === 'object' ? (costOf(price, { inputTokens, outputTokens }) ?? 0) : 0;
}

/** A call that a limit forbade was not made: its fact costs nothing, or the refusal itself would use the budget up. */
function usedByModel({ reply, failure, attempts }: ModelEnd): Partial<Spent> {
  if (failure?.class === 'budget' && attempts.length === 0) return {};
  const { inputTokens = 0, outputTokens = 0 } = reply?.usage ?? {};
  return { turns: 1, tokens: inputTokens + outputTokens, costUsd: reply?.costUsd ?? 0 };
}

function usedByTool({ result }: ToolEnd): Partial<Spent> {
  if (result.status === 'refused' || (result.failure?.class === 'budget' && !result.session)) return {};
  return { toolCalls: 1, ...(result.session ? { descendants: 1 } : {}) };
}
