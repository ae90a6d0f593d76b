// The promise: what OpenRouter charges is what a call cost, whole and streamed, with the bill of whoever stands behind it.

import type { ModelReply } from '@ai-agent/core';
import { describe, expect, test } from 'vitest';
import { requestOf, ways } from './support/calling.ts';
import { openrouter } from './support/wires/openrouter.ts';
import { serveWire } from './support/wires/serve-wire.ts';

describe.each(ways)('%s', (_, context) => {
  /** A reply with these figures in it. */
  async function replyWith(usage: object | undefined): Promise<ModelReply> {
    const { model } = await serveWire(openrouter, [
      (response, { isStreamed }) => {
        const message = { role: 'assistant', content: 'So.' };
        const choice = { index: 0, [isStreamed ? 'delta' : 'message']: message, finish_reason: 'stop' };
        const body = JSON.stringify({ id: 'gen-1', model: 'served', choices: [choice], ...(usage ? { usage } : {}) });
        response.end(isStreamed ? `data: ${body}\n\ndata: [DONE]\n\n` : body);
      },
    ]);
    return model.call(requestOf(), context());
  }

  const tokens = { prompt_tokens: 100, completion_tokens: 20 };

  test.each<[string, object | undefined, number | undefined]>([
    ['the charge', { cost: 0.25 }, 0.25],
    ['a charge of nothing', { cost: 0 }, 0],
    [
      'the provider’s own price is in the charge',
      { cost: 0.25, is_byok: false, cost_details: { upstream_inference_cost: 0.25 } },
      0.25,
    ],
    [
      'with a key of the user’s own, there are two bills',
      { cost: 0.05, is_byok: true, cost_details: { upstream_inference_cost: 1 } },
      1.05,
    ],
    [
      'half of them is not what it cost',
      { cost: 0.05, is_byok: true, cost_details: { upstream_inference_cost: null } },
      undefined,
    ],
    ['a charge that is none', { cost: '0.25' }, undefined],
    ['a charge below nothing', { cost: -1 }, undefined],
    ['no charge', {}, undefined],
    ['no figures', undefined, undefined],
  ])('%s', async (_name, usage, costUsd) => {
    const reply = await replyWith(usage && { ...tokens, ...usage });
    expect(reply.costUsd).toEqual(costUsd === undefined ? undefined : expect.closeTo(costUsd, 10));
  });

  test('its figures, with what was read from a cache, written to it and thought', async () => {
    const { model } = await serveWire(openrouter, [
      { text: 'So.', usage: { input: 100, output: 20, cacheRead: 60, cacheWrite: 30, reasoning: 5 } },
    ]);
    const reply = await model.call(requestOf(), context());
    expect(reply.usage).toEqual({
      inputTokens: 100,
      outputTokens: 20,
      cacheReadTokens: 60,
      cacheWriteTokens: 30,
      reasoningTokens: 5,
    });
    expect(reply.costUsd).toBe(0.00125);
  });

  test('beside thoughts and calls', async () => {
    const { model } = await serveWire(openrouter, [
      { reasoning: { text: 'Hm.' }, calls: [{ id: 'a', name: 'look', input: {} }] },
    ]);
    expect((await model.call(requestOf(), context())).costUsd).toBe(0.00125);
  });
});
