// A run as a thread shows it while it works: who is at work below it, what it has used, what it has written.

import {
  type AgentEvent,
  addTotals,
  isOfAnswer,
  LedgerFold,
  nameOfSession,
  noTotals,
  OpTreeFold,
  type SessionNode,
  type ToolNode,
  type Totals,
} from '@ai-agent/core';

/** A session below the root, at work. */
export interface Child {
  readonly name: string;
  readonly title: string;
  readonly ms: number;
  readonly depth: number;
}

interface Writing {
  readonly session: string;
  readonly turn: number;
  readonly attempt: number;
}

export class RunView {
  readonly #tree = new OpTreeFold();
  #ledger = new LedgerFold();
  /** Sums are made of all calls: only when one has ended since. */
  #totals: Totals | undefined = noTotals;
  #writing: Writing | undefined;
  #draft = '';
  #isWaiting = false;

  readonly add = (event: AgentEvent): void => {
    this.#tree.add(event);
    this.#ledger.add(event);
    if (event.kind === 'fact') {
      this.#isWaiting = false;
      this.#totals = undefined;
    }
    if (isOfAnswer(event))
      this.#write({ session: event.trace.selfId, turn: event.turn, attempt: event.attempt }, event.text);
  };

  /** There is no place for it yet. */
  readonly wait = (): void => {
    this.#isWaiting = true;
  };

  get isWaiting(): boolean {
    return this.#isWaiting;
  }

  /** What is being written: that of the last call alone, without a word that may go on. A secret is known only when it is whole. */
  get draft(): string {
    return wholeWords(this.#draft);
  }

  get totals(): Totals {
    this.#totals ??= addTotals(noTotals, this.#ledger.ledger().total);
    return this.#totals;
  }

  /** Those at work, in the order in which they were asked. */
  working(now: number): readonly Child[] {
    const root = this.#tree.tree();
    return root ? childrenOf(root, 0).flatMap(({ session, depth }) => toWorking(session, depth, now)) : [];
  }

  /** How many sessions below the root there were, and have ended. */
  get counts(): { readonly all: number; readonly done: number } {
    const root = this.#tree.tree();
    const all = root ? childrenOf(root, 0) : [];
    return { all: all.length, done: all.filter(({ session }) => session.status !== 'running').length };
  }

  #write(writing: Writing, text: string): void {
    const before = this.#writing;
    const isSame =
      before?.session === writing.session && before.turn === writing.turn && before.attempt === writing.attempt;
    this.#writing = writing;
    this.#draft = isSame ? this.#draft + text : text;
  }
}

/** Longer than any secret of ours. */
const longestWord = 300;

/** Up to the end of the last word that is surely over; of one without an end, all but so much. */
export function wholeWords(text: string): string {
  const word = /[\w.~+/=-]{0,300}$/.exec(text.slice(-longestWord))?.[0] ?? '';
  return text.slice(0, text.length - word.length);
}

export interface Below {
  readonly session: SessionNode;
  readonly depth: number;
}

/** Every session below one, each before those below it. */
export function childrenOf({ turns }: SessionNode, depth: number): readonly Below[] {
  return turns
    .flatMap(({ operations }) => operations)
    .flatMap((operation) => (operation.type === 'tool' ? sessionsOf(operation) : []))
    .flatMap((session) => [{ session, depth }, ...childrenOf(session, depth + 1)]);
}

function sessionsOf({ session, inside = [] }: ToolNode): readonly SessionNode[] {
  return session ? [session] : inside;
}

function toWorking(session: SessionNode, depth: number, now: number): readonly Child[] {
  const { status, title, startedAt } = session;
  if (status !== 'running') return [];
  return [{ name: nameOfSession(session), title: title ?? '', ms: now - startedAt, depth }];
}
