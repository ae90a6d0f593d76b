// A step: a turn that the house takes, not the model. Its calls pass the one door like any others.

import { callTools } from './call-tool.ts';
import { AgentError } from './errors.ts';
import type { Asked } from './inquire.ts';
import { callsOf, type ToolCallPart, type UserMessage } from './message.ts';
import type { ModelReply } from './model.ts';
import type { PartnerArguments } from './partners.ts';
import type { Resumed, SessionState } from './state.ts';
import type { Step } from './step-kind.ts';
import type { ToolResult } from './tool-result.ts';

export interface Taking {
  readonly step: Step;
  readonly calls: readonly StepCall[];
  /** The same step, interrupted by a question that is answered now. */
  readonly resumed: Resumed | undefined;
  /** What the model is asked from here on, by what was heard. */
  readonly toPrompt?: (results: readonly ToolResult[]) => UserMessage;
}

export interface StepCall {
  readonly tool: string;
  readonly args: PartnerArguments;
}

/** The results in the order of the calls; or the question that has to be answered first. */
export async function takeStep(state: SessionState, taking: Taking): Promise<readonly ToolResult[] | Asked> {
  const { facts, opened } = state.parts;
  const { step, calls, resumed, toPrompt } = taking;
  const { turn } = state;
  const op = `turn.${turn}`;
  facts.write({ type: 'turn-start', op, turn, said: [], limit: null, step: step.kind }, { turn });
  state.step = step;
  const reply = resumed?.pending.reply ?? toReply(calls, op);
  const called = await callTools(state, reply, opened.partners ?? [], resumed);
  state.step = undefined;
  // Partners are run by the house.
  if ('calls' in called) throw new AgentError('internal', `The step ${step.kind} was handed out.`);
  const results = 'question' in called ? called : inOrder(reply, called, resumed);
  const prompt = toPrompt && !('question' in results) ? { prompt: toPrompt(results) } : {};
  facts.write({ type: 'turn-end', op, turn, step: step.kind, ...prompt }, { turn });
  return results;
}

/** The calls as a model would have made them: the door knows no other kind. */
function toReply(calls: readonly StepCall[], op: string): ModelReply {
  const content = calls.map(({ tool, args }, i): ToolCallPart => {
    const id = `${op.replaceAll('.', '_')}_${i + 1}`;
    return { type: 'tool-call', id, name: tool, input: JSON.stringify(args) };
  });
  return { message: { role: 'assistant', content }, finishReason: 'tool-calls', usage: {} };
}

function inOrder(
  { message }: ModelReply,
  called: readonly { readonly part: ToolCallPart; readonly result: ToolResult }[],
  resumed: Resumed | undefined,
): readonly ToolResult[] {
  const results = new Map(called.map(({ part, result }) => [part.id, result]));
  return callsOf(message).flatMap(({ id }, i) => results.get(id) ?? resumed?.pending.done[i + 1] ?? []);
}
