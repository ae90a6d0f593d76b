// Times and amounts as people read them.

import { shortCost, shortTokens, type Totals } from '@ai-agent/core';

export function dayOf(at: number, now = Date.now()): string {
  const days = Math.round((startOfDay(now) - startOfDay(at)) / 86_400_000);
  if (days <= 0) return 'Today';
  if (days === 1) return 'Yesterday';
  if (days < 7) return 'This week';
  return new Date(at).toLocaleDateString('en-GB', { month: 'long', year: 'numeric' });
}

/** `14:05` of today and yesterday, `Mon` of this week, `12 Nov`. */
export function momentOf(at: number, now = Date.now()): string {
  const days = Math.round((startOfDay(now) - startOfDay(at)) / 86_400_000);
  if (days <= 1) return new Date(at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  const form = days < 7 ? ({ weekday: 'short' } as const) : ({ day: 'numeric', month: 'short' } as const);
  return new Date(at).toLocaleDateString('en-GB', form);
}

function startOfDay(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}

/** `340 ms`, `4.2 s`, `3 m 12 s`, `1 h 4 m`. */
export function durationOf(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 59_950) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} m ${seconds % 60} s`;
  return `${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} m`;
}

/** The same in whole seconds, for what counts up. */
export function secondsOf(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  return seconds < 60 ? `${seconds} s` : durationOf(seconds * 1_000);
}

/** Tokens, the share from the cache, and money: `4.1k tokens`, `35% from cache`, `$0.0042`. */
export function usageWords(usage: Totals): readonly string[] {
  const { inputTokens, outputTokens, cacheReadTokens, unknownUsageCalls, modelCalls } = usage;
  const isUnknown = inputTokens + outputTokens === 0 && unknownUsageCalls > 0;
  const tokens = isUnknown ? 'tokens unknown' : shortTokens(usage);
  const share = inputTokens > 0 ? Math.round((100 * cacheReadTokens) / inputTokens) : 0;
  const money = modelCalls > 0 ? [shortCost(usage)] : [];
  return [tokens, ...(share > 0 ? [`${share}% from cache`] : []), ...money];
}

/** `812 B`, `4.1 kB`, `2.3 MB`. */
export function sizeOf(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 999_950) return `${(bytes / 1_000).toFixed(bytes < 9_950 ? 1 : 0)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
