// What the door tells of a call: that it was asked for, and what came of it.

import type { ToolCallPart } from './message.ts';
import type { CallPlan } from './middleware.ts';
import type { OpenedTool } from './operation.ts';
import type { SessionState } from './state.ts';
import { utf8Bytes } from './text.ts';
import type { ToolResult } from './tool-result.ts';

/** A call as far as anybody outside may hear of it. */
export interface ToldCall {
  readonly part: ToolCallPart;
  readonly index: number;
  readonly tool: OpenedTool | undefined;
  readonly instance: string;
  readonly plan?: CallPlan;
}

export interface CallEnd {
  readonly result: ToolResult;
  readonly startedAt: number;
  readonly endedAt: number;
}

export function tellStart(state: SessionState, call: ToldCall): void {
  const { part, instance, plan } = call;
  const title = plan?.call.title ?? null;
  state.parts.facts.write(
    { type: 'tool-start', ...fieldsOf(state, call), call: part, instance, title },
    subjectOf(state, call),
  );
}

export function tellEnd(state: SessionState, call: ToldCall, { result, startedAt, endedAt }: CallEnd): void {
  const sizes = { bytesIn: utf8Bytes(call.part.input), bytesOut: utf8Bytes(result.text) };
  const fields = { ...fieldsOf(state, call), startedAt, endedAt, ...sizes, result };
  state.parts.facts.write({ type: 'tool-end', ...fields }, subjectOf(state, call));
}

function fieldsOf({ turn }: SessionState, { tool, part, index }: ToldCall) {
  const label = tool?.label ?? part.name;
  return { op: `turn.${turn}.tool.${index}`, turn, index, label, namespace: tool?.namespace ?? '' };
}

function subjectOf({ turn }: SessionState, { tool, part, index }: ToldCall) {
  return { turn, index, toolName: tool?.name ?? part.name, callId: part.id };
}
