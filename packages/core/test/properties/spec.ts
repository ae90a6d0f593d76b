// A world as plain data: everything that is left to chance, so that a counterexample can be read.

import type { Budget, ErrorCode, Hold, Limits } from '@ai-agent/core';

export interface WorldSpec {
  /** The first is the root of every tree. */
  readonly agents: readonly AgentSpec[];
  readonly tools: readonly ToolSpec[];
  readonly trees: readonly TreeSpec[];
  readonly slots: { readonly models?: number; readonly tools?: number };
}

export interface AgentSpec {
  /** Others after it in the list, counted from the next: shared children, no cycles. */
  readonly children: readonly number[];
  /** Any of the list, listed by a source when a session opens: cycles. */
  readonly lazy: readonly number[];
  readonly source: SourceSpec;
  readonly tools: readonly number[];
  readonly limits: Partial<Limits>;
  readonly budget?: Budget;
  readonly hold: Hold;
  readonly ask: 'caller' | 'person' | 'no';
  readonly output: 'text' | 'json';
  readonly maxOutputTokens: number | null;
  /** How many models it has a list of. */
  readonly models: number;
  readonly price: 'unknown' | 'reported' | number;
  /** Callers reach it through an embedder's own tool, with this much time, and a signal that is aborted then. */
  readonly made?: { readonly timeoutMs?: number; readonly abortMs?: number };
  /** In order, and again from the first, whoever calls. */
  readonly steps: readonly StepSpec[];
}

export interface SourceSpec {
  readonly latencyMs: number;
  readonly fails: boolean;
}

export interface StepSpec {
  readonly type: 'text' | 'json' | 'empty' | 'calls' | 'fail' | 'throw' | 'hang';
  readonly calls: readonly CallSpec[];
  readonly code: ErrorCode;
  readonly retryAfterMs?: number;
  readonly latencyMs: number;
  readonly isDeaf: boolean;
  readonly isCut: boolean;
  readonly usage: UsageSpec;
}

export interface UsageSpec {
  readonly type: 'honest' | 'unknown' | 'half' | 'lying';
  /** Of what was reserved, in percent. */
  readonly input: number;
  readonly output: number;
}

export interface CallSpec {
  readonly to: 'child' | 'lazy' | 'tool' | 'unknown' | 'ask' | 'resume' | 'output';
  readonly which: number;
  readonly args: 'good' | 'bad' | 'broken' | 'json';
}

export interface ToolSpec {
  readonly type: 'text' | 'json' | 'fail' | 'throw' | 'hang' | 'huge' | 'nothing';
  readonly latencyMs: number;
  readonly isDeaf: boolean;
  readonly needsApproval: boolean;
  readonly timeoutMs?: number;
}

export interface TreeSpec {
  readonly startMs: number;
  readonly budget?: Budget;
  readonly isAttended: boolean;
  readonly hasSignal: boolean;
  readonly answers: readonly AnswerSpec[];
  readonly events: readonly EventSpec[];
  /** What becomes of a tree that waits for somebody when nothing else can happen. */
  readonly last: 'answer' | 'stop' | 'cancel';
  /** How much of the run is on record when it is taken up again, in percent. */
  readonly recorded: number;
  /** How often a root that ended with a question is gone on with. */
  readonly resumes: number;
}

export interface AnswerSpec {
  readonly type: 'right' | 'wrong' | 'late' | 'never' | 'throws';
  readonly delayMs: number;
}

export interface EventSpec {
  readonly do: 'stop' | 'cancel' | 'signal' | 'answer' | 'answer wrong';
  /** At a moment of time, or inside the n-th start or end of work, telling of a fact, or step of the budget. */
  readonly at: 'ms' | 'start' | 'end' | 'fact' | 'budget';
  readonly n: number;
  /** So many promises later, within the same moment. */
  readonly ticks: number;
}
