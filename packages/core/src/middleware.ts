// How a concern attaches without anybody editing the loop: `decide` is pure, `perform` works.

import type { Limits } from './defaults.ts';
import type { Failure } from './errors.ts';
import type { Trace } from './events.ts';
import type { Json } from './json.ts';
import type { FinishReason, Model, ModelReply, ModelRequest, OutputContract } from './model.ts';
import type { FailedAttempt, OpenedTool, SessionOperation, ToolCall, ToolTask } from './operation.ts';
import type { Ports } from './ports.ts';
import type { Place } from './run.ts';
import type { Texts } from './texts.ts';
import type { ToolResult } from './tool-result.ts';
import type { Totals } from './totals.ts';

export interface Middleware {
  readonly name: string;
  readonly decide?: Decide;
  readonly perform?: Perform;
}

/**
 * Pure and synchronous, around operations: runs again on every replay, so it may use nothing but what it is given.
 * Each hook receives what the one before it returned.
 */
export interface Decide {
  /** Before a turn: take tools away, say something, make it the last, or stop. */
  turn?(plan: TurnPlan, view: SessionView): TurnPlan;
  /** Before a tool call becomes an operation: let it pass, change it, or refuse it. */
  call?(plan: CallPlan, view: SessionView): CallPlan | Refusal;
  /** After a tool call settled. */
  result?(result: ToolResult, plan: CallPlan, view: SessionView): ToolResult;
  /** When the model answered without calls: accept, or say what to do better. */
  answer?(verdict: Verdict, view: SessionView): Verdict;
}

/** What a decision may look at. */
export interface SessionView {
  readonly place: Place;
  readonly limits: Limits;
  readonly output: OutputContract;
  /** Whether the caller asked for this contract, and the agent's own prompt does not know it. */
  readonly isOutputAsked: boolean;
  readonly texts: Texts;
  readonly turn: number;
  /** How many answers were sent back in a row. */
  readonly repairs: number;
  readonly usage: Totals;
}

export interface TurnPlan {
  readonly number: number;
  readonly tools: readonly OpenedTool[];
  /** Sentences for the model before the turn. */
  readonly say: readonly string[];
  /** The limit that makes this turn the last. */
  readonly last: string | null;
  /** The limit that forbids this turn altogether. */
  readonly stop: string | null;
}

export interface CallPlan {
  readonly call: ToolCall;
  readonly tool: OpenedTool;
  readonly operation: ToolTask | SessionOperation;
}

export interface Refusal {
  readonly refused: Failure;
}

export interface Verdict {
  readonly text: string;
  readonly finishReason: FinishReason;
  /** The validated JSON report. */
  readonly report?: Json;
  /** Accept it as partial: this limit cut it. */
  readonly limit?: string;
  /** Send the answer back with these words. */
  readonly retry?: string;
  /** Give up. */
  readonly failure?: Failure;
}

/** Async, inside the task, around the real work. Not run again on replay. */
export interface Perform {
  model?(work: ModelWork, next: (work: ModelWork) => Promise<ModelReply>): Promise<ModelReply>;
  tool?(work: ToolWork, next: (work: ToolWork) => Promise<ToolResult>): Promise<ToolResult>;
}

export interface ModelWork {
  readonly model: Model;
  readonly request: ModelRequest;
  readonly signal: AbortSignal;
  readonly trace: Trace;
  readonly ports: Ports;
  /** What failed before; a layer that tries again adds to it. */
  readonly attempts: FailedAttempt[];
}

export interface ToolWork {
  readonly call: ToolCall;
  readonly signal: AbortSignal;
  readonly trace: Trace;
  readonly ports: Ports;
}

/** Wraps the innermost work in all layers, the first layer outermost. */
export function layer<W, R>(
  layers: readonly (((work: W, next: (work: W) => Promise<R>) => Promise<R>) | undefined)[],
  innermost: (work: W) => Promise<R>,
): (work: W) => Promise<R> {
  return layers.reduceRight<(work: W) => Promise<R>>(
    (next, around) => (around ? (work) => around(work, next) : next),
    innermost,
  );
}
