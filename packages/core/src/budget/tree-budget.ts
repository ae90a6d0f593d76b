// The budget of one tree, kept in memory: reserves before a call, settles after it, and holds back one last word per live ancestor.

import type { Scope } from '../abort.ts';
import { type Budget, nothingSpent, type Spent } from '../budget.ts';
import type { BudgetPort, Grant, Need, NewAccount, Used } from '../budget-port.ts';
import type { Fact, ModelEnd, QuestionStart, ToolEnd, TurnStart } from '../events.ts';
import { chargeFor } from '../model-requests.ts';
import { isBelow, isInside, selfAndAncestors } from '../place.ts';
import type { Clock } from '../ports.ts';
import { dearestCost } from '../price.ts';
import { Account, type Promised } from './account.ts';
import { roomFor } from './room.ts';
import { WorkTime } from './work-time.ts';

export class TreeBudget implements BudgetPort {
  readonly #clock: Clock;
  readonly #accounts = new Map<string, Account>();
  readonly #promises = new Map<string, Flight>();
  /** Calls that were charged here: their facts are no news. */
  readonly #charged = new Set<string>();
  /** The same for the time they took. */
  readonly #timed = new Set<string>();
  /** By session: it came before that has opened. */
  readonly #raised = new Map<string, Budget[]>();
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
    for (const more of this.#raised.get(opened.sessionId) ?? []) account.raise(more);
    this.#raised.delete(opened.sessionId);
    const { timeMs } = account.budget;
    if (timeMs !== undefined) account.time = this.#timeOf(account, timeMs);
    if (account.bounds.timeMs) for (const { time } of account.limited) time?.update();
  }

  close(sessionId: string): void {
    const account = this.#accounts.get(sessionId);
    if (!account) return;
    account.time?.stop();
    this.#accounts.delete(sessionId);
    if (account.bounds.timeMs) for (const { time } of account.limited) time?.update();
  }

  raise(sessionId: string, more: Budget): void {
    const account = this.#accounts.get(sessionId);
    if (!account) {
      this.#raised.set(sessionId, [...(this.#raised.get(sessionId) ?? []), more]);
      return;
    }
    account.raise(more);
    account.time?.raise(account.budget.timeMs ?? 0);
    this.#serve();
  }

  reserve(need: Need, scope: Scope): Grant | Promise<Grant> | undefined {
    const account = this.#find(need.sessionId);
    if (!account?.isMetered) return undefined;
    const asked = { need, account };
    const answer = this.#waiting.length > 0 && !need.isLast ? undefined : this.#answer(asked);
    if (answer) return answer;
    return scope
      .race(
        new Promise<Grant>((resolve) => {
          this.#waiting.push({ ...asked, resolve, isGone: () => scope.isAborted });
        }),
      )
      .catch((error) => {
        // Granted at the very moment of its end: what was promised is free again.
        this.settle(need.key);
        throw error;
      })
      .finally(() => this.#forget(asked));
  }

  settle(key: string, { inputTokens, outputTokens, costUsd }: Used = nothingUsed): void {
    const promised = this.#promises.get(key);
    if (!promised) return;
    this.#promises.delete(key);
    for (const account of promised.account.limited) {
      account.release(promised);
      account.charge({ tokens: inputTokens + outputTokens, costUsd });
    }
    if (inputTokens > 0) promised.account.said(inputTokens, outputTokens);
    this.#serve();
  }

  take(sessionId: string, key: string, amounts: readonly Counted[]): string | undefined {
    const account = this.#find(sessionId);
    // What is taken for nothing was paid for before.
    if (account && amounts.length === 0) this.#charged.add(key);
    if (!account || !amounts.some((amount) => account.bounds[amount])) return undefined;
    const forbidden = forbids(account, amounts);
    if (forbidden) return forbidden;
    for (const limited of account.limited) for (const amount of amounts) limited.charge({ [amount]: 1 });
    this.#charged.add(key);
    return undefined;
  }

  begin(sessionId: string, key: string): (() => void) | undefined {
    const account = this.#find(sessionId);
    if (!account?.bounds.timeMs) return undefined;
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

  descendantsLeft(sessionId: string): number {
    const limited = this.#find(sessionId)?.limited ?? [];
    return Math.min(...limited.map(({ budget, spent }) => (budget.descendants ?? Infinity) - spent.descendants));
  }

  add(fact: Fact): void {
    if (fact.type === 'turn-start') this.#release(fact);
    if (fact.type === 'question-start') this.#excuse(fact);
    if (fact.type === 'model-end' || fact.type === 'tool-end') this.#recall(fact);
  }

  /** Who answers in place of a session, or after it, has the last word: nothing is held back for the session itself. */
  #release({ trace, step }: TurnStart): void {
    const account = step === 'router' || step === 'handoff' ? this.#accounts.get(trace.selfId) : undefined;
    if (!account || account.isSilent) return;
    account.isSilent = true;
    this.#serve();
  }

  /** What this budget has not seen being done was done elsewhere, or before a restart. */
  #recall(fact: ModelEnd | ToolEnd): void {
    const account = this.#find(fact.trace.selfId);
    if (!account || !concerns(fact, account)) return;
    const key = `${fact.trace.selfId}/${fact.op}`;
    const isCharged = this.#charged.delete(key);
    const wasTimed = this.#timed.delete(key);
    if (isNeverMade(fact)) return;
    // What was charged here was timed here, if it ever began.
    const isTimed = wasTimed || isCharged || isTimedElsewhere(fact);
    if (isCharged && isTimed) return;
    const used = fact.type === 'model-end' ? usedByModel(fact) : usedByTool(fact);
    if (!isCharged) for (const limited of account.limited) limited.charge(used);
    if (!isTimed) recallTime(fact, account);
  }

