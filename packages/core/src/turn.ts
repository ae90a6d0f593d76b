// One turn: a model call and the tool calls it asked for.

import { askModel } from './ask-model.ts';
import { AgentError, toFailure } from './errors.ts';
import type { Waiting } from './inquire.ts';
import { callsOf, textOf, userMessage } from './message.ts';
import type { TurnPlan, Unanswered } from './middleware.ts';
import type { ModelReply, ModelRequest, ToolSpec } from './model.ts';
import type { ModelResult, OpenedTool } from './operation.ts';
import type { SessionState } from './state.ts';
import { callAll } from './unfold.ts';

/** What a turn came to: an answer, more work to do, the end of the model, or something to wait for. */
export type TurnEnd = Answer | Unanswered | Paused;

export interface Paused {
  readonly type: 'paused';
  readonly waiting: Waiting;
  /** What was said with the calls. */
  readonly text: string;
}

export interface Answer extends Pick<ModelReply, 'finishReason' | 'shortenedBy'> {
  readonly type: 'answer';
  readonly text: string;
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
  const { reply, failure }: Pick<ModelResult, 'reply' | 'failure'> = resumed
    ? { reply: resumed.pending.reply }
    : await callModel(state, plan);
  if (!reply)
    return {
      type: 'failed',
      last: plan.last,
      failure: failure ?? toFailure(new AgentError('internal', 'The model task gave neither a reply nor a failure.')),
    };

  if (!resumed) transcript.addReply(reply);
  if (callsOf(reply.message).length === 0) {
    const { finishReason, shortenedBy } = reply;
    return { type: 'answer', text: textOf(reply.message), finishReason, ...(shortenedBy ? { shortenedBy } : {}) };
  }

  const called = await callAll(state, reply, resumed ? opened.tools : plan.tools, resumed);
  if (!('parts' in called)) return { type: 'paused', waiting: called, text: textOf(reply.message) };
  transcript.addResults(called.parts);
  return { type: 'called', last: plan.last, results: called.results };
}

async function callModel(state: SessionState, plan: TurnPlan): Promise<ModelResult> {
  const { number: turn, last: limit } = plan;
  const inputTokens = state.parts.transcript.tokens;
  const result = await askModel(state, {
    op: `turn.${turn}.model`,
    turn,
    request: toRequest(state, plan),
    inputTokens,
    limit,
  });
  if (result.reply) state.countReply(result);
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
