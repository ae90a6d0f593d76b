// What a round took: tokens, money, time. What nobody knows is said to be unknown, never counted as nothing.

import type { Totals } from '@ai-agent/core';
import { costOf, countOf, durationOf } from '../app/time.ts';
import type { Answer } from './answer.ts';
import styles from './usage-line.module.css';

export function UsageLine({ answer }: { readonly answer: Answer }) {
  const { state, round } = answer;
  const usage = round?.tree.session(round.id)?.usage;
  // What only asks has not answered yet.
  if (state.type !== 'over' || state.status === 'needs_user_input' || !round || !usage) return null;
  const time = round.endedAt === undefined ? [] : [durationOf(round.endedAt - round.startedAt)];
  return <p className={`figure ${styles.usage}`}>{[...time, ...usageWords(usage)].join(' · ')}</p>;
}

export function usageWords(usage: Totals): readonly string[] {
  const { inputTokens, outputTokens, cacheReadTokens, unknownUsageCalls, modelCalls } = usage;
  const isUnknown = modelCalls > 0 && unknownUsageCalls === modelCalls;
  const more = unknownUsageCalls > 0 ? '+?' : '';
  const tokens = isUnknown ? 'tokens unknown' : `${countOf(inputTokens + outputTokens)}${more} tokens`;
  const share = inputTokens > 0 ? Math.round((100 * cacheReadTokens) / inputTokens) : 0;
  const money = modelCalls > 0 ? [costOf(usage, 'cost unknown')] : [];
  return [tokens, ...(share > 0 ? [`${share}% from cache`] : []), ...money];
}
