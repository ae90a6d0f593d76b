// A run that a client takes for a model: begun or gone on with, and what came of it with all that was heard meanwhile.

import type { SessionHead } from '@ai-agent/core';
import { type AgentEvent, type Fact, isAgentError, type Message, noTotals, type Outcome } from '@ai-agent/core';
import type { Answering, Asked } from '../asked.ts';
import { callerOf } from '../caller.ts';
import { toSafeFailure } from '../failure-status.ts';
import { type ReplyHeaders, traceHeaders } from '../trace-headers.ts';
import { withAllUsed } from '../with-all-used.ts';
import { converse } from './converse.ts';
import type { AskedAgain } from './give-answer.ts';
import { LastUsage } from './last-usage.ts';
import type { Ended, Said } from './said.ts';
import type { Started, TalkReply } from './talk-reply.ts';
import { Thinking } from './thinking.ts';
import { toQuestionText, toSaid } from './to-said.ts';

export interface TalkRunOptions {
  /** Takes what is thought, in pieces. */
  readonly think: (piece: string) => void;
}

export class TalkRun {
  readonly #reply: TalkReply;
  readonly #thinking: Thinking;
  readonly #usage = new LastUsage();
  #begun: Begun | undefined;

  constructor(reply: TalkReply, { think }: TalkRunOptions) {
    this.#reply = reply;
    this.#thinking = new Thinking({ showsActivity: reply.talk.showsActivity ?? false, write: think });
  }

  readonly hear = (event: AgentEvent): void => {
    this.#thinking.hear(event);
    if (event.kind === 'fact') this.#usage.hear(event as Fact);
  };

  /** Throws what is wrong with the request. */
  async begin(hearing: Pick<Asked, 'signal' | 'onEvent' | 'onFact'>): Promise<Begun> {
    const { hall, memory, talk, visitor, headend, request } = this.#reply;
    const above = callerOf(request.headers);
    const came = await converse({ hall, memory, talk, visitor, headend, above, ...hearing });
    this.#begun = 'complaint' in came ? await this.#askAgain(came) : this.#follow(came);
    return this.#begun;
  }

  /** The question is the last that was said: whoever says something next answers it. */
  async remember(said: Said): Promise<void> {
    const { memory, talk } = this.#reply;
    if (said.status !== 'asked' || !this.#begun) return;
    const { head, waiting } = this.#begun;
    const question: Message = { role: 'assistant', content: [{ type: 'text', text: said.text }] };
    await memory.keepQuestion(head, [...talk.messages, question], waiting);
  }

  #follow(answering: Answering): Begun {
    const { head } = answering;
    const waiting = { sessionId: head.id, answeredBefore: head.resumptions };
    const ended = this.#whatCame(answering);
    return {
      head,
      waiting,
      ended,
      headers: headersOf(this.#reply, traceHeaders(answering), head),
      ...this.#start(head),
    };
  }

  async #whatCame({ head, outcome }: Answering): Promise<Ended> {
    const { hall, memory, talk, idPrefix } = this.#reply;
    let part: Outcome;
    try {
      part = await outcome;
    } catch (error) {
      // It never began.
      if (!isAgentError(error)) hall.onBug(error);
      return { status: 'failed', failure: toSafeFailure(error), sessionId: head.id };
    }
    const came = await withAllUsed(hall, head, part);
    const calls = came.status === 'needs_client_tools' ? await memory.keepCalls(head, came, idPrefix) : [];
    const last = talk.tools.length > 0 ? this.#usage.last : undefined;
    return toSaid({ outcome: came, used: part.usage, sessionId: head.id, reasoning: this.#thinking.all, calls, last });
  }

  #start({ id: sessionId }: SessionHead): Started {
    const { clock, ports } = this.#reply.hall;
    return { sessionId, replyId: ports.ids.next().replace(/[^A-Za-z0-9]/g, ''), createdAt: clock.now() };
  }

  async #askAgain({ waiting, complaint }: AskedAgain): Promise<Begun> {
    const { hall, visitor } = this.#reply;
    const head = await hall.session(waiting.sessionId, visitor);
    const question = head.question ? toQuestionText(head.question) : '';
    const said: Said = {
      status: 'asked',
      isCut: false,
      text: `${complaint}\n\n${question}`.trim(),
      reasoning: '',
      calls: [],
      usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 },
      about: { session_id: head.id, status: 'needs_user_input', usage: noTotals },
    };
    const trace = traceHeaders({ head, originId: head.id, callPath: [head.agent] });
    const headers = headersOf(this.#reply, trace, head);
    return { head, waiting, ended: Promise.resolve(said), headers, ...this.#start(head) };
  }
}

export interface Begun extends Started {
  readonly head: SessionHead;
  readonly waiting: AskedAgain['waiting'];
  readonly headers: ReplyHeaders;
  /** Never rejects. */
  readonly ended: Promise<Ended>;
}

/** Clients show it to whoever looks for what went wrong. */
function headersOf({ api }: TalkReply, trace: ReplyHeaders, { id }: SessionHead): ReplyHeaders {
  return { ...trace, [api.idHeader]: id };
}
