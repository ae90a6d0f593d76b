// The runtime seam: what the loop hands over, and what it gets back. All of it is plain data.

import type { Failure } from './errors.ts';
import type { JsonObject } from './json.ts';
import type { ModelReply, ModelRequest, ToolSpec } from './model.ts';
import { childSessionId, type Place } from './place.ts';
import type { ToolResult } from './tool-result.ts';

export type Operation = TaskOperation | SessionOperation | TimerOperation | MessageOperation;
export type TaskOperation = OpenTask | ModelTask | ToolTask;

/** The first operation of every session: records what the session cannot compute again. */
export interface OpenTask {
  readonly type: 'task';
  readonly task: 'open';
  readonly name: string;
  readonly input: { readonly agent: string };
}

export interface Opened {
  readonly provider: string;
  readonly model: string;
  readonly system: string;
  readonly tools: readonly OpenedTool[];
}

export interface OpenedTool extends ToolSpec {
  /** The name for people: `researcher` for `agent__researcher`. */
  readonly label: string;
  /** Where the tool comes from, for logs alone. */
  readonly namespace: string;
  /** Which operation performs a call. The tool says so; nobody else asks why. */
  readonly operation: 'task' | 'session';
  /** The argument whose text becomes the title of a call; null when there is none. */
  readonly titleFrom: string | null;
}

export interface ModelTask {
  readonly type: 'task';
  readonly task: 'model';
  readonly name: string;
  readonly input: { readonly turn: number; readonly request: ModelRequest };
}

export interface ModelResult {
  readonly provider: string;
  readonly model: string;
  /** Attempts that failed before the one that counts, oldest first. */
  readonly attempts: readonly FailedAttempt[];
  readonly reply?: ModelReply;
  readonly failure?: Failure;
}

export interface FailedAttempt {
  readonly provider: string;
  readonly model: string;
  readonly failure: Failure;
}

export interface ToolTask {
  readonly type: 'task';
  readonly task: 'tool';
  readonly name: string;
  readonly input: ToolCall;
}

/** A call that passed the door: found, parsed, validated. */
export interface ToolCall {
  readonly turn: number;
  /** Which call of its turn, counted from one. */
  readonly index: number;
  /** The name the tool was offered under. */
  readonly tool: string;
  /** The provider's id of the call. */
  readonly callId: string;
  readonly args: JsonObject;
  /** The tool's label, with its number when it runs more than once in the turn. */
  readonly instance: string;
  /** Why, in words for people. */
  readonly title: string | null;
}

/** A session one level down. */
export interface SessionOperation {
  readonly type: 'session';
  readonly name: string;
  /** Derived from the parent's id and this operation's name. */
  readonly sessionId: string;
  /** Where its caller stands: with the call, all that another process needs to know where this one does. */
  readonly caller: Place;
  readonly input: ToolCall;
}

export interface TimerOperation {
  readonly type: 'timer';
  readonly name: string;
  readonly durationMs: number;
}

/** Waits for somebody outside to send a message of this name to this session. */
export interface MessageOperation {
  readonly type: 'message';
  readonly name: string;
}

export type ResultOf<O extends Operation> = O extends OpenTask
  ? Opened
  : O extends ModelTask
    ? ModelResult
    : O extends ToolTask | SessionOperation
      ? ToolResult
      : O extends TimerOperation
        ? null
        : unknown;

/** How an operation ended, and when its work began and was over. Waiting in a queue is before the start. */
export type Settled<T> = (
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: Failure }
) & {
  readonly startedAt: number;
  readonly endedAt: number;
};

/**
 * Carries out operations for one session. Everything settles to a value; only cancellation rejects.
 * One `do` or `all` at a time. Names are unique in a session and the same on every replay.
 */
export interface Runtime {
  do<O extends Operation>(operation: O): Promise<Settled<ResultOf<O>>>;
  /** Started in list order, at most `limit` at once; settled values come back in list order. */
  all<O extends Operation>(
    operations: readonly O[],
    options: { readonly limit: number },
  ): Promise<readonly Settled<ResultOf<O>>[]>;
}

export function toOperation(tool: OpenedTool, call: ToolCall, caller: Place): ToolTask | SessionOperation {
  const name = `turn.${call.turn}.tool.${call.index}`;
  if (tool.operation === 'task') return { type: 'task', task: 'tool', name, input: call };
  return { type: 'session', name, sessionId: childSessionId(caller.id, call), caller, input: call };
}
