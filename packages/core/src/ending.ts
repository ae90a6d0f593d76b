// How a session ended, as plain data.

import type { ClientCall } from './client-calls.ts';
import type { Failure } from './errors.ts';
import type { Json, JsonObject } from './json.ts';
import type { Question } from './question.ts';

export type Ending = Completed | Stopped | NeedsUserInput | NeedsClientTools | Failed | Cancelled;

interface Said {
  /** The report as text; with a JSON contract the JSON text, or what was said instead of it. */
  readonly text: string;
  /** The validated JSON report. Absent unless the contract is JSON and was kept; an outcome has the text of other contracts here. */
  readonly report?: Json;
  /** What the answer says to plugins, by their names. */
  readonly metadata?: JsonObject;
}

export interface Completed extends Said {
  readonly status: 'completed';
  /** Whether it is an earlier answer, given again: nobody was asked for it. */
  readonly isCached?: true;
}

/** The work is done, and another answers: no session ends so. */
export interface HandedOver extends Completed {
  readonly handOver: HandOver;
}

export interface HandOver {
  /** The label of the destination. */
  readonly agent: string;
  /** What that one should know beyond the request. */
  readonly message?: string;
}

/** A limit stopped the session; what was done so far is kept. */
export interface Stopped extends Said {
  readonly status: 'partial';
  /** The limit by its name in the agent's definition, such as maxTurns. */
  readonly limit: string;
}

/** The session waits for an answer; a new one goes on with its history when that comes. */
export interface NeedsUserInput extends Said {
  readonly status: 'needs_user_input';
  readonly question: Question;
  /** The handle to answer with: `resume` of the next session. */
  readonly resume: string;
}

/** The session waits for calls that whoever asked runs; a new one goes on with its history when their results come. */
export interface NeedsClientTools extends Said {
  readonly status: 'needs_client_tools';
  readonly calls: readonly ClientCall[];
  /** The handle to bring the results with: `resume` of the next session. */
  readonly resume: string;
}

export interface Failed extends Said {
  readonly status: 'failed';
  readonly failure: Failure;
}

export interface Cancelled extends Said {
  readonly status: 'cancelled';
  readonly failure: Failure;
}
