// What a session had said before one of its turns, by its facts: from there another can be walked again.

import { compacted } from './compaction.ts';
import type { Fact, SessionStart, TurnStart } from './events.ts';
import { ConversationsFold } from './folds/conversations.ts';
import { callsOf, type Message } from './message.ts';
import type { AIAgentSessionConfig } from './session-config.ts';

/** What a session is given that goes on from there, with its model call. */
export type Prefix = Required<Pick<AIAgentSessionConfig, 'history' | 'request'>>;

export interface Prefixes {
  /** By the turns that asked the model, in their order. One that never came to that has its first turn all the same. */
  readonly turns: ReadonlyMap<number, Prefix>;
  /** What it was told at first, when that ended with what it was asked: the last of them. */
  readonly asked?: readonly Message[];
}

/** Of the session at the root of these facts. */
export function prefixesOf(facts: Iterable<Fact>): Prefixes {
  const walk = new Walk();
  for (const fact of facts) if (fact.trace.selfId === fact.trace.originId) walk.add(fact);
  return walk.prefixes();
}

class Walk {
  readonly #fold = new ConversationsFold();
  readonly #turns = new Map<number, Prefix>();
  #id = '';
  #first: readonly Message[] = [];
  #asked: readonly Message[] | undefined;
  #request: Prefix['request'] | undefined;

  add(fact: Fact): void {
    if (fact.type === 'session-start') this.#begin(fact);
    if (fact.type === 'turn-start' && !fact.step) this.#meet(fact);
    if (fact.type === 'turn-end' && fact.summedUp && this.#request)
      this.#request = { ...this.#request, at: compacted(this.#said(), fact.summedUp).placeOf(this.#request.at) };
    this.#fold.add(fact);
  }

  prefixes(): Prefixes {
    const [history, request, asked] = [this.#first, this.#request, this.#asked];
    if (request && this.#turns.size === 0 && isAskable(history)) this.#turns.set(1, { history, request });
    return { turns: this.#turns, ...(asked ? { asked } : {}) };
  }

  #begin(start: SessionStart): void {
    this.#id = start.trace.selfId;
    this.#first = start.messages;
    this.#request = requestIn(start);
    if (this.#request?.at === start.messages.length - 1) this.#asked = start.messages;
  }

  /** What we said to have an answer again is part of it; what we said of a limit holds for another. */
  #meet({ turn, said }: TurnStart): void {
    const before = this.#said();
    const history = before.at(-1)?.role === 'assistant' ? [...before, ...said] : before;
    if (this.#request && isAskable(history))
      this.#turns.set(turn, { history, request: { ...this.#request, isAdvised: true } });
  }

  /** Without the system prompt. */
  #said(): readonly Message[] {
    return (this.#fold.of(this.#id) ?? []).slice(1);
  }
}

/** As it is told, else the last that a person said; nothing where nobody said anything. */
function requestIn({ messages, request }: SessionStart): Prefix['request'] | undefined {
  if (request) return request;
  const at = messages.findLastIndex(({ role }) => role === 'user');
  const message = messages[at];
  if (message?.role !== 'user') return undefined;
  return { at, text: message.content.map((part) => (part.type === 'text' ? part.text : '')).join('') };
}

/** A turn that goes on from an answer, or from results, has its reply already: some of its calls have none. */
function isAskable(messages: readonly Message[]): boolean {
  const at = messages.findLastIndex(({ role }) => role === 'assistant');
  const last = messages[at];
  if (last?.role !== 'assistant') return true;
  const calls = callsOf(last);
  const results = messages[at + 1];
  if (calls.length === 0) return at < messages.length - 1;
  const answered = new Set(results?.role === 'tool' ? results.content.map(({ id }) => id) : []);
  return calls.every(({ id }) => answered.has(id));
}
