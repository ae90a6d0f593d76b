// One turn: a model call and the tool calls it asked for.

import { callTools } from './call-tool.ts';
import { AgentError, type Failure, toFailure } from './errors.ts';
import { callsOf, type ToolCallPart, textOf, userMessage } from './message.ts';
import type { TurnPlan } from './middleware.ts';
import type { FinishReason, ModelReply, ModelRequest } from './model.ts';
import type { ModelResult, Settled } from './operation.ts';
import type { SessionState } from './state.ts';
import type { ToolResult } from './tool-result.ts';
import { modelCallTotals } from './totals.ts';

/** What a turn came to: an answer, more work to do, or the end of the model. */
export type TurnEnd = Answer | { readonly type: 'called' } | { readonly type: 'failed'; readonly failure: Failure };

export interface Answer {
  readonly type: 'answer';
  readonly text: string;
  readonly finishReason: FinishReason;
}

export async function takeTurn(state: SessionState, plan: TurnPlan): Promise<TurnEnd> {
  const { facts, transcript } = state.parts;
  const said = plan.say.map(userMessage);
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
  const { transcript } = state.parts;
  const { reply, failure } = await callModel(state, plan);
  if (!reply)
    return {
      type: 'failed',
      failure: failure ?? toFailure(new AgentError('internal', 'The model task gave neither a reply nor a failure.')),
    };

  transcript.add(reply.message);
  const calls = callsOf(reply.message);
  if (calls.length === 0) return { type: 'answer', text: textOf(reply.message), finishReason: reply.finishReason };

  const results = await callTools(state, reply, plan.tools);
  transcript.add({ role: 'tool', content: results.map((result, i) => toPart(calls[i], result)) });
  return { type: 'called' };
}

async function callModel(state: SessionState, plan: TurnPlan): Promise<{ reply?: ModelReply; failure?: Failure }> {
  const { facts, opened, runtime } = state.parts;
  const op = `turn.${plan.number}.model`;
  const subject = { turn: plan.number, index: 0 };
  facts.write({ type: 'model-start', op, turn: plan.number, provider: opened.provider, model: opened.model }, subject);
  const settled = await runtime.do({
    type: 'task',
    task: 'model',
    name: op,
    input: { turn: plan.number, request: toRequest(state, plan) },
  });
  const result = resultOf(settled, state);
  const { startedAt, endedAt } = settled;
  facts.advance(endedAt);
  state.spend(
    modelCallTotals({
      latencyMs: endedAt - startedAt,
      failed: !result.reply,
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
  const tools = plan.tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  return { system: opened.system, messages: transcript.view(), tools, output, settings };
}

function resultOf(settled: Settled<ModelResult>, state: SessionState): ModelResult {
  if (settled.ok) return settled.value;
  const { provider, model } = state.parts.opened;
  return { provider, model, attempts: [], failure: settled.failure };
}

function toPart(call: ToolCallPart | undefined, result: ToolResult) {
  return {
    type: 'tool-result',
    id: call?.id ?? '',
    name: call?.name ?? '',
    text: result.text,
    isError: result.status !== 'ok',
  } as const;
}
