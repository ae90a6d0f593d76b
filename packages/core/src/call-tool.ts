// The one door every tool call passes: find, parse, validate, decide; then an operation; then a result.

import { AgentError, type Failure, messageOf, toFailure } from './errors.ts';
import { isObject, type JsonObject } from './json.ts';
import { callsOf, type ToolCallPart } from './message.ts';
import { type CallPlan, decided } from './middleware.ts';
import type { ModelReply } from './model.ts';
import { type OpenedTool, type SessionOperation, type ToolTask, toOperation } from './operation.ts';
import type { SessionState } from './state.ts';
import { failedResult } from './tool.ts';
import { type CallEnd, type ToldCall, tellEnd, tellStart } from './tool-facts.ts';
import { findTool } from './tool-names.ts';
import type { ToolResult } from './tool-result.ts';
import { toolCallTotals } from './totals.ts';

/** Runs the calls of one reply side by side. Results come in call order; one failure spares the others. */
export async function callTools(
  state: SessionState,
  reply: ModelReply,
  tools: readonly OpenedTool[],
): Promise<readonly ToolResult[]> {
  const isCut = reply.finishReason === 'length';
  const admitted = callsOf(reply.message).map((part, i) => admit(state, { part, index: i + 1, tools, isCut }));
  const calls = nameInstances(state, admitted);
  for (const call of calls) tellStart(state, call);

  const ends = await perform(state, calls);
  for (const { result, startedAt, endedAt } of ends) {
    state.spend(toolCallTotals({ latencyMs: endedAt - startedAt, failed: result.status !== 'ok' }));
    if (result.session) state.spend(result.session.usage);
    state.parts.facts.advance(endedAt);
  }
  return calls.map((call, i) => {
    const end = ends[i] as CallEnd;
    const result = toResult(state, call, end.result);
    tellEnd(state, call, { ...end, result });
    return result;
  });
}

/** A call as the model made it, on its way in. */
interface Asked {
  readonly part: ToolCallPart;
  readonly index: number;
  readonly tools: readonly OpenedTool[];
  readonly isCut: boolean;
}

/** A call past the door: it has a plan, or the reason why it is not run. */
interface Call extends ToldCall {
  readonly refused?: Failure;
}

function admit(state: SessionState, { part, index, tools, isCut }: Asked): Call {
  const tool = findTool(part.name, tools);
  const call = { part, index, tool, instance: tool?.label ?? part.name };
  // Arguments that were cut may be whole by accident and still not what the model meant: nothing is run.
  if (isCut) return { ...call, refused: toFailure(new AgentError('reply-cut', state.parts.texts.cutReply)) };
  if (!tool) return { ...call, refused: unknownTool(part.name, tools) };
  const args = parseArguments(part.input, tool.name);
  if ('refused' in args) return { ...call, refused: args.refused };
  const plan = {
    tool,
    call: {
      turn: state.turn,
      index,
      tool: tool.name,
      callId: part.id,
      args: args.value,
      instance: tool.label,
      title: titleOf(tool, args.value),
    },
  };
  const refused = decide(state, plan);
  return refused ? { ...call, refused } : { ...call, plan };
}

function decide(state: SessionState, plan: CallPlan): Failure | undefined {
  const view = state.view();
  for (const layer of state.parts.middleware) {
    const refusal = decided(layer, layer.decide?.call?.(plan, view));
    if (refusal) return refusal.refused;
  }
  return undefined;
}

function parseArguments(input: string, tool: string): { value: JsonObject } | { refused: Failure } {
  try {
    const value: unknown = input.trim() === '' ? {} : JSON.parse(input);
    if (isObject(value)) return { value: value as JsonObject };
    return {
      refused: wrongArguments(
        `The arguments of ${tool} must be a JSON object, not ${Array.isArray(value) ? 'an array' : typeof value}.`,
      ),
    };
  } catch (error) {
    return { refused: wrongArguments(`The arguments of ${tool} are not valid JSON: ${messageOf(error)}.`) };
  }
}

function wrongArguments(message: string): Failure {
  return toFailure(new AgentError('tool-arguments-invalid', message));
}

function unknownTool(name: string, tools: readonly OpenedTool[]): Failure {
  const offered = tools.map((tool) => tool.name).join(', ') || 'none';
  return toFailure(new AgentError('tool-unknown', `There is no tool "${name}". Offered are: ${offered}.`));
}

function titleOf(tool: OpenedTool, args: JsonObject): string | null {
  const title = tool.titleFrom === null ? undefined : args[tool.titleFrom];
  return typeof title === 'string' && title.trim() !== '' ? title.trim() : null;
}

/** Counted in the whole session; the number shows when a turn runs the same one more than once. */
function nameInstances(state: SessionState, calls: readonly Call[]): readonly Call[] {
  const running = calls.flatMap(({ plan }) => (plan ? [plan.tool.label] : []));
  return calls.map((call) => {
    if (!call.plan) return call;
    const { label } = call.plan.tool;
    const number = state.nextInstance(label);
    const instance = running.filter((other) => other === label).length > 1 ? `${label}[${number}]` : label;
    return { ...call, instance, plan: { ...call.plan, call: { ...call.plan.call, instance } } };
  });
}

/** Hands over what was admitted, as one list, and puts everything back in call order. */
async function perform(state: SessionState, calls: readonly Call[]): Promise<readonly CallEnd[]> {
  const { runtime, limits, place, facts } = state.parts;
  const operations: (ToolTask | SessionOperation)[] = calls.flatMap(({ plan }) =>
    plan ? [toOperation(plan.tool, plan.call, place)] : [],
  );
  const settled = operations.length > 0 ? await runtime.all(operations, { limit: limits.maxParallel }) : [];
  const at = facts.now;
  let next = 0;
  return calls.map(({ refused, part }) => {
    if (refused) return { result: { status: 'refused', text: '', failure: refused }, startedAt: at, endedAt: at };
    const end = settled[next++];
    if (!end) throw new AgentError('seam-broken', `The runtime returned no result for the call ${part.id}.`);
    return { result: end.ok ? end.value : failedResult(end.failure), startedAt: end.startedAt, endedAt: end.endedAt };
  });
}

function toResult(state: SessionState, { plan }: Call, settled: ToolResult): ToolResult {
  let result = settled;
  const view = state.view();
  for (const layer of state.parts.middleware)
    if (plan) result = decided(layer, layer.decide?.result?.(result, plan, view)) ?? result;
  // What the model reads: a call that did not go well says so, and keeps what it produced.
  const { texts } = state.parts;
  if (result.failure) return { ...result, text: texts.failedCall(result.failure, result.text) };
  if (result.session?.limit) return { ...result, text: texts.partialCall(result.session.limit, result.text) };
  return result;
}
