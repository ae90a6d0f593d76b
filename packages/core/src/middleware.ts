// How a concern attaches without anybody editing the loop: `decide` is pure, `perform` works.

import type { Scope } from './abort.ts';
import type { Limits } from './defaults.ts';
import type { Ending, HandedOver } from './ending.ts';
import { AgentError, type Failure } from './errors.ts';
import type { ModelWait } from './events.ts';
import type { Json, JsonObject } from './json.ts';
import type { FinishReason, Model, ModelReply, ModelRequest, OutputContract } from './model.ts';
import type { OpenedModel, OpenedTool, Reserved, ToolCall } from './operation.ts';
import type { PartnerRole, Place } from './place.ts';
import type { RunPorts } from './ports.ts';
import type { Question } from './question.ts';
import type { ToolCaching } from './result-cache.ts';
import type { Texts } from './texts.ts';
import type { ToolQueue } from './tool-queue.ts';
import type { ToolResult } from './tool-result.ts';
import type { Totals } from './totals.ts';
import type { Trace } from './trace.ts';
import type { Usage } from './usage.ts';

export interface Middleware {
  readonly name: string;
  readonly decide?: Decide;
  readonly perform?: Perform;
}

/**
 * Pure and synchronous, around operations: runs again on every replay, so it may use nothing but what it is given.
 * Each hook receives what the one before it returned; the first refusal of a call stands.
 */
export interface Decide {
  /** Before a turn: take tools away, say something, make it the last, or stop. */
  turn?(plan: TurnPlan, view: SessionView): TurnPlan;
  /** Before a tool call becomes an operation: nothing lets it pass; it may be refused, or somebody asked first. */
  call?(plan: CallPlan, view: SessionView): Refusal | Inquiry | undefined;
  /** After a tool call settled. Other calls of the turn may still be running: their results are not visible here. */
  result?(result: ToolResult, plan: CallPlan, view: SessionView): ToolResult;
  /** After a turn without an answer: nothing goes on, or fails when the model did; the first that says more stands. */
  next?(end: Unanswered, view: SessionView): Next | undefined;
  /** When the model answered without calls: accept, or say what to do better. */
  answer?(verdict: Verdict, view: SessionView): Verdict;
}

/** What a decision may look at. */
export interface SessionView {
  readonly place: Place;
  readonly limits: Limits;
  readonly output: OutputContract;
  readonly texts: Texts;
  /** Whom the agent asks. */
  readonly ask: 'caller' | 'person';
  readonly models: readonly OpenedModel[];
  /** The place in the list from which on they answer: those before it failed twice in a row. */
  readonly answersFrom: number;
  readonly turn: number;
  /** How often the model has answered, with calls or without. */
  readonly replies: number;
  /** Whether the model was told the contract: an asked one is told after the first answer. */
  readonly isOutputTold: boolean;
  /** How many answers were sent back in a row. */
  readonly repairs: number;
  /** What they said, oldest first. */
  readonly sentBack: readonly string[];
  readonly usage: Totals;
  /** What the next request will be, by estimate. */
  readonly contextTokens: number;
  /** The most that a reply may be. */
  readonly maxOutputTokens: number;
  /** Whether what was said can be summed up to make room: asked when there is too little. */
  readonly canSumUp: boolean;
  /** Whether a result was too long and is kept behind a handle. */
  readonly hasKeptOutput: boolean;
  /** What whoever ran its calls said beside their results. */
  readonly saidWithResults: string | null;
  /** Its model said that the task is completed; or did nothing but tell its status for turns; null while it works. */
  readonly taskEnd: 'completed' | 'idle' | null;
}

export interface TurnPlan {
  readonly number: number;
  readonly tools: readonly OpenedTool[];
  /** Sentences for the model before the turn. */
  readonly say: readonly string[];
  /** The limit that makes this turn the last. */
  readonly last: string | null;
  /** Whether tools were taken away, so that the model may have to be told of those that its conversation speaks of. */
  readonly isWithholding?: boolean;
  /** Whether what was said is summed up before it, so that there is room; then the turn is planned anew. */
  readonly sumsUp?: boolean;
  /** The limit that forbids this turn altogether. */
  readonly stop: string | null;
}

