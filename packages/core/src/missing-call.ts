// Calls of agents, and those of them whose work is missing from an answer. Plain data.

import type { Failure } from './errors.ts';

/** The agent that a tool call runs. */
export interface ChildCall {
  /** Its name. */
  readonly agent: string;
  /**
   * Equal for two calls of one tool with the same arguments, whatever their title. Missing for a tool whose calls continue one
   * conversation, and for arguments that were cut or are not readable.
   */
  readonly argumentsHash?: string;
}

/** A child whose work is missing from the answer: it failed, was cut off by a limit, or was refused. */
export interface IncompleteChild {
  /** The call path of the child, such as `lead:researcher`. */
  readonly path: string;
  readonly title: string | null;
  readonly status: 'failed' | 'partial' | 'refused' | 'cancelled';
  /** Present if a session ran. */
  readonly sessionId?: string;
  /** The limit that cut it off, with `partial`. */
  readonly limit?: string;
  /** With `failed` and `refused`, and with `cancelled` where the reason is known. */
  readonly failure?: Failure;
}

/** An incomplete child, with the data that identifies a later call for the same work. */
export interface MissingCall {
  readonly child: IncompleteChild;
  /** The tool by which the session called the child, or the child above it. */
  readonly tool: string;
  /** Hash of the arguments of the call. A later call with the same hash does the missing work. */
  readonly argumentsHash?: string;
  /** True if the call was a mistake of the model: its arguments were wrong or cut. */
  readonly isMistake?: true;
}

/** The session that this one continues, and the children whose work was missing there. */
export interface Continued {
  readonly sessionId: string;
  readonly missing: readonly MissingCall[];
}
