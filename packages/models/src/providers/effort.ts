// Words and numbers for how hard a model thinks, for those who take only one of the two.

import { defaultSettings } from '@ai-agent/core';

/** By its share of all that the model may write. */
export function effortOf(
  tokens: number,
  maxOutputTokens: number = defaultSettings.maxOutputTokens,
): 'low' | 'medium' | 'high' {
  const share = tokens / maxOutputTokens;
  if (share < 0.2) return 'low';
  return share < 0.5 ? 'medium' : 'high';
}

/** And back: of all that a model may write, so much may be thought at each level; but no less than the least. */
export const shares = { minimal: 0, low: 0.2, medium: 0.5, high: 0.8 } as const;
export const leastBudget = 1024;
