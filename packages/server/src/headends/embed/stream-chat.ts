// A chat as a stream of events: who it is, what goes on, the answer in pieces, and how it ended. The run ends with the connection.

import { type AgentEvent, type Failure, isAgentError, type Outcome } from '@ai-agent/core';
import type { Answering, Asked } from '../../asked.ts';
import { toReply } from '../../direct-reply.ts';
import { toSafeFailure } from '../../failure-status.ts';
import type { Hall } from '../../hall.ts';
import { SseStream, sseHeaders } from '../../sse.ts';
import { OneWayAnswer } from '../../talk/one-way-answer.ts';
import { toSaid } from '../../talk/to-said.ts';
import { sessionHeader } from '../../trace-headers.ts';
import { toVisibleQuestion } from '../rest/session-view.ts';
import { ChatCounts } from './chat-counts.ts';
import { codeOf, toErrorEvent } from './chat-error.ts';
import type { ChatMetrics, Measured } from './chat-metrics.ts';
import { ChatStatuses } from './chat-status.ts';
import type { Client } from './guests.ts';

/** How often figures are told while it works. */
export const figuresMs = 250;

export interface Chat {
  readonly hall: Hall;
  readonly request: Request;
  readonly metrics: ChatMetrics;
  readonly client: Client;
  /** Starts the run. What it throws is thrown: until then nothing was sent. */
  readonly ask: (hearing: Pick<Asked, 'signal' | 'onEvent'>) => Answering | Promise<Answering>;
}

export async function streamChat(chat: Chat): Promise<Response> {
  const { hall, request, client, metrics } = chat;
  const gone = new AbortController();
  const leave = () => gone.abort();
  request.signal.addEventListener('abort', leave, { once: true });
  if (request.signal.aborted) leave();
  const talking = new Talking(hall, leave);
  const quit = () => request.signal.removeEventListener('abort', leave);
  let answering: Answering;
  try {
    answering = await chat.ask({ signal: gone.signal, onEvent: talking.hear });
  } catch (error) {
    quit();
    throw error;
  }
  const { id, agent, resumptions } = answering.head;
  const measured = metrics.begin(agent, request.headers.get('origin'));
  talking.begin(client, { sessionId: id, session: id, turn: resumptions + 1, agentId: agent }, measured);
  void talking.end(answering).catch(hall.onBug).finally(quit);
  return toReply(request, talking.stream, {
    headers: { [sessionHeader]: id, ...sseHeaders, 'cache-control': 'no-store, no-transform' },
  });
}

class Talking {
  readonly stream: SseStream;
  readonly #hall: Hall;
  readonly #counts: ChatCounts;
  readonly #statuses: ChatStatuses;
  readonly #written: OneWayAnswer;
  /** What a run told before it was known which session it is. */
  #waiting: (() => void)[] | undefined = [];
  #measured: Measured | undefined;
  #pieces = 0;
  #unset = () => {};

  constructor(hall: Hall, onGone: () => void) {
    this.#hall = hall;
    this.stream = new SseStream({ onGone });
    this.#counts = new ChatCounts(() => hall.clock.monotonicMs());
    this.#statuses = new ChatStatuses(() => hall.clock.now());
    this.#written = new OneWayAnswer((chunk) => this.#later(() => this.#tellPiece(chunk)));
  }

  readonly hear = (event: AgentEvent): void => {
    this.#counts.hear(event);
    const status = this.#statuses.hear(event);
    if (status) this.#later(() => this.#send('status', status));
    this.#written.hear(event);
  };

  begin(client: Client, meta: object, measured: Measured): void {
    this.#measured = measured;
    this.#send('client', client);
    this.#send('meta', meta);
    for (const tell of this.#waiting ?? []) tell();
    this.#waiting = undefined;
    this.#tellFigures();
  }

  /** Tells how it ended. */
  async end({ head, outcome }: Answering): Promise<void> {
    try {
      const ended = await outcome;
      this.stream.tellLast();
      this.#tellEnd(ended, head.id);
    } catch (error) {
      // It never began.
      if (!isAgentError(error)) this.#hall.onBug(error);
      this.#fail(toSafeFailure(error));
    } finally {
      this.#unset();
      this.stream.end();
    }
  }

  #tellEnd(outcome: Outcome, sessionId: string): void {
    const said = toSaid({ outcome, used: outcome.usage, sessionId, reasoning: '', calls: [] });
    if (said.status === 'failed') {
      this.#fail(said.failure);
      return;
    }
    // What needs leave is not shown to visitors.
    const question = 'question' in outcome ? toVisibleQuestion(outcome.question) : undefined;
    const isLeave = 'question' in outcome && outcome.question.type === 'approval';
    const broken = this.#written.end(isLeave && question ? { ...said, text: question.text } : said);
    if (broken) {
      this.#fail(broken);
      return;
    }
    this.#send('metrics', { ...this.#counts.figures, final: true });
    if (question) this.#send('question', question);
    const { inputTokens: tokensIn, outputTokens: tokensOut, toolCalls: toolsRun } = outcome.usage;
    this.#send('done', {
      success: true,
      status: outcome.status,
      ...('limit' in outcome ? { limit: outcome.limit } : {}),
      ...(outcome.incomplete.length > 0 ? { isIncomplete: true } : {}),
      metrics: { durationMs: this.#counts.elapsed, tokensIn, tokensOut, toolsRun },
      reportLength: this.#written.all.length,
    });
    this.#measured?.end(outcome.status);
  }

  #fail(failure: Failure): void {
    this.#send('metrics', { ...this.#counts.figures, final: true });
    this.#send('error', toErrorEvent(failure));
    // Who hangs up has not failed.
    if (failure.class === 'cancelled') this.#measured?.end('cancelled');
    else this.#measured?.end('failed', codeOf(failure));
  }

  #tellPiece(chunk: string): void {
    this.#measured?.piece();
    this.#send('report', { chunk, index: this.#pieces++ });
  }

  #tellFigures(): void {
    this.#unset = this.#hall.clock.after(figuresMs, () => {
      this.#send('metrics', this.#counts.figures);
      this.#tellFigures();
    });
  }

  #later(tell: () => void): void {
    if (this.#waiting) this.#waiting.push(tell);
    else tell();
  }

  #send(event: string, data: unknown): void {
    this.stream.send({ event, data });
  }
}
