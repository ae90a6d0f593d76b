// The promise: how hard a model is to think is said in the words of its server, and not at all when nobody asked.

import type { ModelSettings } from '@ai-agent/core';
import type { ProviderConfig } from '@ai-agent/models';
import { describe, expect, test } from 'vitest';
import { requestOf, ways } from './support/calling.ts';
import { chat } from './support/wires/chat.ts';
import { ollama } from './support/wires/ollama.ts';
import { openrouter } from './support/wires/openrouter.ts';
import { serveWire } from './support/wires/serve-wire.ts';
import type { Wire } from './support/wires/wire.ts';

const fields = ['reasoning_effort', 'reasoning', 'think', 'reasoningEffort'];

/** Whatever of these fields is in the body, however it is asked. */
async function asked(wire: Wire, settings: ModelSettings, config: Partial<ProviderConfig> = {}, model = wire.model) {
  const { model: opened, requests } = await serveWire(wire, [{ text: 'So.' }], { config, model });
  for (const [, context] of ways) await opened.call(requestOf({ settings }), context());
  const sent = requests.map(({ body }) =>
    Object.fromEntries(Object.entries(body).filter(([key]) => fields.includes(key))),
  );
  expect(sent[1]).toEqual(sent[0]);
  return sent[0];
}

const max = { maxOutputTokens: 1000 };

describe('a chat server', () => {
  test.each<[string, ModelSettings, Partial<ProviderConfig>, object]>([
    ['nothing', {}, {}, {}],
    ['a level', { reasoning: 'high' }, {}, { reasoning_effort: 'high' }],
    ['none', { reasoning: 'none' }, {}, { reasoning_effort: 'none' }],
    [
      'a word of the configuration',
      { reasoning: 'low' },
      { reasoning: ['a', 'b', 'c', 'd'] },
      { reasoning_effort: 'b' },
    ],
    ['null in the configuration', { reasoning: 'high' }, { reasoning: null as never }, {}],
    ['a small budget', { ...max, reasoningTokens: 199 }, {}, { reasoning_effort: 'low' }],
    ['a fair budget', { ...max, reasoningTokens: 200 }, {}, { reasoning_effort: 'medium' }],
    ['a large budget', { ...max, reasoningTokens: 500 }, {}, { reasoning_effort: 'high' }],
    ['a budget of the configuration', { ...max, reasoning: 'high' }, { reasoning: 100 }, { reasoning_effort: 'low' }],
    ['a budget of what is usual', { reasoningTokens: 4000 }, {}, { reasoning_effort: 'medium' }],
    ['a budget of nothing', { reasoningTokens: 0 }, {}, { reasoning_effort: 'none' }],
  ])('%s', async (_, settings, config, expected) => {
    expect(await asked(chat, settings, config)).toEqual(expected);
  });
});

describe('OpenRouter', () => {
  test.each<[string, ModelSettings, Partial<ProviderConfig>, object]>([
    ['nothing', {}, {}, {}],
    ['a level', { reasoning: 'minimal' }, {}, { reasoning: { effort: 'minimal' } }],
    ['none', { reasoning: 'none' }, {}, { reasoning: { enabled: false } }],
    ['a word of the configuration', { reasoning: 'high' }, { reasoning: 'xhigh' }, { reasoning: { effort: 'xhigh' } }],
    ['a budget', { reasoningTokens: 4096 }, {}, { reasoning: { max_tokens: 4096 } }],
    ['null in the configuration', { reasoning: 'high' }, { reasoning: null as never }, {}],
    [
      'a level beside what the configuration adds',
      { reasoning: 'high' },
      { custom: { providerOptions: { reasoning: { exclude: true } } } },
      { reasoning: { effort: 'high', exclude: true } },
    ],
  ])('%s', async (_, settings, config, expected) => {
    expect(await asked(openrouter, settings, config)).toEqual(expected);
  });
});

describe('Ollama', () => {
  test.each<[string, ModelSettings, Partial<ProviderConfig>, readonly [usual: object, inWords: object]]>([
    ['nothing', {}, {}, [{}, {}]],
    ['a level', { reasoning: 'high' }, {}, [{ think: true }, { think: 'high' }]],
    ['the least', { reasoning: 'minimal' }, {}, [{ think: true }, { think: 'low' }]],
    ['none', { reasoning: 'none' }, {}, [{ think: false }, { think: false }]],
    ['a budget', { ...max, reasoningTokens: 300 }, {}, [{ think: true }, { think: 'medium' }]],
    ['a word of the configuration', { reasoning: 'low' }, { reasoning: 'max' }, [{ think: 'max' }, { think: 'max' }]],
    ['yes in the configuration', { reasoning: 'low' }, { reasoning: 'true' }, [{ think: true }, { think: true }]],
    ['null in the configuration', { reasoning: 'high' }, { reasoning: null as never }, [{}, {}]],
  ])('%s', async (_, settings, config, [usual, inWords]) => {
    expect(await asked(ollama, settings, config)).toEqual(usual);
    expect(await asked(ollama, settings, config, 'gpt-oss:20b')).toEqual(inWords);
  });
});
