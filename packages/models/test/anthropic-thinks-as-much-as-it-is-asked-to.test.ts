// Levels, budgets and efforts of reasoning, in the words that each generation of Claude takes.

import type { Message, ModelRequest, ModelSettings } from '@ai-agent/core';
import type { ProviderConfig } from '@ai-agent/models';
import { describe, expect, test } from 'vitest';
import { contextOf, requestOf } from './support/calling.ts';
import { anthropic } from './support/wires/anthropic.ts';
import { serveWire } from './support/wires/serve-wire.ts';

const byBudget = 'claude-sonnet-4-5';
const adaptive = 'claude-sonnet-4-6';
const adaptiveOnly = 'claude-opus-4-8';
const search = { name: 'search', description: 'Searches.', inputSchema: { type: 'object' } };

describe('models that want a budget', () => {
  test.each([
    ['minimal', 10_000, 1024],
    ['low', 10_000, 2000],
    ['medium', 10_000, 5000],
    ['high', 10_000, 8000],
    ['low', 3000, 1024],
    ['high', 3000, 1976],
    ['high', 2000, 1024],
    ['medium', undefined, 8192],
    ['high', 1_000_000, 51_200],
  ] as const)('%s of %s tokens is a budget of %s, within what may be written', async (reasoning, most, budget) => {
    const body = await bodyOf(byBudget, most === undefined ? { reasoning } : { reasoning, maxOutputTokens: most });
    expect(body.thinking).toEqual({ type: 'enabled', budget_tokens: budget });
    expect(body.max_tokens).toBe(Math.min(most ?? 16_384, 64_000));
    expect(body.output_config).toBeUndefined();
  });

  test('a budget of the agent is sent as it is, as far as it fits', async () => {
    const budgetOf = async (reasoningTokens: number, maxOutputTokens: number) =>
      (await bodyOf(byBudget, { reasoningTokens, maxOutputTokens, reasoning: 'low' })).thinking;
    expect(await budgetOf(4000, 10_000)).toEqual({ type: 'enabled', budget_tokens: 4000 });
    expect(await budgetOf(10, 10_000)).toEqual({ type: 'enabled', budget_tokens: 1024 });
    expect(await budgetOf(20_000, 10_000)).toEqual({ type: 'enabled', budget_tokens: 8976 });
  });

  test('where no budget fits, nothing is thought', async () => {
    const body = await bodyOf(byBudget, { reasoning: 'high', maxOutputTokens: 1024 });
    expect(body).toMatchObject({ thinking: { type: 'disabled' }, max_tokens: 1024 });
  });

  test('a server that nobody knows is not held to a maximum', async () => {
    const body = await bodyOf('some-model', { reasoning: 'high', maxOutputTokens: 200_000 });
    expect(body).toMatchObject({ thinking: { type: 'enabled', budget_tokens: 128_000 }, max_tokens: 200_000 });
  });
});

describe('models that decide for themselves', () => {
  test.each([
    ['minimal', 'low'],
    ['low', 'low'],
    ['medium', 'medium'],
    ['high', 'high'],
  ] as const)('%s is the effort %s', async (reasoning, effort) => {
    for (const model of [adaptive, adaptiveOnly]) {
      const body = await bodyOf(model, { reasoning, maxOutputTokens: 10_000 });
      expect(body.thinking).toEqual({ type: 'adaptive', display: 'summarized' });
      expect(body.output_config).toEqual({ effort });
      expect(body.max_tokens).toBe(10_000);
    }
  });

  test('a budget is one where that is still taken, and an effort where it is not', async () => {
    const settings = { reasoningTokens: 5000, maxOutputTokens: 10_000 };
    expect(await bodyOf(adaptive, settings)).toMatchObject({
      thinking: { type: 'enabled', budget_tokens: 5000 },
      max_tokens: 10_000,
    });
    for (const [reasoningTokens, effort] of [
      [1024, 'low'],
      [4000, 'medium'],
      [9000, 'high'],
    ])
      expect(
        await bodyOf(adaptiveOnly, { reasoningTokens: Number(reasoningTokens), maxOutputTokens: 10_000 }),
      ).toMatchObject({ thinking: { type: 'adaptive' }, output_config: { effort }, max_tokens: 10_000 });
  });
});

test('none is off, and nothing said is nothing sent', async () => {
  for (const model of [byBudget, adaptive, adaptiveOnly]) {
    expect((await bodyOf(model, { reasoning: 'none' })).thinking).toEqual({ type: 'disabled' });
    expect((await bodyOf(model, { reasoningTokens: 0 })).thinking).toEqual({ type: 'disabled' });
    const body = await bodyOf(model, {});
    expect([body.thinking, body.output_config]).toEqual([undefined, undefined]);
  }
  // It cannot be without.
  expect(await bodyOf('claude-opus-5-5', { reasoning: 'none' })).toMatchObject({ output_config: { effort: 'low' } });
});

