// What was written of the answer in model calls that were never finished: of these no reply is kept, only what was streamed.

import { stopped } from '../abort.ts';
import { toFailure } from '../errors.ts';
import type { AgentEvent, ModelEnd } from '../events.ts';
import type { AssistantMessage } from '../message.ts';
import type { Outcome } from '../outcome.ts';

export type AnswerText = Extract<AgentEvent, { type: 'text-delta' }>;

/** Whether streamed text is the answer of a run: the root's own, or that of whoever answers in its place. */
export function isOfAnswer(event: AgentEvent): event is AnswerText {
  return event.type === 'text-delta' && event.answers === event.trace.originId;
}

interface Draft {
  readonly session: string;
  readonly turn: number;
  readonly attempt: number;
  text: string;
}

export class Written {
  #drafts: readonly Draft[] = [];
  #isWriting = false;
  /** The session that wrote last. */
  #speaker = '';
  #hasReplied = false;
  #isCutShort = false;

  /** Whether it is in the middle of a text. */
  get isWriting(): boolean {
    return this.#isWriting;
  }

  /** Whether any model call of it has come to something. */
  get hasReplied(): boolean {
    return this.#hasReplied;
  }

  /** The latest that has words: each stands for itself. Empty when every reply was whole. */
  get text(): string {
    return this.#drafts.findLast(({ text }) => text.trim() !== '')?.text.trim() ?? '';
  }

  /** From here on its end is that of a run that was stopped: the text so far is the answer. */
  cutShort(): void {
    this.#isCutShort = true;
  }

  /** Takes note of an event, and gives it as it is to be shown. */
  see(event: AgentEvent): AgentEvent {
    if (isOfAnswer(event)) this.#add(event);
    const { parentId, selfId } = event.trace;
    if (parentId !== null && selfId !== this.#speaker) return event;
    if (event.type === 'model-start' || event.type === 'model-end') this.#isWriting = false;
    if (event.type === 'model-end' && event.reply && !event.step) {
      this.#hasReplied = true;
      // A reply takes the place of all before it; one that says nothing, only of its own.
      const isSaid = event.reply.message.content.some(saysSomething);
      this.#drafts = this.#drafts.filter(({ session, turn }) => session !== selfId || (!isSaid && turn !== event.turn));
    }
    if (event.type === 'model-end' && this.#isCutShort) return asStopped(event);
    if (event.type !== 'session-end' || parentId !== null || !this.#isCutShort || event.ending.status !== 'cancelled')
      return event;
    return { ...event, ending: { status: 'partial', limit: 'stop', text: this.text } };
  }

  /** An outcome without an answer has this for its last words, when there is any. */
  addTo(outcome: Outcome): Outcome {
    if (this.#isCutShort && outcome.status === 'cancelled') return toStopped(outcome, this.text);
    const isAnswered = outcome.status === 'completed' || 'resume' in outcome;
    // Where a chain broke off, the answer of the one before is whole. What is left of drafts is later than all whole words.
    const isBroken = ('failure' in outcome || outcome.status === 'partial') && this.#speaker === outcome.sessionId;
    const isMissing = isBroken || outcome.text.trim() === '';
    return isAnswered || !isMissing || this.text === '' ? outcome : { ...outcome, text: this.text };
  }

  #add({ trace: { selfId: session }, turn, attempt, text }: AnswerText): void {
    this.#isWriting = true;
    this.#speaker = session;
    const last = this.#drafts.at(-1);
    if (last?.session === session && last.turn === turn && last.attempt === attempt) {
      last.text += text;
      return;
    }
    const isSame = (draft: Draft) => draft.session === session && draft.turn === turn;
    const before = this.#drafts.find((draft) => isSame(draft) && draft.attempt === attempt);
    const others = this.#drafts.filter((draft) => !isSame(draft));
    this.#drafts = [...others, { session, turn, attempt, text: (before?.text ?? '') + text }];
  }
}

/** The model call that the stop interrupted. */
function asStopped(end: ModelEnd): ModelEnd {
  if (end.failure?.class !== 'cancelled') return end;
  const failure = toFailure(stopped('stop'));
  const requests = end.requests.map((one) => (one.failure?.class === 'cancelled' ? { ...one, failure } : one));
  return { ...end, requests, failure };
}

/** An answer may come as a call of its form. */
function saysSomething(part: AssistantMessage['content'][number]): boolean {
  return part.type === 'tool-call' || (part.type === 'text' && part.text.trim() !== '');
}

function toStopped({ failure: _, ...outcome }: Extract<Outcome, { status: 'cancelled' }>, text: string): Outcome {
  const { tree } = outcome;
  const stopped = { status: 'partial', limit: 'stop' } as const;
  return { ...outcome, ...stopped, text, ...(tree ? { tree: { ...tree, ...stopped } } : {}) } as Outcome;
}
