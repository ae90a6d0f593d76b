// One round of a session: what was asked, what its agent did turn by turn, and what it answered.

import {
  type Ending,
  type Fact,
  type Message,
  type OperationNode,
  OpTreeFold,
  textOf,
  type UserMessage,
} from '@ai-agent/core';
import { SessionLog } from './session-log.ts';

/** What the agent of the round itself thought and wrote in one of its turns. */
export interface Said {
  readonly turn: number;
  readonly reasoning: string;
  readonly text: string;
}

export class Round {
  /** The session of this round, which its facts name. */
  readonly id: string;
  /** From 1. */
  readonly number: number;
  readonly tree = new OpTreeFold();
  readonly asked: UserMessage | undefined;
  /** What was said before it, where no earlier round of this session has told that. */
  readonly before: readonly Message[];
  readonly startedAt: number;
  /** The operation that its first fact is about. */
  readonly startOp: string;
  readonly #logs = new Map<string, SessionLog>();
  #lastAt: number;
  #said: readonly Said[] = [];
  #answered: string | undefined;
  #ending: Ending | undefined;
  #endedAt: number | undefined;

  constructor(start: Extract<Fact, { type: 'session-start' }>, number: number) {
    this.id = start.trace.selfId;
    this.number = number;
    this.startedAt = start.at;
    this.startOp = start.op;
    this.#lastAt = start.at;
    const last = start.messages.at(-1);
    this.asked = last?.role === 'user' ? last : undefined;
    this.before = number > 1 ? [] : this.asked ? start.messages.slice(0, -1) : start.messages;
  }

  /** What was answered to the question that the round before it had ended with. */
  get answered(): string | undefined {
    return this.#answered;
  }

  get said(): readonly Said[] {
    return this.#said;
  }

  get ending(): Ending | undefined {
    return this.#ending;
  }

  get endedAt(): number | undefined {
    return this.#endedAt;
  }

  /** The moment of the last that is known of it. */
  get lastAt(): number {
    return this.#lastAt;
  }

  /** Whether it can be done again from its beginning: one that went on from an answer, and never asked its own model, cannot. */
  get isRepeatable(): boolean {
    const turns = this.tree.tree()?.turns ?? [];
    return this.asked !== undefined || turns.some(({ step, operations }) => !step && operations.some(isModelCall));
  }

  /** What is told of one of its sessions. */
  logOf(session: string): SessionLog | undefined {
    return this.#logs.get(session);
  }

  add(fact: Fact): void {
    this.tree.add(fact);
    if (fact.type === 'question-end' && fact.answer !== undefined && !this.asked)
      this.#answered ??= typeof fact.answer === 'string' ? fact.answer : JSON.stringify(fact.answer);
    this.#note(fact);
    if (fact.trace.selfId !== this.id) return;
    if (fact.type === 'model-end' && fact.reply && !fact.step) {
      const { message } = fact.reply;
      const reasoning = message.content.flatMap((part) => (part.type === 'reasoning' ? [part.text] : [])).join('\n\n');
      this.#said = [...this.#said, { turn: fact.turn, reasoning, text: textOf(message) }];
    }
    if (fact.type === 'session-end') {
      this.#ending = fact.ending;
      this.#endedAt = fact.endedAt;
    }
  }

  #note(fact: Fact): void {
    this.#lastAt = Math.max(this.#lastAt, fact.at);
    const log = this.#logs.get(fact.trace.selfId) ?? new SessionLog();
    log.add(fact);
    this.#logs.set(fact.trace.selfId, log);
  }
}

function isModelCall({ type }: OperationNode): boolean {
  return type === 'model';
}
