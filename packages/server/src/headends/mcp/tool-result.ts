// What came of a run as the result of a tool: the answer once, and whatever else is true of it.

import {
  defaultTexts,
  type Failure,
  failureForCaller,
  jsonReportOf,
  type Outcome,
  type Question,
  type Texts,
  toFailure,
} from '@ai-agent/core';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { withoutInside } from '../../failure-status.ts';
import type { Hall } from '../../hall.ts';
import { toIncomplete } from '../../incomplete.ts';
import { unshownCall } from './question-form.ts';
import type { AgentAsTool } from './tools.ts';

/** Under this key results say for programs how the run ended. */
export const outcomeKey = 'ai-agent/outcome';

export interface CameOf {
  readonly tool: AgentAsTool;
  readonly outcome: Outcome;
  /** As it is known outside. */
  readonly sessionId: string;
}

export function toResult({ tool, outcome, sessionId }: CameOf): CallToolResult {
  const { text } = outcome;
  const report = jsonReportOf(outcome);
  const texts = { ...defaultTexts, ...tool.served.agent.texts };
  const meta = metaOf(outcome, sessionId);
  const failed = failureForCaller(outcome);
  if (failed) {
    const failure = toTold(failed);
    return { ...toTexts(texts.failedCall(failure, text)), isError: true, ...toMeta({ ...meta, failure }) };
  }
  // Where data is promised, only data is no error.
  const isError = tool.listed.outputSchema !== undefined && report === undefined ? { isError: true } : {};
  if (outcome.status === 'needs_user_input') {
    const question = { ...outcome.question, handle: sessionId };
    return { ...toTexts(askedBy(question, texts)), ...isError, ...toMeta({ ...meta, question, resume: sessionId }) };
  }
  const answer = report === undefined ? text : JSON.stringify(report);
  const structured = report === undefined ? {} : { structuredContent: report as CallToolResult['structuredContent'] };
  if (outcome.status !== 'partial') return { ...toTexts(answer), ...structured, ...toMeta(meta) };
  const note = texts.partialCall(outcome.limit, '').trim();
  return { ...toTexts(answer, note), ...structured, ...isError, ...toMeta(meta) };
}

/** Of a run that never began. */
export function toFailedResult(hall: Hall, error: unknown): CallToolResult {
  const thrown = toFailure(error);
  if (thrown.class === 'bug' || thrown.class === 'config') hall.onBug(error);
  const failure = toTold(thrown);
  const status = failure.class === 'cancelled' ? 'cancelled' : 'failed';
  return { ...toTexts(defaultTexts.failedCall(failure, '')), isError: true, ...toMeta({ status, failure }) };
}

/** Says something more of what came, in words and for programs. */
export function addNote(result: CallToolResult, note: string, more: object = {}): CallToolResult {
  const meta = { ...(result._meta?.[outcomeKey] as object | undefined), ...more };
  return { ...result, content: [...result.content, { type: 'text', text: note }], ...toMeta(meta) };
}

/** The status that a provider gave us is no concern of who asks us. */
function toTold(failure: Failure): Failure {
  const { status: _status, ...told } = withoutInside(failure);
  return told;
}

/** Whoever reads a question for a person must not be told to answer it. */
export function askedBy(question: Question, texts: Texts): string {
  if (question.to !== 'person') return texts.askedBack(question);
  const { text, choices, schema, handle } = question;
  const form = choices ? `\nChoices: ${choices.join(', ')}` : schema ? `\nForm: ${JSON.stringify(schema)}` : '';
  const call = unshownCall(question);
  const asked = [`${text}${form}`, ...(call === undefined ? [] : [call])].join('\n');
  return `It asks a person before it goes on: ${asked}\nAsk them, and call this again with { "resume": "${handle}", "answer": … } when they have answered. Do not answer yourself.`;
}

function metaOf(outcome: Outcome, sessionId: string): object {
  const { status, usage, metadata } = outcome;
  const more = {
    ...(status === 'partial' ? { limit: outcome.limit } : {}),
    ...(metadata ? { metadata } : {}),
    ...('isCached' in outcome && outcome.isCached === true ? { isCached: true } : {}),
  };
  return { status, sessionId, usage, ...more, ...toIncomplete(outcome) };
}

function toTexts(...texts: readonly string[]): Pick<CallToolResult, 'content'> {
  return { content: texts.map((text) => ({ type: 'text', text })) };
}

function toMeta(outcome: object): Pick<CallToolResult, '_meta'> {
  return { _meta: { [outcomeKey]: outcome } };
}
