// A model that does what a test says: replies, latency, failures, cut streams and usage are all in the script.

import { checkFields, checkKeys, complaint, type FieldType, show, wrongField } from '../complaint.ts';
import { AgentError, catalogue, type ErrorCode } from '../errors.ts';
import { isObject } from '../json.ts';
import type { AssistantMessage, ToolCallPart } from '../message.ts';
import type { FinishReason, Model, ModelContext, ModelReply, ModelRequest } from '../model.ts';
import type { Clock } from '../ports.ts';
import { sleep } from '../sleep.ts';
import type { Usage } from '../usage.ts';

/** One reply of the script. */
export interface Step {
  readonly text?: string;
  readonly reasoning?: string;
  readonly calls?: readonly ScriptedCall[];
  /** @default 'tool-calls' with calls, else 'stop' */
  readonly finishReason?: FinishReason;
  /** Exactly this; `{}` is a provider that does not say. @default 10 in, 5 out */
  readonly usage?: Usage;
  readonly costUsd?: number;
  /** Fails instead of answering. */
  readonly fail?: ScriptedFailure;
  /** Sends this many pieces of the text, then breaks off: a network failure. */
  readonly cutAfter?: number;
  /** Waits before answering. */
  readonly latencyMs?: number;
  /** Answers only after this settles. */
  readonly until?: Promise<unknown>;
}

export interface ScriptedCall {
  readonly name: string;
  /** An object, or the text itself when it is to be damaged. */
  readonly input?: unknown;
  readonly id?: string;
}

export interface ScriptedFailure {
  readonly code: ErrorCode;
  readonly message?: string;
  readonly status?: number;
  readonly retryAfterMs?: number;
}

/** Steps in order, or a function of the request and the number of the call, counted from one. */
export type Script = readonly (Step | string)[] | ((request: ModelRequest, call: number) => Step | string);

export interface ScriptedModel extends Model {
  /** Every request so far, oldest first. */
  readonly requests: readonly ModelRequest[];
}

export interface ScriptedModelOptions {
  readonly provider?: string;
  readonly model?: string;
  /** Needed for latency. */
  readonly clock?: Clock;
  /** Into how many pieces a streamed text is cut. @default 3 */
  readonly pieces?: number;
}

export function scriptedModel(script: Script, options: ScriptedModelOptions = {}): ScriptedModel {
  checkFields({ name: 'scriptedModel', remedy: 'Correct the options.' }, options, optionTypes);
  checkScript(script, options);
  const requests: ModelRequest[] = [];
  return {
    provider: options.provider ?? 'scripted',
    model: options.model ?? 'model',
    requests,
    async call(request, context) {
      requests.push(request);
      const step = stepOf(script, request, requests.length);
      checkLatency(step, requests.length, options);
      await wait(step, context, options);
      if (step.fail) {
        if (isRefusal(step.fail)) context.onUsage?.({ inputTokens: 0, outputTokens: 0 });
        throw failureOf(step.fail);
      }
      stream(step, context, options.pieces ?? 3);
      return toReply(step, requests.length);
    },
  };
}

/** The step a script has for a call. A script that has run out is a mistake of the test. */
export function stepOf(script: Script, request: ModelRequest, call: number): Step {
  const step = typeof script === 'function' ? script(request, call) : script[call - 1];
  if (step === undefined) {
    const remedy = 'Give the script one more step.';
    throw new AgentError('session-input-invalid', `The script has no step for model call ${call}.`, { remedy });
  }
  if (typeof step === 'string') return { text: step };
  checkStep(step, call);
  return step;
}

const remedy = 'Correct the script; the message names the step, counted from one.';

/** What is written down is checked at once; what a function gives, when it gives it. */
function checkScript(script: unknown, options: ScriptedModelOptions): void {
  if (typeof script === 'function') return;
  if (!Array.isArray(script))
    throw wrongField({ name: 'scriptedModel', remedy }, 'the script', script, 'a list of steps, or a function');
  for (const [i, step] of script.entries()) {
    if (typeof step === 'string') continue;
    checkStep(step, i + 1);
    checkLatency(step, i + 1, options);
  }
}

