// What came of a run as the result of a tool: the answer once, and whatever else is true of it.

import { defaultTexts, type Outcome, toFailure } from '@ai-agent/core';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { withoutInside } from '../../failure-status.ts';
import type { Hall } from '../../hall.ts';
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
  const { status, report, text, usage } = outcome;
  const texts = { ...defaultTexts, ...tool.served.agent.texts };
  const meta = { status, sessionId, usage };
  if ('failure' in outcome) {
    const failure = withoutInside(outcome.failure);
    return { ...toTexts(texts.failedCall(failure, text)), isError: true, ...toMeta({ ...meta, failure }) };
  }
  // Where data is promised, only data is no error.
  const isError = tool.listed.outputSchema !== undefined && report === undefined ? { isError: true } : {};
  if (outcome.status === 'needs_user_input') {
    const asked = texts.askedBack({ ...outcome.question, handle: sessionId });
    return { ...toTexts(asked), ...isError, ...toMeta({ ...meta, question: outcome.question, resume: sessionId }) };
  }
  const answer = report === undefined ? text : JSON.stringify(report);
  const structured = report === undefined ? {} : { structuredContent: report as CallToolResult['structuredContent'] };
  if (outcome.status !== 'partial') return { ...toTexts(answer), ...structured, ...toMeta(meta) };
  const note = texts.partialCall(outcome.limit, '').trim();
  return { ...toTexts(answer, note), ...structured, ...isError, ...toMeta({ ...meta, limit: outcome.limit }) };
}

/** Of a run that never began. */
export function toFailedResult(hall: Hall, error: unknown): CallToolResult {
  const told = toFailure(error);
  if (told.class === 'bug' || told.class === 'config') hall.onBug(error);
  const failure = withoutInside(told);
  const status = failure.class === 'cancelled' ? 'cancelled' : 'failed';
  return { ...toTexts(defaultTexts.failedCall(failure, '')), isError: true, ...toMeta({ status, failure }) };
}

/** Says something more of what came, in words and for programs. */
export function addNote(result: CallToolResult, note: string, more: object = {}): CallToolResult {
  const meta = { ...(result._meta?.[outcomeKey] as object | undefined), ...more };
  return { ...result, content: [...result.content, { type: 'text', text: note }], ...toMeta(meta) };
}

function toTexts(...texts: readonly string[]): Pick<CallToolResult, 'content'> {
  return { content: texts.map((text) => ({ type: 'text', text })) };
}

function toMeta(outcome: object): Pick<CallToolResult, '_meta'> {
  return { _meta: { [outcomeKey]: outcome } };
}
