// A budget of tokens to think with, for those who only take a word.

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
