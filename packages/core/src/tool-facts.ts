// Facts of a tool call: its start, its questions with their answers, and its end.

import { bytesOfFiles } from './file-part.ts';
import { type Json, toSortedJson } from './json.ts';
import type { ToolCallPart } from './message.ts';
import type { CallPlan } from './middleware.ts';
import type { ChildCall } from './missing-call.ts';
import type { MessageOperation, OpenedTool, Settled } from './operation.ts';
import type { SessionState } from './state.ts';
import { hash, utf8Bytes } from './text.ts';
import type { CallEnd, ToolResult } from './tool-result.ts';

/** A call as far as anybody outside may hear of it. */
export interface ToldCall {
  readonly part: ToolCallPart;
  readonly index: number;
  readonly tool: OpenedTool | undefined;
  readonly instance: string;
  readonly plan?: CallPlan;
}

export function tellStart(state: SessionState, call: ToldCall): void {
  const { part, plan } = call;
  const title = plan?.call.title ?? null;
  state.parts.facts.write(
    { type: 'tool-start', ...fieldsOf(state, call), call: part, title, ...childOf(call) },
    subjectOf(state, call),
  );
}

/** The tool declares that a session performs its calls. */
function childOf({ tool, plan }: ToldCall): { readonly child?: ChildCall } {
  if (tool?.operation !== 'session') return {};
  const agent = tool.agentName ?? tool.label;
  if (tool.isKept || !plan) return { child: { agent } };
  const { [tool.titleFrom ?? '']: _title, ...rest } = plan.call.args;
  return { child: { agent, argumentsHash: hash(toSortedJson(rest)) } };
}

export function tellEnd(state: SessionState, call: ToldCall, { result, startedAt, endedAt }: CallEnd): void {
  const sizes = { bytesIn: utf8Bytes(call.part.input), bytesOut: utf8Bytes(result.text) + bytesOfFiles(result.files) };
  const fields = { ...fieldsOf(state, call), startedAt, endedAt, ...sizes, result: toTold(result) };
  const { facts } = state.parts;
  facts.write({ type: 'tool-end', ...fields }, subjectOf(state, call));
  // On a replay the sessions inside a call are not run again: the result tells what they told.
  if (result.inside?.facts) facts.tellAgain(result.inside.facts);
}

function toTold(result: ToolResult): ToolResult {
  if (!result.inside) return result;
  const { facts: _told, ...inside } = result.inside;
  return { ...result, inside };
}

export function tellQuestion(state: SessionState, call: ToldCall, { name, question }: MessageOperation): void {
  if (question)
    state.parts.facts.write(
      { type: 'question-start', op: name, turn: state.turn, index: call.index, question },
      subjectOf(state, call),
    );
}

export function tellAnswer(
  state: SessionState,
  call: ToldCall,
  { name }: MessageOperation,
  settled: Settled<unknown>,
): void {
  const { startedAt, endedAt } = settled;
  const answer = settled.ok ? { answer: settled.value as Json } : { failure: settled.failure };
  state.parts.facts.write(
    { type: 'question-end', op: name, turn: state.turn, index: call.index, startedAt, endedAt, ...answer },
    subjectOf(state, call),
  );
}

function fieldsOf({ turn }: SessionState, { tool, part, index, instance }: ToldCall) {
  const label = tool?.label ?? part.name;
  const namespace = tool?.namespace ?? '';
  const fields = { op: `turn.${turn}.tool.${index}`, turn, index, label, namespace, instance };
  return part.batch === undefined ? fields : { ...fields, batch: part.batch };
}

function subjectOf({ turn }: SessionState, { tool, part, index }: ToldCall) {
  return { turn, index, toolName: tool?.name ?? part.name, callId: part.id };
}
