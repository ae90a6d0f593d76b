// What headends ask of the house, and what they are given back.

import type { AIAgentSessionConfig, Budget, Fact, JsonObject, Outcome, Paused, SessionHead } from '@ai-agent/core';
import type { Caller } from './caller.ts';
import type { Follower } from './live-session.ts';
import type { ServedAgent } from './served-agent.ts';
import type { Visitor } from './visitor.ts';

/** What of it a session is given as it is. */
export type Given = Pick<
  AIAgentSessionConfig,
  'output' | 'history' | 'continues' | 'request' | 'attachments' | 'instructions' | 'tools' | 'onQuestion'
>;

export interface Asked extends Given {
  readonly agent: string;
  readonly prompt: string | JsonObject;
  readonly visitor: Visitor;
  /** Whose places it takes. */
  readonly headend: string;
  /** What its session is called, and what it does again. @default by what is asked; nothing */
  readonly title?: string | undefined;
  readonly retryOf?: SessionHead['retryOf'];
  /** Narrows what the run may use. */
  readonly budget?: Budget | undefined;
  /** Who is at work above, as the request says. */
  readonly above?: Caller | undefined;
  /** The connection that waits for it: the run ends with it. @default it belongs to no connection */
  readonly signal?: AbortSignal | undefined;
  /** Hears everything from the beginning; without, and with a signal, models do not stream. */
  readonly onEvent?: Follower | undefined;
  /** Hears every fact from the beginning; models do not stream for it. */
  readonly onFact?: ((fact: Fact) => void) | undefined;
  /** Told at once when there is no place for it yet. */
  readonly onWait?: (() => void) | undefined;
}

export interface Answering {
  readonly head: SessionHead;
  /** The id of its tree, and the names of the agents from the top down to its own: as its facts have them. */
  readonly originId: string;
  readonly callPath: readonly string[];
  /** Rejects only when it never began: with `server-stopping`, `allowance-spent`, or with the reason for which nobody waits any more. */
  readonly outcome: Promise<Outcome>;
}

/** The same once it is known who answers. */
export interface Starting extends Asked {
  readonly served: ServedAgent;
  readonly sessionId: string;
  /** What it is again when it could not go on. */
  readonly before?: SessionHead;
  /** What it goes on from, and the handle of that; with neither, from what was said. */
  readonly paused?: Paused;
  readonly handle?: string;
}