export interface CallPlan {
  readonly call: ToolCall;
  readonly tool: OpenedTool;
  /** The number of calls in the same turn: their results share the rest of the context window. */
  readonly parallel: number;
  /** Whether it came in a batch: its result is told as a JSON string, which is longer. @default false */
  readonly isInBatch?: boolean;
}

export interface Refusal {
  readonly refused: Failure;
}

/** Somebody has to answer before the call is run. */
export interface Inquiry {
  readonly inquiry: Pick<Question, 'type' | 'text' | 'choices' | 'schema' | 'to'>;
}

/** A turn that did not end with an answer: calls were made, or the model failed; `last` is the limit that made it the last. */
export type Unanswered =
  | { readonly type: 'called'; readonly results: readonly ToolResult[]; readonly last: string | null }
  | { readonly type: 'failed'; readonly failure: Failure; readonly last: string | null };

/** One more turn, the last because of this limit; or the end because of it, or as it is given. */
export interface Next {
  readonly last?: string;
  readonly stop?: string;
  readonly end?: Ending | HandedOver;
}

export interface Verdict {
  readonly text: string;
  readonly finishReason: FinishReason;
  /** The budget, `tokens` or `costUsd`, that cut the reply short. */
  readonly shortenedBy?: string;
  /** The validated JSON report. */
  readonly report?: Json;
  /** What it says to plugins, by their names. */
  readonly metadata?: JsonObject;
  /** With which words to send the answer back once every layer has accepted it. */
  readonly wanted?: string;
  /** Accept it as partial: this limit cut it. */
  readonly limit?: string;
  /** Send the answer back with these words. */
  readonly retry?: string;
  /** Whether those words tell the contract that the caller asked for. */
  readonly tellsOutput?: boolean;
  /** Give up. */
  readonly failure?: Failure;
}

/**
 * Async, inside the task, around the real work. What a journal has recorded is not performed again; around a session it
 * runs again, as the session itself walks again from its own records.
 */
export interface Perform {
  model?(work: ModelWork, next: (work: ModelWork) => Promise<ModelReply>): Promise<ModelReply>;
  tool?(work: ToolWork, next: (work: ToolWork) => Promise<ToolResult>): Promise<ToolResult>;
  /** Whether `tool` is about those alone whose answers may be given again. @default false */
  readonly isForCached?: boolean;
}

interface Work {
  readonly place: Place;
  /** Session and operation: unique, and the same on every replay. */
  readonly key: string;
  /** Ends when the call is cancelled or stopped; `scope.signal` for whatever waits. */
  readonly scope: Scope;
  readonly trace: Trace;
  readonly limits: Limits;
  readonly texts: Texts;
  readonly ports: RunPorts;
}

export interface ModelWork extends Work {
  /** Which of the agent's models is asked. */
  readonly choice: ModelChoice;
  readonly choices: readonly ModelChoice[];
  readonly request: ModelRequest;
  readonly inputTokens: number;
  /**
   * Budgets multiply the estimate by this, as earlier replies in the run have shown. 1 if a count of the session corrected it.
   * Undefined while no reply has shown how the provider counts.
   */
  readonly tokenFactor: number | undefined;
  /** The limit that makes this the last word of its session; null when more may come. */
  readonly limit: string | null;
  /** Every try so far, oldest first: requests that were sent, and those that a layer refused before. */
  readonly attempts: ModelAttempt[];
  /** The reservation of the budgets above for the next request. */
  readonly reserved?: Reserved;
  /** Called when a request is sent, after every queue. */
  began(): void;
  /** Called whenever a part of a reply arrives. */
  alive(): void;
  /** For a layer that waits before the request, to say why. Missing while nobody looks on. */
  readonly onWait?: ((wait: Wait) => void) | undefined;
}

/** A try to get an answer, and what is known of it so far. */
export interface ModelAttempt {
  readonly provider: string;
  readonly model: string;
  readonly startedAt: number;
  /** False if no request was sent. */
  readonly isSent: boolean;
  readonly price: ModelChoice['price'];
  /** Charged to the budgets if the request fails and its usage stays unknown. */
  readonly reserved?: Reserved | undefined;
  /** Tokens the provider has reported. */
  usage: Usage;
  /** The answer. A layer may drop it and ask again: it counts all the same. */
  reply?: ModelReply;
  /** Charged to the budgets in place of `reserved` for an answer that reported no usage. */
  charged?: Reserved;
  failure?: Failure;
  endedAt?: number;
}

