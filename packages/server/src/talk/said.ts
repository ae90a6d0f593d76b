// What a run comes to for a client that takes it for a model, in words of no API: what headends of that kind encode.

import type { Failure, IncompleteChild, Json, Totals } from '@ai-agent/core';

export type Ended = Said | Failed;

export interface Said {
  /** `asked` is a question in words; `calls` are for the client to run. */
  readonly status: 'completed' | 'partial' | 'asked' | 'calls';
  /** Whether its last reply was cut, or data was not finished. What ended it is told about it. */
  readonly isCut: boolean;
  /** The answer, the question, or what was said before the calls. With a JSON contract the JSON text. */
  readonly text: string;
  /** The report, when there is a JSON contract and it was kept. */
  readonly report?: Json | undefined;
  /** What was thought, with what went on inside where that is shown. Never part of the text. */
  readonly reasoning: string;
  readonly calls: readonly ClientCall[];
  /** Without tools of the client what the whole tree used since the last reply; with them what the last call of the root used. */
  readonly usage: SaidUsage;
  readonly about: About;
}

/** A call for the client to run. */
export interface ClientCall {
  /** Ours: with the prefix that was asked for, and known to nobody else. */
  readonly id: string;
  /** As the client named its tool. */
  readonly name: string;
  /** The arguments, a JSON object as text. */
  readonly input: string;
}

export interface SaidUsage {
  /** All of it, what was read from a cache and written to one included. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly reasoningTokens: number;
}

/** What these APIs have no field for: told under `ai_agent`. */
export interface About {
  readonly session_id: string;
  readonly status: 'completed' | 'partial' | 'needs_user_input' | 'needs_client_tools' | 'failed' | 'cancelled';
  readonly limit?: string;
  /** Sub-agents whose work is missing from the answer. */
  readonly incomplete?: readonly IncompleteChild[];
  /** What the whole tree has used. */
  readonly usage: Totals;
}

export interface Failed {
  readonly status: 'failed';
  /** As clients may be told it. */
  readonly failure: Failure;
  readonly sessionId: string;
}

/** Writes a run as it goes on, as one API has it. What was written cannot be taken back. */
export interface Writer {
  /** The run was taken: nothing else was written before. */
  begin(): void;
  /** A piece of the answer. All of them together are the text of what is said at the end. */
  text(piece: string): void;
  /** A piece of the reasoning. It may come between pieces of the answer. */
  reasoning(piece: string): void;
  /** Nothing has come for a while, and the run goes on. */
  stillAtWork(): void;
  /** The last. Settles when it is written: whatever has to be kept before anybody may rely on it is kept then. */
  end(said: Said): void | Promise<void>;
  /** The last, in the same way. */
  fail(failed: Failed): void | Promise<void>;
}
