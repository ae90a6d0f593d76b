// The runtime seam: what the loop hands over, and what it gets back. All of it is plain data.

import type { TimeSpentMs } from './budget.ts';
import type { Completed } from './ending.ts';
import type { Failure } from './errors.ts';
import type { Json, JsonObject, JsonSchema } from './json.ts';
import type { ModelReply, ModelRequest, ToolSpec } from './model.ts';
import type { Paused } from './pauses.ts';
import { childSessionId, isOwnAnswer, type PartnerRole, type Place } from './place.ts';
import type { Price } from './price.ts';
import type { Question } from './question.ts';
import type { StepKind } from './step-kind.ts';
import type { ToolResult } from './tool-result.ts';
import type { Usage } from './usage.ts';

export type Operation = TaskOperation | SessionOperation | TimerOperation | MessageOperation;
export type TaskOperation = OpenTask | ModelTask | ToolTask;

/** The first operation of every session: records what the session cannot compute again. */
export interface OpenTask {
  readonly type: 'task';
  readonly task: 'open';
  readonly name: string;
  readonly input: {
    readonly agent: string;
    readonly resume?: Resumption;
    /** Whether what it is asked is to be answered anew, and not as it was answered before. */
    readonly isAgain?: boolean;
  };
}

/** The question that a session goes on from, and its answer. */
export interface Resumption {
  readonly handle: string;
  readonly answer: Json;
  /** Whether a person answers, and not the model that called. */
  readonly isPersons: boolean;
}

export interface Opened {
  /** In the order they are tried. */
  readonly models: readonly OpenedModel[];
  readonly system: string;
  readonly tools: readonly OpenedTool[];
  /** What steps call, and models never. Missing when there are none. */
  readonly partners?: readonly OpenedTool[];
  /** How many tokens the system prompt and the tools will be, by estimate. */
  readonly promptTokens: number;
  /** Whether somebody was there to answer questions: a replay asks, or does not, as it was. */
  readonly isAttended: boolean;
  /** The session it goes on from, and the answer that one waited for. */
  readonly resumed?: Paused & { readonly answer: Json };
  /** The earlier answer that is given again: then nothing else was opened. */
  readonly cached?: CachedResponse;
}

export type CachedResponse = Omit<Completed, 'status' | 'isCached'>;

export interface OpenedModel {
  readonly provider: string;
  readonly model: string;
  /** Null when nobody knows. */
  readonly price: Price | 'reported' | null;
  readonly contextWindowTokens: number;
  /** How many of these are left free. */
  readonly contextBufferTokens: number;
  /** What a token of this model is, measured when the session opened. @default the usual estimate */
  readonly bytesPerToken?: number;
}

export interface OpenedTool extends ToolSpec {
  /** Schema that arguments must satisfy, where that is less than models are shown. @default inputSchema */
  readonly acceptedSchema?: JsonSchema;
  /** The name for people: `researcher` for `agent__researcher`. */
  readonly label: string;
  /** Where the tool comes from, for logs alone. */
  readonly namespace: string;
  /** Which operation performs a call. The tool says so; nobody else asks why. */
  readonly operation: 'task' | 'session';
  /** The argument whose text becomes the title of a call; null when there is none. */
  readonly titleFrom: string | null;
  /** Whether models are told of it from the start; others are told when they need it. */
  readonly isOffered: boolean;
  /** The agent that a session of this tool runs; null when it runs none, or one that only its maker knows. */
  readonly agentName: string | null;
  /** The id of that agent; null when there is no such agent. */
  readonly agentId: string | null;
  /** Whether its calls go on with one conversation, one after the other. */
  readonly isKept: boolean;
  /** What somebody has to be asked before it runs. */
  readonly asks: Question['type'] | null;
  /** Whether the agent, or one above it, may not call it: see `Agent.permissions`. @default false */
  readonly isDenied?: boolean;
  /** Whether the session is over with a call of it. @default false */
  readonly endsSession?: boolean;
  /** Whether whoever asked runs it. @default false */
  readonly isClientTool?: boolean;
  /** What its agent is to the one that calls, when it works on the same request. @default a sub-agent */
  readonly partner?: PartnerRole;
}

export interface ModelTask {
  readonly type: 'task';
  readonly task: 'model';
  readonly name: string;
  readonly input: ModelInput;
}

