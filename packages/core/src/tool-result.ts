// What a tool call came to: plain data, whoever did the work.

import type { TimeSpentMs } from './budget.ts';
import type { Ending, HandOver } from './ending.ts';
import { type Failure, toFailure } from './errors.ts';
import type { Json } from './json.ts';
import type { FilePart, ToolCallPart, ToolResultPart } from './message.ts';
import type { Question } from './question.ts';
import type { Totals } from './totals.ts';

export interface ToolResult {
  readonly status: 'ok' | 'failed' | 'refused';
  /** What the tool said; once through the door, what the model reads. */
  readonly text: string;
  /** The structured value, when the tool gave one. */
  readonly value?: Json;
  /** Pictures and the like, for models that take them. */
  readonly files?: readonly FilePart[];
  /** One line for people. */
  readonly summary?: string;
  readonly failure?: Failure;
  /** The rest of a result that was too long. */
  readonly kept?: { readonly handle: string; readonly bytes: number };
  /** Whether it is an earlier answer, given again. */
  readonly isCached?: boolean;
  /** How long its work stood still: for a person, or in queues. Part of the time between its start and its end. */
  readonly waitedMs?: number;
  /** Missing without a time budget, and for sessions, whose own calls say it. */
  readonly timeSpentMs?: TimeSpentMs;
  /** Whether a person was asked in the middle of the work. */
  readonly wasAsked?: boolean;
  /** Who answers in place of the session that called. */
  readonly handOver?: HandOver;
  /** The session one level down, when that did the work. */
  readonly session?: SessionResult;
  /** What sessions did that the tool ran during its work. */
  readonly inside?: InsideResult;
}

export interface CallEnd {
  readonly result: ToolResult;
  readonly startedAt: number;
  readonly endedAt: number;
}

export interface InsideResult {
  /** How many. */
  readonly sessions: number;
  /** What they and everything below them used. The same calls are in the facts: never add both. */
  readonly usage: Totals;
  /** What they told, for whoever gives the result back without running them again. Tool-end facts leave it out. */
  readonly facts?: readonly Json[];
}

export interface SessionResult {
  readonly id: string;
  readonly agentName: string;
  readonly status: Ending['status'];
  /** The limit that made it partial. */
  readonly limit?: string;
  /** What it asks. */
  readonly question?: Question;
  /** What the session and everything below it used. The same calls are in the facts: never add both. */
  readonly usage: Totals;
  readonly latencyMs: number;
}

/** How long a call took, without what it waited for. */
export function latencyOf({ startedAt, endedAt, result }: CallEnd): number {
  return Math.max(0, endedAt - startedAt - (result.waitedMs ?? 0));
}

/** A thrown thing as a result. */
export function thrownResult(error: unknown): ToolResult {
  return failedResult(toFailure(error, 'tool-failed'));
}

/** The text is what was produced before; the door adds the reason in words for the model. */
export function failedResult(failure: Failure, text = ''): ToolResult {
  return { status: 'failed', text, failure };
}

/** A call and its result as a part of the conversation. */
export function toResultPart({
  part,
  result,
}: {
  readonly part: Pick<ToolCallPart, 'id' | 'name'>;
  readonly result: ToolResult;
}): ToolResultPart {
  const { text, status, files } = result;
  const shown = { type: 'tool-result', id: part.id, name: part.name, text, isError: status !== 'ok' } as const;
  return files && status === 'ok' ? { ...shown, files } : shown;
}
