// What a call of Gemini used: thoughts are output, and what is not said stays unknown.

import { isObject } from '@ai-agent/core';
import type { LanguageModelV4Usage } from '@ai-sdk/provider';

/** The package takes what is not said for 0. */
export function toUsage({ raw }: { readonly raw?: unknown }): LanguageModelV4Usage {
  const said: Readonly<Record<string, unknown>> = isObject(raw) ? raw : {};
  const figure = (key: string) => (typeof said[key] === 'number' ? said[key] : undefined);
  const prompt = figure('promptTokenCount');
  const input = prompt === undefined ? undefined : prompt + (figure('toolUsePromptTokenCount') ?? 0);
  const cacheRead = figure('cachedContentTokenCount');
  const reasoning = figure('thoughtsTokenCount');
  const text = figure('candidatesTokenCount') ?? remainder(figure('totalTokenCount'), input, reasoning);
  return {
    inputTokens: {
      total: input,
      noCache: input === undefined ? undefined : input - (cacheRead ?? 0),
      cacheRead,
      cacheWrite: undefined,
    },
    outputTokens: { total: text === undefined ? undefined : text + (reasoning ?? 0), text, reasoning },
  };
}

export function reportedUsage({ usageMetadata: raw }: Readonly<Record<string, unknown>>) {
  return isObject(raw) ? toUsage({ raw }) : undefined;
}

/** A count of zero is left out; then the total says so. */
function remainder(total: number | undefined, input: number | undefined, reasoning = 0): number | undefined {
  return total === undefined || input === undefined ? undefined : Math.max(0, total - input - reasoning);
}
