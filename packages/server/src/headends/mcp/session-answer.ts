// What a session came to, as the content of a resource: the answer itself, or in words why there is none.

import type { SessionHead } from '@ai-agent/core';
import { defaultTexts, type Fact, type Failure, jsonReportOf, outcomeOf } from '@ai-agent/core';
import { withoutInside } from '../../failure-status.ts';
import { type IncompleteField, toIncomplete } from '../../incomplete.ts';
import type { Format } from '../../read-output.ts';
import { failureOf } from '../../session-document.ts';
import { askedBy, outcomeKey } from './tool-result.ts';

export const mimeTypes: Readonly<Record<Format, string>> = {
  text: 'text/plain',
  markdown: 'text/markdown',
  json: 'application/json',
};

export interface AnswerContent {
  readonly mimeType: string;
  readonly text: string;
  readonly _meta: Record<string, unknown>;
}

/** One that has not ended yet says so. */
export function toAnswerContent(head: SessionHead, facts: readonly Fact[]): AnswerContent {
  const { text, format = 'text', stoppedBy, missing = {} } = answerOf(head, facts);
  // What the facts do not say stays with the head.
  const { id, status, limit = stoppedBy } = head;
  const meta = { status, sessionId: id, ...(limit === undefined ? {} : { limit }), ...missing };
  return { mimeType: mimeTypes[format], text, _meta: { [outcomeKey]: meta } };
}

interface Answer {
  readonly text: string;
  /** @default text */
  readonly format?: Format;
  /** The limit that did. @default none */
  readonly stoppedBy?: string;
  /** @default no work is missing */
  readonly missing?: IncompleteField;
}

function answerOf(head: SessionHead, facts: readonly Fact[]): Answer {
  const { id, status, endedAt, draft } = head;
  const failure = failureOf(head);
  if (endedAt === undefined) return { text: `This run has not ended yet: it is ${status}.` };
  if (failure) return { text: failed(failure, draft ?? '') };
  const outcome = outcomeOf(facts);
  if (!outcome) return { text: `Of this run, which is ${status}, nothing more is known.` };
  const { format } = outcome;
  const report = jsonReportOf(outcome);
  const text = draft ?? outcome.text;
  if ('failure' in outcome) return { text: failed(outcome.failure, text) };
  if (outcome.status === 'needs_user_input')
    return { text: askedBy({ ...outcome.question, handle: id }, defaultTexts) };
  const stopped = outcome.status === 'partial' ? { stoppedBy: outcome.limit } : {};
  const about = { ...stopped, missing: toIncomplete(outcome) };
  if (report !== undefined) return { text: JSON.stringify(report), format: 'json', ...about };
  // What was said in the place of data is none.
  return { text, format: format === 'json' ? 'text' : format, ...about };
}

function failed(failure: Failure, text: string): string {
  return defaultTexts.failedCall(withoutInside(failure), text);
}
