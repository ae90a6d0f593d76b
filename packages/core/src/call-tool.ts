// The one door every tool call passes: find, parse, validate, decide; then an operation; then a result.

import { AgentError, type Failure, messageOf, toFailure } from './errors.ts';
import { isObject, type JsonObject, utf8Bytes } from './json.ts';
import { callsOf, type ToolCallPart } from './message.ts';
import type { CallPlan, Refusal } from './middleware.ts';
import type { ModelReply } from './model.ts';
import { type OpenedTool, type Settled, toOperation } from './operation.ts';
import type { SessionState } from './state.ts';
import { failedResult } from './tool.ts';
import { findName } from './tool-names.ts';
import type { ToolResult } from './tool-result.ts';
import { toolCallTotals } from './totals.ts';

/** Runs the calls of one reply side by side. Results come in call order; one failure spares the others. */
export async function callTools(
  state: SessionState,
  reply: ModelReply,
  tools: readonly OpenedTool[],
): Promise<readonly ToolResult[]> {
  const calls = callsOf(reply.message);
  const found = calls.map((call) => findTool(call, tools));
  const labels = found.map((tool, i) => tool?.label ?? calls[i]?.name ?? '');
  const instances = labels.map((label) => nameInstance(state, label, labels));
  const plans = calls.map((part, i) => {
    const call = { part, tool: found[i], instance: instances[i] ?? part.name, index: i + 1 };
    const plan = reply.finishReason === 'length' ? refuseCut(state) : planCall(state, call, tools);
    tellStart(state, call, plan);
    return { call, plan };
  });

  const operations = plans.flatMap(({ plan }) => ('refused' in plan ? [] : [plan.operation]));
  const settled =
    operations.length > 0 ? await state.parts.runtime.all(operations, { limit: state.parts.limits.maxParallel }) : [];

  const began = state.parts.facts.now;
  for (const { endedAt } of settled) state.parts.facts.advance(endedAt);
  let next = 0;
  return plans.map(({ call, plan }) => {
    const end = 'refused' in plan ? refusal(state, plan.refused, began) : settle(state, plan, settled[next++]);
    tellEnd(state, call, end);
    return end.result;
  });
}

/** A call on its way through the door. */
interface Call {
  readonly part: ToolCallPart;
  readonly tool: OpenedTool | undefined;
  readonly instance: string;
  readonly index: number;
}

interface CallEnd {
  readonly result: ToolResult;
  readonly startedAt: number;
  readonly endedAt: number;
}

function findTool(call: ToolCallPart, tools: readonly OpenedTool[]): OpenedTool | undefined {
  const name = findName(
    call.name,
    tools.map((tool) => tool.name),
  );
  return tools.find((tool) => tool.name === name);
}

function nameInstance(state: SessionState, label: string, labels: readonly string[]): string {
  const number = state.nextInstance(label);
  return labels.filter((other) => other === label).length > 1 ? `${label}[${number}]` : label;
}

/** Arguments that were cut may be whole by accident and still not what the model meant: nothing is run. */
function refuseCut(state: SessionState): Refusal {
  return { refused: toFailure(new AgentError('reply-cut', state.parts.texts.cutReply)) };
}

function planCall(state: SessionState, call: Call, tools: readonly OpenedTool[]): CallPlan | Refusal {
  const { tool, part } = call;
  if (!tool) return { refused: unknownTool(part.name, tools) };
  const args = parseArguments(part.input, tool.name);
  if ('refused' in args) return args;
  const input = {
    turn: state.turn,
    index: call.index,
    tool: tool.name,
    callId: part.id,
    args: args.value,
    instance: call.instance,
    title: titleOf(tool, args.value),
  };
  let plan: CallPlan | Refusal = { call: input, tool, operation: toOperation(tool, input, state.parts.place.id) };
  const view = state.view();
  for (const { decide } of state.parts.middleware) {
    if ('refused' in plan) return plan;
    plan = decide?.call?.(plan, view) ?? plan;
  }
  return plan;
}