/** Why a request is not sent yet, and whom it will be sent to. */
export type Wait = Pick<ModelWait, 'provider' | 'model' | 'reason' | 'waitMs' | 'failure'>;

/** One entry of an agent's list of models. */
export interface ModelChoice extends OpenedModel {
  /** Rejects when the model cannot be made. */
  open(): Promise<Model>;
}

export interface ToolWork extends Work {
  readonly call: ToolCall;
  /** Which operation it is: a session below waits for others, a task works by itself. */
  readonly operation: 'task' | 'session';
  /** The shorter of the timeouts that the tool and the agent that calls set. Undefined when only defaults hold. */
  readonly timeoutMs: number | undefined;
  /** The row in front of the tool. */
  readonly queue: ToolQueue | undefined;
  /** For how long its answer may be given again. */
  readonly cache: ToolCaching | undefined;
  /** What the agent of a session is to the one that calls, when it works on the same request. */
  readonly partner?: PartnerRole | undefined;
  /** Whether it only tells how far the task is: that is no work. */
  readonly isStatus?: boolean;
  /** For a layer that waits before the work, to say what for. Missing while nobody looks on. */
  readonly onWait?: ((what: string) => void) | undefined;
}

/** What a deciding hook answered. A promise is a mistake that would pass as an answer: it is named instead. */
export function decided<T>({ name }: Middleware, answer: T): T {
  if (!(answer instanceof Promise)) return answer;
  answer.catch(() => {});
  const message = `The middleware ${name} decides asynchronously; decide is pure and synchronous, and perform may wait.`;
  throw new AgentError('agent-invalid', message, { remedy: 'Correct the middleware that the message names.' });
}

/** The layers that have a deciding hook, by that hook: there are many decisions, and few layers have a word in each. */
export function deciding(middleware: readonly Middleware[]): Deciding {
  const known = deciders.get(middleware);
  if (known) return known;
  const having = (hook: keyof Decide) => middleware.filter(({ decide }) => decide?.[hook]);
  const [turn, call, result, next, answer] = [
    having('turn'),
    having('call'),
    having('result'),
    having('next'),
    having('answer'),
  ];
  const layers = { turn, call, result, next, answer };
  deciders.set(middleware, layers);
  return layers;
}

type Deciding = Readonly<Record<keyof Decide, readonly Middleware[]>>;

// Only remembers what a list comes to.
const deciders = new WeakMap<readonly Middleware[], Deciding>();

/** Wraps the innermost work in all layers, the first layer outermost. */
export function layer<W, R>(
  layers: readonly ((work: W, next: (work: W) => Promise<R>) => Promise<R>)[],
  innermost: (work: W) => Promise<R>,
): (work: W) => Promise<R> {
  return layers.reduceRight<(work: W) => Promise<R>>((next, around) => (work) => around(work, next), innermost);
}

/** The layers that perform. Most sessions have the same ones: they are picked once per list. */
export function performing(middleware: readonly Middleware[]): Performing {
  const known = picked.get(middleware);
  if (known) return known;
  const layers = {
    model: middleware.flatMap(({ perform }) => perform?.model?.bind(perform) ?? []),
    tool: toolLayers(middleware.filter(({ perform }) => !perform?.isForCached)),
    cachedTool: toolLayers(middleware),
  };
  picked.set(middleware, layers);
  return layers;
}

interface Performing {
  readonly model: readonly NonNullable<Perform['model']>[];
  readonly tool: readonly NonNullable<Perform['tool']>[];
  readonly cachedTool: readonly NonNullable<Perform['tool']>[];
}

function toolLayers(middleware: readonly Middleware[]): Performing['tool'] {
  return middleware.flatMap(({ perform }) => perform?.tool?.bind(perform) ?? []);
}

// Only remembers what a list comes to.
const picked = new WeakMap<readonly Middleware[], Performing>();
