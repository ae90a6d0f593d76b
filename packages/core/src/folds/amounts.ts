// Amounts in few characters, for lines, tables and messages. `+?` marks a sum that misses calls.

import type { Totals } from '../totals.ts';

/** `812`, `4.1k`, `2.3M`. */
export function shortCount(count: number): string {
  if (count < 1_000) return String(count);
  const [value, unit] = count < 999_500 ? [count / 1_000, 'k'] : [count / 1_000_000, 'M'];
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)}${unit}`;
}

/** `4.1k tokens`, `4.1k+? tokens`. */
export function shortTokens({ inputTokens, outputTokens, unknownUsageCalls }: TokenSum): string {
  const count = inputTokens + outputTokens;
  return `${shortCount(count)}${unknownUsageCalls > 0 ? '+?' : ''} ${count === 1 ? 'token' : 'tokens'}`;
}

/** `$0.0042`, `$1.25`. */
function shortMoney(costUsd: number): string {
  if (costUsd === 0) return '$0';
  // A call often costs less than a cent.
  return costUsd < 0.00005 ? '<$0.0001' : `$${costUsd.toFixed(costUsd < 1 ? 4 : 2)}`;
}

/** `$0.0042+?`; the text `unknown` if no cost is known. */
export function shortCost({ costUsd, unknownCostCalls }: CostSum, unknown = 'cost unknown'): string {
  if (unknownCostCalls === 0) return shortMoney(costUsd);
  return costUsd === 0 ? unknown : `${shortMoney(costUsd)}+?`;
}

type TokenSum = Pick<Totals, 'inputTokens' | 'outputTokens' | 'unknownUsageCalls'>;
type CostSum = Pick<Totals, 'costUsd' | 'unknownCostCalls'>;
