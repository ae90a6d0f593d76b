// What came of a run, for a client that takes it for a model.

import { failureForCaller, jsonReportOf, type Outcome, type Question, type Totals } from '@ai-agent/core';
import { withoutInside } from '../failure-status.ts';
import { toIncomplete } from '../incomplete.ts';
import type { About, ClientCall, Ended, SaidUsage } from './said.ts';

export interface Came {
  /** With what the whole session has used. */
  readonly outcome: Outcome;
  /** What this part of it has used, with all below: whoever adds up what replies tell counts nothing twice. */
  readonly used: Totals;
  readonly sessionId: string;
  /** What was thought. */
  readonly reasoning: string;
  /** As the client is told them. */
  readonly calls: readonly ClientCall[];
  /** What the last call of the root used, for who runs tools of its own and counts its own context. */
  readonly last?: SaidUsage | undefined;
}

export function toSaid({ outcome, used, sessionId, reasoning, calls, last }: Came): Ended {
  if ('failure' in outcome) return { status: 'failed', failure: withoutInside(outcome.failure), sessionId };
  const { status, usage } = outcome;
  const report = jsonReportOf(outcome);
  const about: About = {
    session_id: sessionId,
    status,
    ...(status === 'partial' ? { limit: outcome.limit } : {}),
    ...toIncomplete(outcome),
    usage,
  };
  const said = { reasoning, calls, usage: last ?? toUsage(used), about, isCut: false };
  if (status === 'needs_user_input') return { ...said, status: 'asked', text: toQuestionText(outcome.question) };
  if (status === 'needs_client_tools') return { ...said, status: 'calls', text: outcome.text };
  const text = report === undefined ? outcome.text : JSON.stringify(report);
  if (status !== 'partial') return { ...said, status, text, report };
  // Data that was not finished is no data, whatever has cut it: clients must not read it as such.
  const isUnfinished = outcome.format === 'json' && report === undefined;
  const isCut = isUnfinished || lengthLimits.has(outcome.limit) || failureForCaller(outcome) !== undefined;
  return { ...said, status, text, report, isCut };
}

/** Limits that leave no room for more text. */
const lengthLimits: ReadonlySet<string> = new Set(['maxOutputTokens', 'tokens', 'costUsd']);

/** As a person reads it. */
export function toQuestionText({ text, choices = [], schema }: Question): string {
  const options = choices.map((choice) => `- ${choice}`).join('\n');
  const form = schema ? `Answer with JSON that fits: ${JSON.stringify(schema)}` : '';
  return [text, options, form].filter((part) => part !== '').join('\n\n');
}

function toUsage({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens }: Totals): SaidUsage {
  return { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens };
}
