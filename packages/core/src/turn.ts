// One turn: a model call and the tool calls it asked for.

import { AgentError, type Failure, toFailure } from './errors.ts';
import type { Waiting } from './inquire.ts';
import { callsOf, textOf, userMessage } from './message.ts';
import type { TurnPlan, Unanswered } from './middleware.ts';
import type { FinishReason, ModelReply, ModelRequest, ToolSpec } from './model.ts';
import type { ModelResult, OpenedTool } from './operation.ts';
import type { SessionState } from './state.ts';
import { modelCallTotals } from './totals.ts';
import { callAll } from './unfold.ts';

/** What a turn came to: an answer, more work to do, the end of the model, or something to wait for. */
export type TurnEnd = Answer | Unanswered | Paused;

export interface Paused {
  readonly type: 'paused';
  readonly waiting: Waiting;
  /** What was said with the calls. */
  readonly text: string;
}

export interface Answer {
  readonly type: 'answer';
  readonly text: string;
  readonly finishReason: FinishReason;
}

export async function takeTurn(state: SessionState, plan: TurnPlan): Promise<TurnEnd> {
  const { facts, transcript } = state.parts;
  const said = plan.say.map((text) => userMessage(text));
  transcript.add(...said);
  facts.write(
    { type: 'turn-start', op: `turn.${plan.number}`, turn: plan.number, said, limit: plan.last },
    { turn: plan.number },
  );
  const end = await answerOrCall(state, plan);
  facts.write({ type: 'turn-end', op: `turn.${plan.number}`, turn: plan.number }, { turn: plan.number });
  return end;
}

async function answerOrCall(state: SessionState, plan: TurnPlan): Promise<TurnEnd> {
  const { transcript, opened } = state.parts;
  const resumed = state.takeResumed();
  const { reply, failure } = resumed ? { reply: resumed.pending.reply } : await callModel(state, plan);
  if (!reply)
    return {
      type: 'failed',
      last: plan.last,
      failure: failure ?? toFailure(new AgentError('internal', 'The model task gave neither a reply nor a failure.')),
    };

  if (!resumed) transcript.addReply(reply);
  if (callsOf(reply.message).length === 0)
    return { type: 'answer', text: textOf(reply.message), finishReason: reply.finishReason };

  const called = await callAll(state, reply, resumed ? opened.tools : plan.tools, resumed);
  if (!('parts' in called)) return { type: 'paused', waiting: called, text: textOf(reply.message) };
  transcript.addResults(called.parts);
  return { type: 'called', last: plan.last, results: called.results };
}

async function callModel(state: SessionState, plan: TurnPlan): Promise<{ reply?: ModelReply; failure?: Failure }> {
  const { facts, opened, runtime, transcript } = state.parts;
  const { provider = '', model = '' } = opened.models[0] ?? {};
  const op = `turn.${plan.number}.model`;
  const subject = { turn: plan.number, index: 0 };
  facts.write({ type: 'model-start', op, turn: plan.number, provider, model }, subject);
  const settled = await runtime.do({
    type: 'task',
    task: 'model',
    name: op,
    input: {
      turn: plan.number,
      request: toRequest(state, plan),
      models: opened.models,
      inputTokens: transcript.tokens,
      limit: plan.last,
    },
  });
  const result: ModelResult = settled.ok ? settled.value : { provider, model, attempts: [], failure: settled.failure };
  if (result.reply) state.countReply(result);
  const { startedAt, endedAt } = settled;
  facts.advance(endedAt);
  state.spend(
    modelCallTotals({
      latencyMs: endedAt - startedAt,
      failed: !result.reply,
      isRefused: result.failure?.code === 'budget-exhausted',
      usage: result.reply?.usage,
      costUsd: result.reply?.costUsd,
    }),
  );
  facts.write({ type: 'model-end', op, turn: plan.number, startedAt, endedAt, ...result }, subject);
  return result;
}

function toRequest(state: SessionState, plan: TurnPlan): ModelRequest {
  const { opened, transcript, settings } = state.parts;
  // A contract that the caller asks for is told after the first answer, and not enforced before that.
  const output = state.isOutputTold ? state.parts.output : { format: 'text' as const };
  const tools = offered(plan.tools);
  const request = { system: opened.system, messages: transcript.view(), tools, output, settings };
  const isWithheld = tools.length === 0 && (plan.last !== null || plan.isWithholding === true);
  return isWithheld ? { ...request, withheld: offered(opened.tools) } : request;
}

// The same list is offered turn after turn, and mostly by thousands of sessions: what it comes to is worked out once.
const specs = new WeakMap<readonly OpenedTool[], readonly ToolSpec[]>();

function offered(tools: readonly OpenedTool[]): readonly ToolSpec[] {
  const known = specs.get(tools) ?? tools.filter((tool) => tool.isOffered).map(toSpec);
  specs.set(tools, known);
  return known;
}

function toSpec({ name, description, inputSchema, readOnly }: OpenedTool): ToolSpec {
  return { name, description, inputSchema, ...(readOnly === undefined ? {} : { readOnly }) };
}
