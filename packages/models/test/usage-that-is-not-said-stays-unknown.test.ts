// Tokens a provider does not report are missing from the reply: unknown is not zero.

import type { Usage } from '@ai-agent/core';
import { scriptedHttpModel } from '@ai-agent/models/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { modelAt, requestOf, ways } from './support/calling.ts';
import { serve } from './support/raw-server.ts';

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

  test.each([
    [{ prompt_tokens: '4', completion_tokens: 2 }, { outputTokens: 2 }],
    [{ prompt_tokens: 4, prompt_tokens_details: 'none' }, { inputTokens: 4 }],
    [{ prompt_tokens: 4, prompt_tokens_details: { cached_tokens: '1' } }, { inputTokens: 4 }],
    ['none', {}],
    [[], {}],
  ])('%j is what can be read of it', async (usage, expected) => {
    const { baseUrl } = await serve((_, response, body) => {
      const isStreamed = JSON.parse(body).stream;
      const choice = { index: 0, [isStreamed ? 'delta' : 'message']: { content: 'Hi' }, finish_reason: 'stop' };
      const reply = JSON.stringify({ id: '1', choices: [choice], usage });
      response.end(isStreamed ? `data: ${reply}\n\n` : reply);
    });
    expect((await (await modelAt(baseUrl)).call(requestOf(), context())).usage).toEqual(expected);
  });
});
