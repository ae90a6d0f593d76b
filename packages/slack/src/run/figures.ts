// Amounts as people read them: tokens, money, time.

import type { Totals } from '@ai-agent/core';

/** `+?` marks a sum that misses calls. */
export function tokensIn({ inputTokens, outputTokens, unknownUsageCalls }: Totals): string {
  const count = inputTokens + outputTokens;
  return `${short(count)}${unknownUsageCalls > 0 ? '+?' : ''} ${count === 1 ? 'token' : 'tokens'}`;
}

/** Money of a sum, as core's `moneyOf` has it: unknown if it is 0 and misses calls, `+?` behind it if it misses some. */
export function moneyIn({ costUsd, unknownCostCalls }: Totals): string {
  const more = unknownCostCalls > 0 ? '+?' : '';
  if (costUsd === 0) return unknownCostCalls > 0 ? 'cost unknown' : '$0';
  return `${costUsd < 0.00005 ? '<$0.0001' : `$${costUsd.toFixed(costUsd < 1 ? 4 : 2)}`}${more}`;
}

/** `4 s`, `3 m 12 s`, `1 h 4 m`. */
export function timeIn(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return join(seconds, [60, 'm'], [1, 's']);
  return join(seconds, [3_600, 'h'], [60, 'm']);
}

/** Without the lesser one where there is none of it. */
function join(seconds: number, [of, unit]: [number, string], [lesserOf, lesser]: [number, string]): string {
  const rest = Math.floor((seconds % of) / lesserOf);
  return `${Math.floor(seconds / of)} ${unit}${rest === 0 ? '' : ` ${rest} ${lesser}`}`;
}

function short(count: number): string {
  if (count < 1_000) return String(count);
  const [value, unit] = count < 999_500 ? [count / 1_000, 'k'] : [count / 1_000_000, 'M'];
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)}${unit}`;
}

/** What was used up; a limit that we have no word for has its own. */
export function limitIn(limit: string): string {
  return limits.get(limit) ?? limit;
}

const limits: ReadonlyMap<string, string> = new Map([
  ['costUsd', 'money'],
  ['timeMs', 'time'],
  ['turns', 'model calls'],
  ['toolCalls', 'tool calls'],
  ['descendants', 'sub-agents'],
  ['maxTurns', 'turns'],
]);
