// The promise: fields that a configuration adds are in the body of every request as they were written, and nothing else is.

import type { ProviderConfig } from '@ai-agent/models';
import { describe, expect, test } from 'vitest';
import { requestOf, ways } from './support/calling.ts';
import { chat } from './support/wires/chat.ts';
import { ollama } from './support/wires/ollama.ts';
import { openrouter } from './support/wires/openrouter.ts';
import { serveWire } from './support/wires/serve-wire.ts';
import type { Wire } from './support/wires/wire.ts';

async function bodies(wire: Wire, custom: ProviderConfig['custom'], name = 'mine') {
  const config = custom ? { custom } : {};
  const { model, requests } = await serveWire(wire, [{ text: 'So.' }], { config, name });
  for (const [, context] of ways)
    await model.call(requestOf({ settings: { temperature: 0.5, maxOutputTokens: 9 } }), context());
  return requests.map(({ body: { messages: _messages, ...body } }) => body);
}

const streamed = { stream: true, stream_options: { include_usage: true } };

describe('a chat server', () => {
  const usual = { model: 'a-model', temperature: 0.5, max_tokens: 9 };
  const added = { chat_template_kwargs: { enable_thinking: false }, min_p: 0.1 };

  test.each<[string, object, string]>([
    ['as they stand', added, 'mine'],
    ['under the name of the package', { openaiCompatible: added }, 'mine'],
    ['under the other name of it', { 'openai-compatible': added }, 'mine'],
    ['under the name of the provider', { mine: added }, 'mine'],
    ['under a name with signs in it', { 'my-own.one': added }, 'my-own.one'],
    ['in both places', { mine: { min_p: 0.1 }, chat_template_kwargs: added.chat_template_kwargs }, 'mine'],
  ])('%s', async (_, providerOptions, name) => {
    const [whole, stream] = await bodies(chat, { providerOptions }, name);
    expect(whole).toEqual({ ...usual, ...added });
    expect(stream).toEqual({ ...usual, ...added, ...streamed });
  });

  test('they have the last word', async () => {
    const [whole] = await bodies(chat, { providerOptions: { temperature: 1, max_tokens: null, user: 7 } });
    expect(whole).toEqual({ model: 'a-model', temperature: 1, max_tokens: null, user: 7 });
  });

  test('whether it streams is not for them to say', async () => {
    for (const stream of [true, false]) {
      const sent = await bodies(chat, { providerOptions: { stream } });
      expect(sent).toEqual([usual, { ...usual, ...streamed }]);
    }
  });

  test('figures of a stream are not asked for where they are refused', async () => {
    const [, stream] = await bodies(chat, { includeUsage: false });
    expect(stream).toEqual({ ...usual, stream: true });
  });

  test.each<ProviderConfig['custom']>([
    undefined,
    {},
    { other: 1, provider: { order: ['x'] } },
    { providerOptions: 7 },
  ])('nothing is added by %j', async (custom) => {
    expect(await bodies(chat, custom)).toEqual([usual, { ...usual, ...streamed }]);
  });
});

describe('OpenRouter', () => {
  const usual = { model: openrouter.model, temperature: 0.5, max_tokens: 9 };

  test('who may serve the model, and fields', async () => {
    const provider = { order: ['anthropic'], allow_fallbacks: false };
    for (const providerOptions of [
      { transforms: [] },
      { openrouter: { transforms: [] } },
      { mine: { transforms: [] } },
    ])
      expect(await bodies(openrouter, { provider, providerOptions })).toEqual([
        { ...usual, provider, transforms: [] },
        { ...usual, provider, transforms: [], ...streamed },
      ]);
  });

  test('nothing is added by nothing', async () => {
    expect(await bodies(openrouter, undefined)).toEqual([usual, { ...usual, ...streamed }]);
  });
});

describe('Ollama', () => {
  const usual = { model: ollama.model, options: { temperature: 0.5, num_predict: 9 } };

  test.each([{ keep_alive: '1h' }, { ollama: { keep_alive: '1h' } }, { mine: { keep_alive: '1h' } }])(
    '%j is a field',
    async (providerOptions) => {
      expect(await bodies(ollama, { providerOptions })).toEqual([
        { ...usual, keep_alive: '1h', stream: false },
        { ...usual, keep_alive: '1h', stream: true },
      ]);
    },
  );

  test('options join the options', async () => {
    const [whole] = await bodies(ollama, {
      providerOptions: { options: { temperature: 1, num_gpu: 2 }, stream: true },
    });
    expect(whole).toEqual({ ...usual, options: { temperature: 1, num_predict: 9, num_gpu: 2 }, stream: false });
  });
});
