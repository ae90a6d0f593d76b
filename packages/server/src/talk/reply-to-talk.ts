// Replies to a client that takes an agent for a model: the run is asked, and written as the client's API has it.

import type { Failure } from '@ai-agent/core';
import type { Hall } from '../hall.ts';
import type { SseStream } from '../sse.ts';
import type { Visitor } from '../visitor.ts';
import type { Failed, Said, Writer } from './said.ts';
import type { Talk } from './talk.ts';
import type { TalkMemory } from './talk-memory.ts';

export interface TalkReply {
  readonly hall: Hall;
  /** What is remembered between two requests of one conversation; one for each headend. */
  readonly memory: TalkMemory;
  readonly request: Request;
  readonly visitor: Visitor;
  /** Whose places it takes. */
  readonly headend: 'openai' | 'anthropic';
  readonly talk: Talk;
  readonly isStream: boolean;
  /** Before the ids of calls that the client is to run: `call_`, `toolu_`. */
  readonly idPrefix: string;
  readonly api: TalkApi;
}

/** The same run as one API has it. */
export interface TalkApi {
  toWriter(stream: SseStream, started: Started): Writer;
  /** The body of a reply that is not streamed. */
  toBody(said: Said, started: Started): object;
  /** With the status and the headers that the API has for it. */
  toError(failure: Failure, about?: Pick<Failed, 'sessionId'>): Response;
}

export interface Started {
  readonly sessionId: string;
  /** In milliseconds. */
  readonly createdAt: number;
}

/** Throws what is wrong with the request; what came of the run is a response. */
export async function replyToTalk(_reply: TalkReply): Promise<Response> {
  throw new TypeError('not written yet');
}