test('what a configuration says of levels goes before what we know', async () => {
  const mapped = { reasoning: [1500, 'low', 'max', null] } as Partial<ProviderConfig>;
  const body = (level: ModelSettings['reasoning'], model: string) =>
    bodyOf(model, { reasoning: level ?? 'low' }, { config: mapped });
  expect((await body('minimal', byBudget)).thinking).toEqual({ type: 'enabled', budget_tokens: 1500 });
  expect(await body('medium', adaptiveOnly)).toMatchObject({
    thinking: { type: 'adaptive' },
    output_config: { effort: 'max' },
  });
  const only = await body('low', 'claude-opus-4-5');
  expect([only.thinking, only.output_config]).toEqual([undefined, { effort: 'low' }]);
  expect((await body('high', byBudget)).thinking).toBeUndefined();
});

test('who thinks takes no sampling, and is not forced to call', async () => {
  const sampled = { temperature: 0.2, topK: 5, topP: 0.9 };
  const forced = { config: { models: { [byBudget]: { toolChoice: 'required' as const } } } };
  const asked = { tools: [search], settings: { ...sampled, reasoning: 'low' as const, caching: 'none' as const } };
  for (const [model, options] of [
    [byBudget, forced],
    [adaptive, {}],
  ] as const) {
    const body = await bodyOf(model, asked.settings, { ...options, request: asked });
    expect([body.temperature, body.top_k, body.top_p]).toEqual([undefined, undefined, undefined]);
    expect([undefined, 'auto']).toContain((body.tool_choice as { type: string } | undefined)?.type);
  }
  const unthinking = await bodyOf(byBudget, sampled, { ...forced, request: { tools: [search] } });
  expect(unthinking).toMatchObject({ temperature: 0.2, top_k: 5, tool_choice: { type: 'any' } });
});

describe('in the middle of calls', () => {
  const question: Message = { role: 'user', content: [{ type: 'text', text: 'Go.' }] };
  const call = (id: string) => ({ type: 'tool-call' as const, id, name: 'search', input: '{}' });
  const result = (id: string): Message => ({
    role: 'tool',
    content: [{ type: 'tool-result', id, name: 'search', text: 'found', isError: false }],
  });
  const thought = (model: string, metadata: Record<string, string>) => ({
    type: 'reasoning' as const,
    text: 'Hm.',
    bound: { [`mine/${model}`]: { anthropic: metadata } },
  });
  const asked = (...messages: Message[]) => ({ request: { messages: [question, ...messages], tools: [search] } });
  const own = thought(byBudget, { signature: 'signed' });

  test.each<[string, Message[], string]>([
    ['calls of somebody else', [{ role: 'assistant', content: [call('a')] }, result('a')], 'disabled'],
    [
      'a thought of another model',
      [{ role: 'assistant', content: [thought('claude-opus-4-5', { signature: 's' }), call('a')] }, result('a')],
      'disabled',
    ],
    [
      'a thought without a signature',
      [{ role: 'assistant', content: [thought(byBudget, { signature: '' }), call('a')] }, result('a')],
      'disabled',
    ],
    ['an own thought', [{ role: 'assistant', content: [own, call('a')] }, result('a')], 'enabled'],
    [
      'an own thought that nobody can read',
      [{ role: 'assistant', content: [thought(byBudget, { redactedData: 'x' }), call('a')] }, result('a')],
      'enabled',
    ],
    [
      'an own thought, and calls that followed without one',
      [
        { role: 'assistant', content: [own, call('a')] },
        result('a'),
        { role: 'assistant', content: [call('b')] },
        result('b'),
      ],
      'enabled',
    ],
    [
      'an own thought before which somebody else had called',
      [
        { role: 'assistant', content: [call('a')] },
        result('a'),
        { role: 'assistant', content: [own, call('b')] },
        result('b'),
      ],
      'disabled',
    ],
    [
      'calls of somebody else, answered since',
      [
        { role: 'assistant', content: [call('a')] },
        result('a'),
        { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] },
        question,
      ],
      'enabled',
    ],
  ])('%s', async (_, messages, thinking) => {
    const body = await bodyOf(byBudget, { reasoning: 'low', maxOutputTokens: 8000 }, asked(...messages));
    expect(body.thinking).toMatchObject({ type: thinking });
    expect(body.max_tokens).toBe(8000);
    const flexible = await bodyOf(adaptive, { reasoning: 'low' }, asked(...messages));
    expect(flexible.thinking).toMatchObject({ type: 'adaptive' });
  });
});

interface Options {
  readonly config?: Partial<ProviderConfig>;
  readonly request?: Partial<ModelRequest>;
}

async function bodyOf(model: string, settings: ModelSettings, { config = {}, request = {} }: Options = {}) {
  const served = await serveWire(anthropic, [{ text: 'Hello.' }], { model, config });
  await served.model.call(requestOf({ ...request, settings }), contextOf());
  return served.requests[0]?.body ?? {};
}
