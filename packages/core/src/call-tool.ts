// The one door every tool call passes: find, parse, validate, decide, ask; then an operation; then a result.

import { AgentError, type Failure, messageOf, toFailure } from './errors.ts';
import { askedBelow, type Call, type Done, handOut, inquire, type Waiting } from './inquire.ts';
import { isObject, type JsonObject } from './json.ts';
import { callsOf, type ToolCallPart } from './message.ts';
import { type CallPlan, decided, deciding, type Inquiry, type Refusal } from './middleware.ts';
import type { ModelReply } from './model.ts';
import { type OpenedTool, type SessionOperation, type ToolTask, toOperation } from './operation.ts';
import { childSessionId, isOwnAnswer } from './place.ts';
import type { Resumed, SessionState } from './state.ts';
import { tellEnd, tellStart } from './tool-facts.ts';
import { findTool } from './tool-names.ts';
import { type CallEnd, failedResult, latencyOf, type ToolResult } from './tool-result.ts';
import { toolCallTotals } from './totals.ts';

/** What the calls came to, or what has to be waited for first. */
export type Called = readonly Done[] | Waiting;

/** Runs the calls of one reply side by side. Results come in call order; one failure spares the others. */
export async function callTools(
  state: SessionState,
  reply: ModelReply,
  tools: readonly OpenedTool[],
  resumed?: Resumed,
): Promise<Called> {
  const isCut = reply.finishReason === 'length';
  const admitted = callsOf(reply.message)
    .map((part, i) => ({ part, index: i + 1 }))
    .filter(({ index }) => !resumed?.pending.done[index])
    .map((call) => admit(state, { ...call, tools, isCut }));
  const asked = await inquire(state, admitted, reply, resumed);
  if ('question' in asked) return asked;
  const clients = asked.calls.filter(isForClient);
  const own = clients.length > 0 ? asked.calls.filter((call) => !isForClient(call)) : asked.calls;
  const called = await run(state, own);
  const asks = askedBelow(state, called, reply, resumed);
  if (asks || clients.length === 0) return asks ?? called;
  // A session that is told to stop does not wait for anybody.
  const halt = called.find(({ result }) => result.failure?.code === 'stopped')?.result.failure;
  if (!halt) return handOut(state, clients, called, { reply, resumed });
  const refused = clients.map((call) => ({ ...call, refused: halt }));
  return [...called, ...(await run(state, refused))].sort((one, other) => one.index - other.index);
}

function isForClient({ tool, refused, answered }: Call): boolean {
  return tool?.isClientTool === true && !refused && !answered;
}

async function run(state: SessionState, admitted: readonly Call[]): Promise<readonly Done[]> {
  const calls = nameInstances(state, admitted);
  for (const call of calls) tellStart(state, call);
  const ends = await perform(state, calls);
  for (const end of ends) {
    state.spend(toolCallTotals({ latencyMs: latencyOf(end), failed: end.result.status !== 'ok' }));
    state.parts.facts.advance(end.endedAt);
    state.spendBelow(end.result);
  }
  return calls.map((call, i) => {
    const end = ends[i] as CallEnd;
    const result = toResult(state, call, end.result);
    tellEnd(state, call, { ...end, result });
    return { part: call.part, index: call.index, result, latencyMs: latencyOf(end) };
  });
}

/** A call as the model made it, on its way in. */
interface Arriving {
  readonly part: ToolCallPart;
  readonly index: number;
  readonly tools: readonly OpenedTool[];
  readonly isCut: boolean;
}

function admit(state: SessionState, { part, index, tools, isCut }: Arriving): Call {
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
  const all = part.batch === undefined ? plan : { ...plan, isInBatch: true };
  return { ...call, plan: all, ...decide(state, all) };
}

/** The first refusal stands; a question is asked only about a call that nobody refuses. */
function decide(state: SessionState, plan: CallPlan): Partial<Refusal & Inquiry> {
  const view = state.view();
  let inquiry: Inquiry | undefined;
  for (const layer of deciding(state.parts.middleware).call) {
    const answer = decided(layer, layer.decide?.call?.(plan, view));
    if (answer && 'refused' in answer) return answer;
    inquiry ??= answer;
  }
  return inquiry ?? {};
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
  const offered = tools.flatMap(({ name: known, isOffered }) => (isOffered ? [known] : [])).join(', ') || 'none';
  return toFailure(new AgentError('tool-unknown', `There is no tool "${name}". Offered are: ${offered}.`));
}

function titleOf(tool: OpenedTool, args: JsonObject): string | null {
  const title = tool.titleFrom === null ? undefined : args[tool.titleFrom];
  return typeof title === 'string' && title.trim() !== '' ? title.trim() : null;
}

/** Counted in the whole session; the number shows when a turn runs the same one more than once. */
function nameInstances(state: SessionState, calls: readonly Call[]): readonly Call[] {
  const running = calls.flatMap(({ plan, refused }) => (plan && !refused ? [plan.tool.label] : []));
  return calls.map((call) => {
    if (!call.plan || call.refused) return call;
    const { label } = call.plan.tool;
    const number = state.nextInstance(label);
    const instance = running.filter((other) => other === label).length > 1 ? `${label}[${number}]` : label;
    return { ...call, instance, plan: { ...call.plan, call: { ...call.plan.call, instance } } };
  });
}

/** Hands over what was admitted, as one list, and puts everything back in call order. */
async function perform(state: SessionState, calls: readonly Call[]): Promise<readonly CallEnd[]> {
  const { runtime, limits, place, facts, request } = state.parts;
  const operations: (ToolTask | SessionOperation)[] = calls.flatMap(({ plan, refused, answered }) => {
    if (!plan || refused || answered) return [];
    const after = plan.tool.isKept ? state.nextSession(plan.tool.name, childSessionId(place.id, plan.call)) : undefined;
    return [toOperation(plan.tool, plan.call, place, { after, askedAt: request.at })];
  });
  const settled = operations.length > 0 ? await runtime.all(operations, { limit: limits.maxParallel }) : [];
  const at = facts.now;
  let next = 0;
  return calls.map(({ refused, answered, part }) => {
    if (answered) return answered;
    if (refused) return { result: { status: 'refused', text: '', failure: refused }, startedAt: at, endedAt: at };
    const end = settled[next++];
    if (!end) throw new AgentError('seam-broken', `The runtime returned no result for the call ${part.id}.`);
    return { result: end.ok ? end.value : failedResult(end.failure), startedAt: end.startedAt, endedAt: end.endedAt };
  });
}

function toResult(state: SessionState, { plan, refused }: Call, settled: ToolResult): ToolResult {
  let result = settled;
  const view = state.view();
  for (const layer of deciding(state.parts.middleware).result)
    if (plan && !refused) result = decided(layer, layer.decide?.result?.(result, plan, view)) ?? result;
  const read = { ...result, text: isOwnAnswer(plan?.tool.partner) ? result.text : toText(state, result) };
  state.parts.transcript.expect(plan?.isInBatch ? { ...read, text: JSON.stringify(read.text) } : read);
  if (result.kept) state.hasKeptOutput = true;
  return read;
}

/** What the model reads: a call that did not go well says so, and keeps what it produced. */
function toText({ parts: { texts } }: SessionState, { failure, session, text }: ToolResult): string {
  if (failure) return texts.failedCall(failure, text);
  if (session?.question) return texts.askedBack(session.question);
  return session?.limit ? texts.partialCall(session.limit, text) : text;
}
