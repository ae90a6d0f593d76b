// Tokens a provider does not report are missing from the reply: unknown is not zero.

import type { Usage } from '@ai-agent/core';
import { scriptedHttpModel } from '@ai-agent/models/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { requestOf, ways } from './support/calling.ts';

const cases: readonly Usage[] = [
  {},
  { inputTokens: 12 },
  { outputTokens: 3 },
  { inputTokens: 0, outputTokens: 0 },
  { inputTokens: 12, outputTokens: 3, cacheReadTokens: 0 },
  { inputTokens: 12, outputTokens: 3, cacheReadTokens: 8, reasoningTokens: 2 },
];

describe.each(ways)('asked %s', (_, context) => {
  test.each(cases)('%o', async (usage) => {
    const model = await scriptedHttpModel([{ text: 'Hello', usage }]);
    onTestFinished(() => model.close());
    const reply = await model.call(requestOf(), context());
    expect(reply.usage).toEqual(usage);
    expect(Object.keys(reply.usage).sort()).toEqual(Object.keys(usage).sort());
  });
});