  /** A call that somebody answers is nobody's work, however long that takes. */
  #excuse({ trace, turn, index, question }: QuestionStart): void {
    if (question.type !== 'question') return;
    const key = `${trace.selfId}/turn.${turn}.tool.${index}`;
    this.#charged.add(key);
    this.#timed.add(key);
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
    const isNewTurn = !this.#charged.has(need.key);
    const room = roomFor(need, account, isNewTurn);
    const { outputTokens, limit } = room;
    if (outputTokens === undefined) return limit === undefined ? undefined : { isGranted: false, ...room, limit };
    const promised = {
      tokens: need.inputTokens + outputTokens,
      costUsd: dearestCost(need.price, { ...need, outputTokens }),
    };
    this.#promises.set(need.key, { account, ...promised });
    for (const limited of account.limited) {
      limited.promise(promised);
      if (isNewTurn) limited.charge({ turns: 1 });
    }
    this.#charged.add(need.key);
    return { isGranted: true, outputTokens, ...(limit === undefined ? {} : { limit }) };
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

type Counted = 'toolCalls' | 'descendants';

/** The limit that leaves no room for one more of these. */
function forbids(account: Account, amounts: readonly Counted[]): string | undefined {
  for (const { budget, spent, time, level } of account.limited) {
    for (const amount of amounts) if (spent[amount] + 1 > (budget[amount] ?? Number.POSITIVE_INFINITY)) return amount;
    if (amounts.includes('descendants') && time?.isOver(account.level + 1 - level)) return 'timeMs';
  }
  return undefined;
}

/** Whether anything that the fact may have used is bounded. */
function concerns(fact: ModelEnd | ToolEnd, { bounds, isMetered }: Account): boolean {
  if (bounds.timeMs) return true;
  if (fact.type === 'model-end') return isMetered;
  return bounds.toolCalls === true || (bounds.descendants === true && descendantsOf(fact) > 0);
}

const nothingUsed: Used = { inputTokens: 0, outputTokens: 0, costUsd: 0 };

interface Flight extends Promised {
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

/** The time of a session below is told by its own calls, that of a session inside a call by this call. */
function isTimedElsewhere(fact: ModelEnd | ToolEnd): boolean {
  return isInside(fact.trace.selfId) || (fact.type === 'tool-end' && fact.result.session !== undefined);
}

/** A call that a limit or a cancellation ended before it began: it used nothing, and its wait was no work. */
function isNeverMade(fact: ModelEnd | ToolEnd): boolean {
  if (fact.type === 'model-end') {
    const isCalledOff = fact.failure?.class === 'budget' || fact.failure?.class === 'cancelled';
    return isCalledOff && fact.requests.every(({ status }) => status === 'refused');
  }
  return fact.result.failure?.class === 'budget' && descendantsOf(fact) === 0;
}

/** A call that was timed by a budget of its own process recorded numbers for it; for other budgets its timestamps count. */
function recallTime(fact: ModelEnd | ToolEnd, { limited }: Account): void {
  // No record says when a call waited: the work counts as if it had come first.
  const { waitedMs = 0, timeSpentMs } = fact.type === 'tool-end' ? fact.result : { timeSpentMs: fact.timeSpentMs };
  for (const { id, time } of limited) {
    const spentMs = timeSpentMs?.[id];
    if (spentMs === undefined) time?.spend(fact.startedAt, fact.endedAt - waitedMs);
    else time?.recall(spentMs);
  }
}

function usedByModel({ requests }: ModelEnd): Partial<Spent> {
  return { turns: 1, ...chargeFor(requests) };
}

function usedByTool({ result }: ToolEnd): Partial<Spent> {
  if (result.status === 'refused') return {};
  return { toolCalls: 1, descendants: descendantsOf({ result }) };
}

function descendantsOf({ result: { session, inside } }: Pick<ToolEnd, 'result'>): number {
  return (session ? 1 : 0) + (inside?.sessions ?? 0);
}
