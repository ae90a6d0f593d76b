// The promise: a configuration may say how tokens are counted before a provider has; and counting never takes long.

import { createModels, type ProviderConfig } from '@ai-agent/models';
import { describe, expect, onTestFinished, test } from 'vitest';

async function counter(config: object) {
  const mine = { type: 'openai-compatible', baseUrl: 'http://127.0.0.1:1/v1', ...config } as ProviderConfig;
  const models = createModels({ providers: { mine } });
  onTestFinished(() => models.close());
  return (await models.resolve('mine/m', { env: {} })).countTokens;
}

const count = async (tokenizer: string, text: string) => (await counter({ tokenizer }))?.(text);

test.each([{}, { tokenizer: null }, { tokenizer: 'approximate' }])('%j is an estimate, as ever', async (config) => {
  expect(await counter(config)).toBeUndefined();
});

test('of a model before that of its provider', async () => {
  const counting = await counter({ tokenizer: 'tiktoken:gpt-4', models: { m: { tokenizer: 'google' } } });
  expect(counting?.('x'.repeat(400))).toBe(100);
  expect(await counter({ tokenizer: 'google', models: { m: { tokenizer: 'approximate' } } })).toBeUndefined();
});

describe('tiktoken counts with the table of the model', () => {
  const text = 'tiktoken is great! Η υπηρεσία δεν απαντούσε. 再起動は予定どおりでした。';

  test('the older one, the newer one, and the newer for whatever is not known', async () => {
    expect(await count('tiktoken:gpt-4', 'tiktoken is great!')).toBe(6);
    const [older, newer] = [await count('tiktoken:gpt-4', text), await count('tiktoken:gpt-4o', text)];
    expect(newer).toBeLessThan(older as number);
    for (const model of ['gpt-5', 'o3', 'qwen3', 'openai/gpt-4o-mini', 'gpt-4.1'])
      expect(await count(`tiktoken:${model}`, text)).toBe(newer);
    for (const model of ['gpt-3.5-turbo', 'gpt-4-turbo', 'openai/gpt-4-0613'])
      expect(await count(`tiktoken:${model}`, text)).toBe(older);
  });

  test('what looks like a control token is text', async () => {
    expect(await count('tiktoken:gpt-5', '<|endoftext|>')).toBeGreaterThan(3);
  });

  test('a long text is the sum of its parts', async () => {
    const counting = await counter({ tokenizer: 'tiktoken:gpt-5' });
    const sentence = 'The quick brown fox jumps over the lazy dog. ';
    const once = counting?.(sentence) as number;
    const many = counting?.(sentence.repeat(200)) as number;
    expect(Math.abs(many - once * 200)).toBeLessThan(once * 20);
  });

  test.each([
    ['blanks', ' '],
    ['line ends', '\n'],
    ['one letter', 'a'],
    ['one sign', '='],
  ])('%s without end do not hold it up', async (_, letter) => {
    const counting = await counter({ tokenizer: 'tiktoken:gpt-5' });
    const startedAt = performance.now();
    expect(counting?.(letter.repeat(16_384))).toBeGreaterThan(100);
    // It would be twenty seconds.
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });
});

describe('others by characters per token', () => {
  test.each([
    ['anthropic', 270, 100],
    ['claude-sonnet-5', 270, 100],
    ['Claude', 270, 100],
    ['google', 400, 100],
    ['gemini-3.8-flash', 400, 100],
  ])('%s', async (tokenizer, characters, tokens) => {
    expect(await count(tokenizer, 'x'.repeat(characters))).toBe(tokens);
    expect(await count(tokenizer, '')).toBe(0);
  });

  test('other scripts have a token for each character', async () => {
    expect(await count('gemini', '再起動')).toBe(3);
    expect(await count('gemini', '😀😀')).toBe(2);
  });
});

test('any other is a mistake', async () => {
  await expect(counter({ tokenizer: 'gpt-4o' })).rejects.toThrow(
    /^Provider mine: its tokenizer is not approximate, tiktoken:<model>, anthropic, claude…, google… or gemini…\.$/,
  );
});