function parseArguments(input: string, tool: string): { value: JsonObject } | Refusal {
  try {
    const value: unknown = input.trim() === '' ? {} : JSON.parse(input);
    if (isObject(value)) return { value: value as JsonObject };
    return refuseArguments(
      `The arguments of ${tool} must be a JSON object, not ${Array.isArray(value) ? 'an array' : typeof value}.`,
    );
  } catch (error) {
    return refuseArguments(`The arguments of ${tool} are not valid JSON: ${messageOf(error)}.`);
  }
}

function refuseArguments(message: string): Refusal {
  return { refused: toFailure(new AgentError('tool-arguments-invalid', message)) };
}

function unknownTool(name: string, tools: readonly OpenedTool[]): Failure {
  const offered = tools.map((tool) => tool.name).join(', ') || 'none';
  return toFailure(new AgentError('tool-unknown', `There is no tool "${name}". Offered are: ${offered}.`));
}

function titleOf(tool: OpenedTool, args: JsonObject): string | null {
  const title = tool.titleFrom === null ? undefined : args[tool.titleFrom];
  return typeof title === 'string' && title.trim() !== '' ? title.trim() : null;
}

function settle(state: SessionState, plan: CallPlan, settled: Settled<ToolResult> | undefined): CallEnd {
  if (!settled) throw new AgentError('seam-broken', `The runtime returned no result for ${plan.operation.name}.`);
  const { startedAt, endedAt } = settled;
  let result = settled.ok ? settled.value : failedResult(settled.failure);
  const view = state.view();
  for (const { decide } of state.parts.middleware) result = decide?.result?.(result, plan, view) ?? result;
  return { result: inWords(state, result), startedAt, endedAt };
}

function refusal(state: SessionState, failure: Failure, at: number): CallEnd {
  return { result: inWords(state, { status: 'refused', text: '', failure }), startedAt: at, endedAt: at };
}

/** What the model reads: a call that did not go well says so, and keeps what it produced. */
function inWords({ parts }: SessionState, result: ToolResult): ToolResult {
  if (result.failure) return { ...result, text: parts.texts.failedCall(result.failure, result.text) };
  if (result.session?.limit) return { ...result, text: parts.texts.partialCall(result.session.limit, result.text) };
  return result;
}

function tellStart(state: SessionState, call: Call, plan: CallPlan | Refusal): void {
  const title = 'refused' in plan ? null : plan.call.title;
  const { label, namespace } = labelOf(call);
  state.parts.facts.write(
    {
      type: 'tool-start',
      op: opOf(state, call),
      turn: state.turn,
      index: call.index,
      call: call.part,
      label,
      namespace,
      instance: call.instance,
      title,
    },
    subjectOf(state, call),
  );
}

function tellEnd(state: SessionState, call: Call, { result, startedAt, endedAt }: CallEnd): void {
  state.spend(toolCallTotals({ latencyMs: endedAt - startedAt, failed: result.status !== 'ok' }));
  if (result.session) state.spend(result.session.usage);
  const sizes = { bytesIn: utf8Bytes(call.part.input), bytesOut: utf8Bytes(result.text) };
  state.parts.facts.write(
    {
      type: 'tool-end',
      op: opOf(state, call),
      turn: state.turn,
      index: call.index,
      ...labelOf(call),
      startedAt,
      endedAt,
      ...sizes,
      result,
    },
    subjectOf(state, call),
  );
}

function opOf(state: SessionState, call: Call): string {
  return `turn.${state.turn}.tool.${call.index}`;
}

function labelOf(call: Call): { label: string; namespace: string } {
  return { label: call.tool?.label ?? call.part.name, namespace: call.tool?.namespace ?? '' };
}

function subjectOf(state: SessionState, call: Call) {
  return { turn: state.turn, index: call.index, toolName: call.tool?.name ?? call.part.name, callId: call.part.id };
}
