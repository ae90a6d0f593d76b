// Everything a session tells: facts, which are complete and in order, and hints, which may be lost.

import type { TimeSpentMs } from './budget.ts';
import type { SummedUp } from './compaction.ts';
import type { Ending } from './ending.ts';
import type { Failure } from './errors.ts';
import type { Json } from './json.ts';
import type { Message, ToolCallPart, UserMessage } from './message.ts';
import type { ChildCall, Continued } from './missing-call.ts';
import type { ModelReply, OutputContract } from './model.ts';
import type { ModelRequestRecord } from './operation.ts';
import type { Request } from './pauses.ts';
import type { PartnerRole } from './place.ts';
import type { Question } from './question.ts';
import type { StepKind } from './step-kind.ts';
import type { ToolResult } from './tool-result.ts';
import type { Totals } from './totals.ts';
import type { Trace } from './trace.ts';

export type AgentEvent = Fact | Hint;

export type Fact =
  | SessionStart
  | TurnStart
  | ModelStart
  | ModelEnd
  | QuestionStart
  | QuestionEnd
  | ToolStart
  | ToolEnd
  | BatchEnd
  | TurnEnd
  | SessionEnd;

interface FactFields {
  readonly kind: 'fact';
  /** Counts the facts of one session from one; with `trace.selfId` it identifies the fact, also on replay. */
  readonly seq: number;
  /** When, in milliseconds: taken from settled operations, so that a replay says the same. */
  readonly at: number;
  /** The operation it derives from. */
  readonly op: string;
  readonly trace: Trace;
}

export interface SessionStart extends FactFields {
  readonly type: 'session-start';
  readonly depth: number;
  /** Path of its agent below the folder of the team, without extension. Missing for an agent that has none. */
  readonly agentPath?: string;
  /** What its agent is to the one that called, when it works on the same request. */
  readonly partner?: PartnerRole;
  /** The operation of the caller's session that this session is, or is run during; null at the root. */
  readonly callerOp: string | null;
  readonly title: string | null;
  readonly system: string;
  readonly messages: readonly Message[];
  /** What it was asked, and which message that is, where it goes on in the middle or from an answer. @default the last that was said to it */
  readonly request?: Pick<Request, 'text' | 'at' | 'isAdvised'>;
  /** The session that it continues, which asked a question or ended without an answer, and the children missing there. */
  readonly continues?: Continued;
  readonly tools: readonly string[];
  readonly output: OutputContract;
}

export interface TurnStart extends FactFields {
  readonly type: 'turn-start';
  readonly turn: number;
  /** What we said to the model before this turn: a repair, a wrap-up. */
  readonly said: readonly Message[];
  /** The limit that makes this the last turn. */
  readonly limit: string | null;
  /** What the house does in a turn that it takes in place of the model. */
  readonly step?: StepKind;
}

export interface ModelStart extends FactFields {
  readonly type: 'model-start';
  readonly turn: number;
  readonly provider: string;
  readonly model: string;
  /** The step that asks: then its reply is no part of what is said. */
  readonly step?: StepKind;
}

export interface ModelEnd extends FactFields {
  readonly type: 'model-end';
  readonly turn: number;
  readonly provider: string;
  readonly model: string;
  readonly startedAt: number;
  readonly endedAt: number;
  /** Every request of the call, failed ones included, oldest first. */
  readonly requests: readonly ModelRequestRecord[];
  readonly reply?: ModelReply;
  readonly failure?: Failure;
  /** Time that the budgets above had used when it ended, keyed by session. Missing without a time budget. */
  readonly timeSpentMs?: TimeSpentMs;
  readonly step?: StepKind;
}

/** A person is asked while the session waits. */
export interface QuestionStart extends FactFields {
  readonly type: 'question-start';
  readonly turn: number;
  /** Which call of its turn asks. */
  readonly index: number;
  readonly question: Question;
}

export interface QuestionEnd extends FactFields {
  readonly type: 'question-end';
  readonly turn: number;
  readonly index: number;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly answer?: Json;
  /** Why nobody answered. */
  readonly failure?: Failure;
}

