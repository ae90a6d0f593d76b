// An outcome as the body of a reply: the bare answer in its format, or the whole document.

import { jsonReportOf, type Outcome, type Question, toOutcomeDocument } from '@ai-agent/core';
import { toReply } from '../../direct-reply.ts';
import { retryAfterOf, statusOf, toErrorResponse, withoutInside } from '../../failure-status.ts';
import type { Format } from '../../read-output.ts';
import { toSafeJson } from '../../safe-json.ts';
import { endHeaders, type ReplyHeaders } from '../../trace-headers.ts';
import { documentType } from './wants.ts';

export interface Ended {
  readonly outcome: Outcome;
  /** The session as it is known outside. */
  readonly sessionId: string;
  readonly headers: ReplyHeaders;
  /** The one that is replied to. */
  readonly request: Request;
}

const contentTypes: Readonly<Record<Format, string>> = {
  text: 'text/plain; charset=utf-8',
  markdown: 'text/markdown; charset=utf-8',
  json: 'application/json; charset=utf-8',
};

/** What the agent says, and nothing else. What breaks a JSON contract is never passed off as an answer: then it is the document. */
export function toAnswer(ended: Ended, format: Format = ended.outcome.format): Response {
  const { outcome, sessionId } = ended;
  const headers = headersOf(ended);
  if ('failure' in outcome) return toErrorResponse(withoutInside(outcome.failure), { sessionId, headers });
  if (outcome.format === 'json' && outcome.report === undefined) return toDocument(ended);
  const body = outcome.status === 'needs_user_input' ? questionText(outcome.question) : answerText(outcome);
  return toReply(ended.request, body, { headers: { 'content-type': contentTypes[format], ...headers } });
}

/** Everything that is known of the run; the status is that of the bare answer. */
export function toDocument(ended: Ended): Response {
  const { outcome, sessionId } = ended;
  const failure = 'failure' in outcome ? withoutInside(outcome.failure) : undefined;
  return toReply(ended.request, `${writeDocument(outcome, sessionId)}\n`, {
    status: failure ? statusOf(failure) : 200,
    headers: { 'content-type': documentType, ...(failure ? retryAfterOf(failure) : {}), ...headersOf(ended) },
  });
}

/** The outcome document under the id that the session has outside. */
export function writeDocument(outcome: Outcome, sessionId: string): string {
  return toSafeJson({ ...toOutcomeDocument(outcome), sessionId });
}

function headersOf({ outcome, sessionId, headers }: Ended): ReplyHeaders {
  const isAsking = outcome.status === 'needs_user_input';
  const session = `/v1/sessions/${encodeURIComponent(sessionId)}`;
  return { ...headers, ...endHeaders(outcome), ...(isAsking ? { location: session } : {}) };
}

function answerText(outcome: Outcome): string {
  const report = jsonReportOf(outcome);
  return report === undefined ? outcome.text : JSON.stringify(report);
}

function questionText({ text, choices = [] }: Question): string {
  return choices.length === 0 ? text : `${text}\n\n${choices.map((choice) => `- ${choice}`).join('\n')}`;
}
