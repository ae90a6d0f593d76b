// Replies to a request with what a session comes to, in the form that was wanted. The run ends with the connection.

import { isAgentError, type Outcome } from '@ai-agent/core';
import type { Context } from 'hono';
import type { Inside } from '../../door.ts';
import { toErrorResponse, toSafeFailure } from '../../failure-status.ts';
import type { Hall } from '../../hall.ts';
import { traceHeaders } from '../../trace-headers.ts';
import { type Ask, streamAnswer } from './answer-stream.ts';
import type { Wants } from './wants.ts';
import { toAnswer, toDocument } from './write-answer.ts';

export interface Reply {
  readonly hall: Hall;
  readonly wants: Wants;
  /** What it throws is thrown. */
  readonly ask: Ask;
}

export async function replyTo(context: Context<Inside>, { hall, wants, ask }: Reply): Promise<Response> {
  const request = context.req.raw;
  if (wants.as === 'stream') return streamAnswer({ hall, request, ask });
  const answering = await ask({ signal: request.signal });
  const headers = traceHeaders(answering);
  let outcome: Outcome;
  try {
    outcome = await answering.outcome;
  } catch (error) {
    // It never began: there is a session, and nothing else to tell.
    if (!isAgentError(error)) throw error;
    return toErrorResponse(toSafeFailure(error), { sessionId: answering.head.id, headers });
  }
  const about = { outcome, headers, sessionId: answering.head.id, request };
  return wants.as === 'document' ? toDocument(about) : toAnswer(about, wants.format);
}
