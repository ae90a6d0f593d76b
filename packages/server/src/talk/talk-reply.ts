// What a headend says of a request that it has decoded, and how its API writes what comes of it.

import type { ToError } from '../failure-status.ts';
import type { Hall } from '../hall.ts';
import type { SseStream } from '../sse.ts';
import type { Visitor } from '../visitor.ts';
import type { Said, Writer } from './said.ts';
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
  /** The header under which clients of the API look for the id of a request. */
  readonly idHeader: string;
  /** The body of a reply that is not streamed. Settles when all is kept that its client may rely on. */
  toBody(said: Said, started: Started): object | Promise<object>;
  /** With the status and the headers that the API has for it. */
  readonly toError: ToError;
  /** Whether a stream begins at once, and tells in itself also what went wrong before anything was said. @default false */
  readonly tellsFailuresInStream?: boolean;
}

export interface Started {
  readonly sessionId: string;
  /** Of this one reply: letters and digits. */
  readonly replyId: string;
  /** When this reply was begun, in milliseconds. */
  readonly createdAt: number;
}