const stepTypes: Readonly<Record<keyof Step, FieldType>> = {
  text: 'text',
  reasoning: 'text',
  calls: 'list',
  finishReason: 'text',
  usage: 'object',
  costUsd: 'number',
  fail: 'object',
  cutAfter: 'number',
  latencyMs: 'number',
  until: 'object',
};

const failureTypes: Readonly<Record<keyof ScriptedFailure, FieldType>> = {
  code: 'text',
  message: 'text',
  status: 'number',
  retryAfterMs: 'number',
};

const optionTypes: Readonly<Record<keyof ScriptedModelOptions, FieldType>> = {
  provider: 'text',
  model: 'text',
  clock: 'object',
  pieces: 'number',
};

const checked = new WeakSet<object>();

function checkStep(step: unknown, number: number): void {
  const owner = { name: `step ${number} of the script`, remedy };
  if (!isObject(step)) throw complaint(owner, `it is ${show(step)} and must be text, or an object`);
  if (checked.has(step)) return;
  checkFields(owner, step, stepTypes);
  const { fail, calls = [] } = step as Step;
  if (fail) {
    checkFields(owner, fail, failureTypes, 'fail.');
    if (!Object.hasOwn(catalogue, fail.code))
      throw wrongField(owner, 'fail.code', fail.code, `one of ${Object.keys(catalogue).join(', ')}`);
  }
  for (const [i, call] of calls.entries()) {
    const field = `calls[${i}]`;
    if (!isObject(call) || typeof call.name !== 'string')
      throw complaint(owner, `${field} must be an object with the name of a tool`);
    checkKeys(owner, call, ['name', 'input', 'id'], `${field}.`);
  }
  checked.add(step);
}

function checkLatency({ latencyMs }: Step, number: number, { clock }: ScriptedModelOptions): void {
  if (latencyMs === undefined || clock) return;
  const owner = { name: `step ${number} of the script`, remedy: 'Give the model the clock of the session.' };
  throw complaint(owner, 'latencyMs needs a clock: scriptedModel(script, { clock })');
}

export function toReply(step: Step, call: number): ModelReply {
  const content: AssistantMessage['content'][number][] = [];
  if (step.reasoning) content.push({ type: 'reasoning', text: step.reasoning });
  if (step.text) content.push({ type: 'text', text: step.text });
  for (const [i, scripted] of (step.calls ?? []).entries()) content.push(toCallPart(scripted, `call_${call}_${i + 1}`));
  return {
    message: { role: 'assistant', content },
    finishReason: step.finishReason ?? (step.calls?.length ? 'tool-calls' : 'stop'),
    usage: step.usage ?? { inputTokens: 10, outputTokens: 5 },
    ...(step.costUsd === undefined ? {} : { costUsd: step.costUsd }),
  };
}

export function toCallPart(call: ScriptedCall, id: string): ToolCallPart {
  const input = typeof call.input === 'string' ? call.input : JSON.stringify(call.input ?? {});
  return { type: 'tool-call', id: call.id ?? id, name: call.name, input };
}

/** A text in the pieces it would arrive in. */
export function toPieces(text: string, count: number): readonly string[] {
  const size = Math.max(1, Math.ceil(text.length / count));
  return Array.from({ length: Math.ceil(text.length / size) }, (_, i) => text.slice(i * size, (i + 1) * size));
}

async function wait(step: Step, { signal }: ModelContext, { clock }: ScriptedModelOptions): Promise<void> {
  if (step.latencyMs !== undefined && clock) await sleep(clock, step.latencyMs, signal);
  if (step.until) await step.until;
}

function stream(step: Step, { onDelta }: ModelContext, count: number): void {
  const pieces = toPieces(step.text ?? '', count);
  const sent = step.cutAfter === undefined ? pieces : pieces.slice(0, step.cutAfter);
  if (step.reasoning) onDelta?.({ type: 'reasoning', text: step.reasoning });
  for (const text of sent) onDelta?.({ type: 'text', text });
  if (step.cutAfter !== undefined)
    throw new AgentError('model-network', 'The stream broke off before the reply was complete.');
}

/** An answer with HTTP 4xx used nothing. */
function isRefusal({ status = 0 }: ScriptedFailure): boolean {
  return status >= 400 && status < 500;
}

function failureOf({ code, message, ...options }: ScriptedFailure): AgentError {
  return new AgentError(code, message ?? `The script says: ${code}.`, options);
}
