// A run as a stream of events: the answer in pieces, what goes on meanwhile, and at the end one outcome.

import { isAgentError, toFailedDocument } from '@ai-agent/core';
import type { Answering, Asked } from '../../asked.ts';
import { toReply } from '../../direct-reply.ts';
import { toSafeFailure } from '../../failure-status.ts';
import type { Hall } from '../../hall.ts';
import { toProgress } from '../../progress.ts';
import { SseStream, sseHeaders } from '../../sse.ts';
import { traceHeaders } from '../../trace-headers.ts';
import { AnswerPieces } from './answer-pieces.ts';
import { writeDocument } from './write-answer.ts';

/** Who waits for a run, and who hears of it. */
export type Hearing = Pick<Asked, 'signal' | 'onEvent'>;

/** Starts the session: `answer` or `resume` with these. */
export type Ask = (hearing: Hearing) => Answering | Promise<Answering>;

interface Streaming {
  readonly hall: Hall;
  readonly request: Request;
  readonly ask: Ask;
}

/** Proxies and clients give up on a connection where nothing comes. */
export const stillAtWorkMs = 15_000;

/** What `ask` throws is thrown: until then nothing was sent. */
export async function streamAnswer({ hall, request, ask }: Streaming): Promise<Response> {
  const gone = new AbortController();
  const leave = () => gone.abort();
  const stream = new SseStream({ onGone: leave });
  const pieces = new AnswerPieces((event, data) => stream.send({ event, data }));
  request.signal.addEventListener('abort', leave, { once: true });
  if (request.signal.aborted) leave();
  const answering = await ask({
    signal: gone.signal,
    onEvent(event) {
      pieces.hear(event);
      const progress = event.type === 'text-delta' ? undefined : toProgress(event);
      if (progress) stream.send({ event: 'progress', data: progress });
    },
  });
  const { id: sessionId, agent } = answering.head;
  stream.send({ event: 'session', data: { sessionId, agent } });
  const quiet = stillAtWork(hall, stream);
  void tellEnd({ hall, stream, pieces, answering }).finally(() => {
    quiet();
    request.signal.removeEventListener('abort', leave);
    stream.end();
  });
  const headers = { ...traceHeaders(answering), ...sseHeaders, 'cache-control': 'no-store, no-transform' };
  return toReply(request, stream, { headers });
}

/** Says so every while. Gives how to end that. */
function stillAtWork({ clock }: Hall, stream: SseStream): () => void {
  const again = () => {
    stream.comment('still at work');
    unset = clock.after(stillAtWorkMs, again);
  };
  let unset = clock.after(stillAtWorkMs, again);
  return () => unset();
}

interface Ending {
  readonly hall: Hall;
  readonly stream: SseStream;
  readonly pieces: AnswerPieces;
  readonly answering: Answering;
}

async function tellEnd({ hall, stream, pieces, answering }: Ending): Promise<void> {
  const { head, outcome } = answering;
  try {
    const ended = await outcome;
    stream.tellLast();
    pieces.end(ended);
    stream.sendJson('outcome', writeDocument(ended, head.id));
  } catch (error) {
    // It never began; the status was sent, so this is where it is told.
    if (!isAgentError(error)) hall.onBug(error);
    stream.send({ event: 'outcome', data: toFailedDocument(toSafeFailure(error), { sessionId: head.id }) });
  }
}