export interface ModelInput {
  readonly turn: number;
  readonly request: ModelRequest;
  readonly models: readonly OpenedModel[];
  /** Estimated tokens of the request. */
  readonly inputTokens: number;
  /** True if a count of the provider in this session has corrected the estimate. */
  readonly isCorrected: boolean;
  /** The limit that makes this the last word of its session; null when more may come. */
  readonly limit: string | null;
  /** What the house asks for itself: nothing of the reply is shown as it comes. */
  readonly step?: StepKind;
}

export interface ModelResult {
  readonly provider: string;
  readonly model: string;
  /** Every request of the call, oldest first. A call without a request has one record: `refused`, or `ok` if a layer gave the reply. */
  readonly requests: readonly ModelRequestRecord[];
  readonly reply?: ModelReply;
  readonly failure?: Failure;
  /** Missing without a time budget. */
  readonly timeSpentMs?: TimeSpentMs;
}

/** A request to a model. */
export interface ModelRequestRecord {
  readonly provider: string;
  readonly model: string;
  /** `refused`: no request was sent, because of a rate limit, a budget or the set-up. It used nothing. */
  readonly status: 'ok' | 'failed' | 'refused' | 'cancelled';
  readonly startedAt: number;
  readonly endedAt: number;
  /** Tokens the provider reported. A missing figure is unknown. */
  readonly usage: Usage;
  readonly costUsd?: number;
  /** Charged to the budgets above in place of an unknown usage. */
  readonly charged?: Reserved;
  /** Present unless the status is `ok`. */
  readonly failure?: Failure;
}

/** Amounts that a budget holds back for a request under way. */
export interface Reserved {
  readonly tokens: number;
  readonly costUsd: number;
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
  /** The tool's label, with the index of the call if the turn runs this tool twice or several sub-agents. */
  readonly instance: string;
  /** Why, in words for people. */
  readonly title: string | null;
  /** Which of the sessions that the tool runs during its work, counted from one. */
  readonly inside?: number;
  /** What a person answered to a session below: it is gone on with, whatever the arguments say. */
  readonly answered?: { readonly handle: string; readonly answer: Json };
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
  /** The session whose conversation it goes on with: it starts when that one has settled. */
  readonly after?: string;
  /** How many messages of its caller's conversation it is told before its prompt, with what came with the next. */
  readonly recalls?: number;
  /** Whether what it says is its caller's own answer: then a stop leaves it its last word. */
  readonly isAnswer?: true;
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
  /** What is asked, when the message is an answer. */
  readonly question?: Question;
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
  do<O extends Operation>(operation: O, onSettled?: OnSettled<O>): Promise<Settled<ResultOf<O>>>;
  /** Started in list order, at most `limit` at once; settled values come back in list order. */
  all<O extends Operation>(operations: readonly O[], options: ListOptions<O>): Promise<readonly Settled<ResultOf<O>>[]>;
}

export interface ListOptions<O extends Operation> {
  /** The number of operations of the list that run at once, from 1. */
  readonly limit: number;
  readonly onSettled?: OnSettled<O> | undefined;
}

/**
 * Called once for every operation that settled, at once and before its siblings are awaited, even if the session is being
 * cancelled. A replay calls it in the order in which the operations ended. `index` is the position in the list.
 */
export type OnSettled<O extends Operation> = (settled: Settled<ResultOf<O>>, index: number) => void;

/** What was said before a call: in the session that it goes on with, and up to the request of its caller. */
interface Said {
  readonly after: string | undefined;
  /** Which message of the caller's conversation its request is, counted from zero. */
  readonly askedAt: number;
}

/** Which operation performs a call. The tool said so when the session opened. */
export function toOperation(
  tool: OpenedTool,
  call: ToolCall,
  caller: Place,
  { after, askedAt }: Said,
): ToolTask | SessionOperation {
  const name = `turn.${call.turn}.tool.${call.index}`;
  if (tool.operation === 'task') return { type: 'task', task: 'tool', name, input: call };
  const sessionId = childSessionId(caller.id, call);
  const operation: SessionOperation = { type: 'session', name, sessionId, caller, input: call };
  if (tool.partner) return { ...operation, recalls: askedAt, ...(isOwnAnswer(tool.partner) ? { isAnswer: true } : {}) };
  return after === undefined ? operation : { ...operation, after };
}
