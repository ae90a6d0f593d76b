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
    .map((call, _i, { length }) => admit(state, { ...call, tools, isCut, parallel: length }));
  const asked = await inquire(state, admitted, reply, resumed);
  if ('question' in asked) return asked;
  const clients = asked.calls.filter(isForClient);
  const own = clients.length > 0 ? asked.calls.filter((call) => !isForClient(call)) : asked.calls;
  const called = await run(state, own, resumed && ranBefore(reply, tools, resumed));
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

async function run(
  state: SessionState,
  admitted: readonly Call[],
  before: readonly Running[] = [],
): Promise<readonly Done[]> {
  const calls = nameInstances(state, admitted, before);
  for (const call of calls) tellStart(state, call);
  const done: Done[] = [];
  await perform(state, calls, (call, end) => done.push(settle(state, call, end)));
  if (done.length < calls.length) throw new AgentError('seam-broken', 'The runtime did not report every result.');
  return done.sort((one, other) => one.index - other.index);
}

/** Counts and records one call as soon as it has settled. The result depends on no other call of the turn. */
function settle(state: SessionState, call: Call, end: CallEnd): Done {
  const latencyMs = latencyOf(end);
  state.spend(toolCallTotals({ latencyMs, failed: end.result.status !== 'ok' }));
  state.spendBelow(end.result);
  state.parts.facts.advance(end.endedAt);
  const result = toResult(state, call, end.result);
  tellEnd(state, call, { ...end, result });
  return { part: call.part, index: call.index, result, latencyMs };
}

/** A call as the model made it, on its way in. */
interface Arriving {
  readonly part: ToolCallPart;
  readonly index: number;
  readonly tools: readonly OpenedTool[];
  readonly isCut: boolean;
  readonly parallel: number;
}

function admit(state: SessionState, { part, index, tools, isCut, parallel }: Arriving): Call {
  const tool = findTool(part.name, tools);
  const call = { part, index, tool, instance: tool?.label ?? part.name };
  // Arguments that were cut may be whole by accident and still not what the model meant: nothing is run.
  if (isCut) return { ...call, refused: toFailure(new AgentError('reply-cut', state.parts.texts.cutReply)) };
  if (!tool) return { ...call, refused: unknownTool(part.name, tools) };
  const args = parseArguments(part.input, tool.name);
  if ('refused' in args) return { ...call, refused: args.refused };
  const plan = {
    tool,
    parallel,
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

/** A call of the turn that is not refused. */
interface Running {
  readonly index: number;
  readonly tool: OpenedTool;
}

function isSubAgent({ operation, partner }: OpenedTool): boolean {
  return operation === 'session' && partner === undefined;
}

/** Calls of this turn that ran before the session paused. */
function ranBefore(reply: ModelReply, tools: readonly OpenedTool[], { pending }: Resumed): readonly Running[] {
  return callsOf(reply.message).flatMap(({ name }, i) => {
    const tool = findTool(name, tools);
    const { status = 'refused' } = pending.done[i + 1] ?? {};
    return tool && status !== 'refused' ? [{ index: i + 1, tool }] : [];
  });
}

/** The number counts a tool's calls in the whole session. It shows if the turn runs that tool twice or two sub-agents. */
function nameInstances(state: SessionState, calls: readonly Call[], before: readonly Running[]): readonly Call[] {
  const now = calls.flatMap(({ index, plan, refused }) => (plan && !refused ? [{ index, tool: plan.tool }] : []));
  const running = [...before, ...now].sort((one, other) => one.index - other.index);
  const names = new Map(
    running.map(({ index, tool }) => {
      const { label } = tool;
      const number = state.nextInstance(label);
      const alike = running.filter(
        (other) => other.tool.label === label || (isSubAgent(tool) && isSubAgent(other.tool)),
      );
      return [index, alike.length > 1 ? `${label}[${number}]` : label];
    }),
  );
  return calls.map((call) => {
    const instance = names.get(call.index);
    if (instance === undefined || !call.plan) return call;
    const plan = { ...call.plan, parallel: names.size, call: { ...call.plan.call, instance } };
    return { ...call, instance, plan };
  });
}

/** Reports calls that need no work at once, and hands the others to the runtime as one list. */
async function perform(
  state: SessionState,
  calls: readonly Call[],
  onEnd: (call: Call, end: CallEnd) => void,
): Promise<void> {
  const { runtime, limits, facts } = state.parts;
  const at = facts.now;
  const running = calls.filter(({ plan, refused, answered }) => plan && !refused && !answered);
  for (const call of calls) {
    const { answered, refused } = call;
    if (answered) onEnd(call, answered);
    else if (refused)
      onEnd(call, { result: { status: 'refused', text: '', failure: refused }, startedAt: at, endedAt: at });
  }
  if (running.length === 0) return;
  const operations = running.flatMap(({ plan }) => (plan ? [operationOf(state, plan)] : []));
  await runtime.all<ToolTask | SessionOperation>(operations, {
    limit: limits.maxParallel,
    onSettled: ({ startedAt, endedAt, ...settled }, i) => {
      const result = settled.ok ? settled.value : failedResult(settled.failure);
      onEnd(running[i] as Call, { result, startedAt, endedAt });
    },
  });
}

function operationOf(state: SessionState, { tool, call }: CallPlan): ToolTask | SessionOperation {
  const { place, request } = state.parts;
  const after = tool.isKept ? state.nextSession(tool.name, childSessionId(place.id, call)) : undefined;
  return toOperation(tool, call, place, { after, askedAt: request.at });
}

function toResult(state: SessionState, { plan, refused }: Call, settled: ToolResult): ToolResult {
  let result = settled;
  const view = state.view();
  for (const layer of deciding(state.parts.middleware).result)
    if (plan && !refused) result = decided(layer, layer.decide?.result?.(result, plan, view)) ?? result;
  if (result.kept) state.hasKeptOutput = true;
  return { ...result, text: isOwnAnswer(plan?.tool.partner) ? result.text : toText(state, result) };
}

/** What the model reads: a call that did not go well says so, and keeps what it produced. */
function toText({ parts: { texts } }: SessionState, { failure, session, text }: ToolResult): string {
  if (failure) return texts.failedCall(failure, text);
  if (session?.question) return texts.askedBack(session.question);
  return session?.limit ? texts.partialCall(session.limit, text) : text;
}