export interface ToolStart extends FactFields {
  readonly type: 'tool-start';
  readonly turn: number;
  readonly index: number;
  readonly call: ToolCallPart;
  readonly label: string;
  readonly namespace: string;
  readonly instance: string;
  readonly title: string | null;
  /** The agent that the call runs. Missing for a call that runs none. */
  readonly child?: ChildCall;
  /** The id of the batch it came in. Missing for a call that the model made itself. */
  readonly batch?: string;
}

export interface ToolEnd extends FactFields {
  readonly type: 'tool-end';
  readonly turn: number;
  readonly index: number;
  readonly label: string;
  readonly namespace: string;
  readonly instance: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly result: ToolResult;
  readonly batch?: string;
}

/** All calls of a batch have ended: what the model reads as the one result of it. */
export interface BatchEnd extends FactFields {
  readonly type: 'batch-end';
  readonly turn: number;
  /** Those of its calls that came to the door, by their index in the turn. */
  readonly calls: readonly number[];
  readonly result: ToolResult;
}

export interface TurnEnd extends FactFields {
  readonly type: 'turn-end';
  readonly turn: number;
  /** The step that is over. */
  readonly step?: StepKind;
  /** What the model is asked from here on, in place of the prompt. */
  readonly prompt?: UserMessage;
  /** What the conversation is from here on. What was said stays in the facts before. */
  readonly summedUp?: SummedUp;
}

export interface SessionEnd extends FactFields {
  readonly type: 'session-end';
  readonly startedAt: number;
  readonly endedAt: number;
  readonly ending: Ending;
  /** What this session and everything below it used. */
  readonly usage: Totals;
}

export type Hint =
  | TextDelta
  | ReasoningDelta
  | ModelWait
  | ModelSend
  | ToolProgress
  | TaskStatus
  | OperationStart
  | OperationEnd;

interface HintFields {
  readonly kind: 'hint';
  readonly trace: Trace;
}

export interface TextDelta extends HintFields {
  readonly type: 'text-delta';
  /** The session whose answer it is part of: its own, or the one whose answer it gives. */
  readonly answers: string;
  readonly turn: number;
  /** Counts from one; a new attempt begins the text again. */
  readonly attempt: number;
  readonly text: string;
}

export interface ReasoningDelta extends HintFields {
  readonly type: 'reasoning-delta';
  readonly turn: number;
  readonly attempt: number;
  readonly text: string;
}

/** A model call stands still, or goes over to the next model of the list. */
export interface ModelWait extends HintFields {
  readonly type: 'model-wait';
  readonly turn: number;
  /** The attempt that is waited for, from one. */
  readonly attempt: number;
  /** Whom it will be sent to. */
  readonly provider: string;
  readonly model: string;
  /**
   * The same model is asked again; the next one of the list is; its provider wants a pause, or its rate is used up;
   * others are first; what is left of the budget is promised to others.
   */
  readonly reason: 'retry' | 'fallback' | 'rate_limit' | 'queue' | 'budget';
  /** Left out where nobody knows: others have to be done first. */
  readonly waitMs?: number;
  /** What went wrong before, where something did. */
  readonly failure?: Failure;
}

/** A wait that was told is over: the request goes out. */
export interface ModelSend extends HintFields {
  readonly type: 'model-send';
  readonly turn: number;
  readonly attempt: number;
  readonly provider: string;
  readonly model: string;
}

export interface ToolProgress extends HintFields {
  readonly type: 'tool-progress';
  readonly op: string;
  readonly text: string;
}

/** What the model of a session says of its task. Holds until it says something else. */
export interface TaskStatus extends HintFields {
  readonly type: 'task-status';
  readonly status: 'starting' | 'in-progress' | 'completed';
  /** What it does now, for people; empty where it did not say. */
  readonly now: string;
  readonly done: string;
  readonly pending: string;
}

/** The work itself began: after any queue, before the fact that tells how it ended. */
export interface OperationStart extends HintFields {
  readonly type: 'operation-start';
  readonly op: string;
  readonly at: number;
}

export interface OperationEnd extends HintFields {
  readonly type: 'operation-end';
  readonly op: string;
  readonly at: number;
  readonly isOk: boolean;
}
