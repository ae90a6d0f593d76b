// Amounts as people read them: tokens, money, time.

import type { Totals } from '@ai-agent/core';

export function inTokens(count: number, { isPart = false }: PartStyle = {}): string {
  return `${short(count)}${isPart ? '+?' : ''} ${count === 1 ? 'token' : 'tokens'}`;
}

/** Three digits say enough while something runs. */
export function short(count: number): string {
  if (count < 1_000) return String(count);
  const [value, unit] = count < 999_500 ? [count / 1_000, 'k'] : [count / 1_000_000, 'M'];
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)}${unit}`;
}

/** Money of a sum, as core's `moneyOf` has it: unknown if it is 0 and misses calls, `+?` behind it if it misses some. */
export function inMoney(
  { costUsd, unknownCostCalls }: Pick<Totals, 'costUsd' | 'unknownCostCalls'>,
  unknown = 'cost unknown',
): string {
  const more = unknownCostCalls > 0 ? '+?' : '';
  if (costUsd === 0) return unknownCostCalls > 0 ? unknown : '$0';
  // Cents matter, and so do their parts: a call often costs less than one.
  return `${costUsd < 0.00005 ? '<$0.0001' : `$${costUsd.toFixed(costUsd < 1 ? 4 : 2)}`}${more}`;
}

interface PartStyle {
  /** True if the sum misses calls whose figures are unknown. @default false */
  readonly isPart?: boolean;
}

export function inTime(durationMs: number): string {
  const seconds = Math.max(0, durationMs) / 1_000;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 3_600) return `${Math.floor(whole / 60)} m ${two(whole % 60)} s`;
  return `${Math.floor(whole / 3_600)} h ${two(Math.floor(whole / 60) % 60)} m`;
}

function two(count: number): string {
  return String(count).padStart(2, '0');
}
