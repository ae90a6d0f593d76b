// One round of a session: what was asked, what its agent did turn by turn, and what it answered.

import {
  type Ending,
  type Fact,
  isObject,
  type Json,
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

type SessionStart = Extract<Fact, { type: 'session-start' }>;

export class Round {
  /** The session of this round, which its facts name. */
  readonly id: string;
  /** From 1, as the server counts: one that never began has told nothing, and counts. */
  readonly number: number;
  readonly tree = new OpTreeFold();
  readonly asked: UserMessage | undefined;
  /** What was said before it, where no earlier round of this session has told that. */
  readonly before: readonly Message[];
  readonly startedAt: number;
  /** The operation that its first fact is about. */
  readonly startOp: string;
  /** What was written of an answer that never came. */
  draft: string | undefined;
  readonly #logs = new Map<string, SessionLog>();
  #lastAt: number;
  #said: readonly Said[] = [];
  #answered: string | undefined;
  /** Questions that stand open, and not to a person. */
  readonly #toCallers = new Set<string>();
  #ending: Ending | undefined;
  #endedAt: number | undefined;

  constructor(start: SessionStart, number: number) {
    this.id = start.trace.selfId;
    this.number = number;
    this.startedAt = start.at;
    this.startOp = start.op;
    this.#lastAt = start.at;
    const { messages, request } = start;
    const last = messages.at(-1);
    this.asked = last?.role === 'user' && isAsked(request, messages.length - 1) ? last : undefined;
    const before = this.asked ? messages.slice(0, -1) : messages;
    this.before = number > 1 ? [] : before.filter(({ role }, i) => role !== 'user' || isAsked(request, i));
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
    if (!this.asked && this.number > 1) this.#hearAnswer(fact);
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

  /** What an agent below asks its caller is answered by a model. */
  #hearAnswer(fact: Fact): void {
    const name = `${fact.trace.selfId}/${fact.op}`;
    if (fact.type === 'question-start' && fact.question.to !== 'person') this.#toCallers.add(name);
    if (fact.type !== 'question-end' || this.#toCallers.delete(name) || fact.answer === undefined) return;
    this.#answered ??= toWords(fact.answer);
  }

  #note(fact: Fact): void {
    this.#lastAt = Math.max(this.#lastAt, fact.at);
    const log = this.#logs.get(fact.trace.selfId) ?? new SessionLog();
    log.add(fact);
    this.#logs.set(fact.trace.selfId, log);
  }
}

/** What was said to it after that is ours: that an answer does not fit. */
function isAsked(request: SessionStart['request'], at: number): boolean {
  return request === undefined || at <= request.at;
}

/** Leave that was given or not is said as it was on the buttons. */
function toWords(answer: Json): string {
  if (typeof answer === 'string') return answer;
  if (!isObject(answer) || typeof answer.isApproved !== 'boolean') return JSON.stringify(answer);
  const { isApproved, reason } = answer;
  const why = typeof reason === 'string' && reason !== '' ? `: ${reason}` : '';
  return `${isApproved ? 'Approved' : 'Declined'}${why}`;
}

function isModelCall({ type }: OperationNode): boolean {
  return type === 'model';
}
