// Address, key, headers, functions, formats, thoughts and files: Gemini is asked for exactly what was meant.

import { type Message, type ModelRequest, userMessage } from '@ai-agent/core';
import type { ProviderConfig } from '@ai-agent/models';
import { describe, expect, test } from 'vitest';
import { contextOf, requestOf, ways } from './support/calling.ts';
import { google } from './support/wires/google.ts';
import { type ServeOptions, serveWire } from './support/wires/serve-wire.ts';

const tools = [{ name: 'look', description: 'Looks.', inputSchema: { type: 'object', properties: {} } }];
const json = { format: 'json', schema: { type: 'object', properties: { a: { type: 'string' } } } } as const;

async function bodyOf(request: Partial<ModelRequest>, options: ServeOptions = {}) {
  const { model, requests } = await serveWire(google, [{ text: '{}' }], options);
  await model.call(requestOf(request), contextOf());
  return (requests[0]?.body ?? {}) as Readonly<Record<string, unknown>> & { generationConfig: unknown };
}

describe('where it goes', () => {
  test.each(ways)('with the key, and nothing of the package or the environment (%s)', async (_, context) => {
    const { model, requests } = await serveWire(google, [{ text: 'Yes.' }]);
    await model.call(requestOf(), context());
    const { path, headers, isStreamed } = requests[0] ?? expect.fail('It was not asked.');
    expect(path).toBe(google.paths[isStreamed ? 'streamed' : 'whole']);
    const { host: _host, connection: _kept, 'content-length': _length, ...own } = headers;
    expect(own).toEqual({
      'accept-encoding': 'identity',
      'content-type': 'application/json',
      'user-agent': 'ai-agent',
      'x-goog-api-key': 'test-key-0123456789',
    });
  });

  test('headers of the configuration win', async () => {
    const config = { headers: { 'X-Goog-Api-Key': 'another', 'User-Agent': 'mine', 'x-own': 'yes' } };
    const { model, requests } = await serveWire(google, [{ text: 'Yes.' }], { config });
    await model.call(requestOf(), contextOf());
    expect(requests[0]?.headers).toMatchObject({ 'x-goog-api-key': 'another', 'user-agent': 'mine', 'x-own': 'yes' });
  });

  test.each([
    ['gemini-2.5-flash', '/v1beta/models/gemini-2.5-flash:generateContent', 'gemini-2.5-flash'],
    ['models/gemini-2.5-flash', '/v1beta/models/gemini-2.5-flash:generateContent', 'gemini-2.5-flash'],
    ['tunedModels/mine', '/v1beta/tunedModels/mine:generateContent', 'tunedModels/mine'],
  ])('%s', async (name, path, id) => {
    const { model, requests } = await serveWire(google, [{ text: 'Yes.' }], { model: name });
    await model.call(requestOf(), contextOf());
    expect(requests[0]?.path).toBe(path);
    expect(model.model).toBe(id);
  });

  test.each(ways)('a query in the address goes along (%s)', async (_, context) => {
    const wire = { ...google, basePath: '/proxy/?a=b%20c' };
    const { model, requests } = await serveWire(wire, [{ text: 'Yes.' }]);
    await model.call(requestOf(), context());
    const { path, isStreamed } = requests[0] ?? expect.fail('It was not asked.');
    const method = isStreamed ? 'streamGenerateContent?alt=sse&' : 'generateContent?';
    expect(path).toBe(`/proxy/models/${google.model}:${method}a=b%20c`);
  });
});

describe('functions and formats', () => {
  test('functions of a last turn are declared, and may not be called', async () => {
    const messages: readonly Message[] = [
      userMessage('Go.'),
      { role: 'assistant', content: [{ type: 'tool-call', id: '1', name: 'look', input: '{}' }] },
      { role: 'tool', content: [{ type: 'tool-result', id: '1', name: 'look', text: 'one', isError: false }] },
    ];
    const body = await bodyOf({ messages, withheld: tools });
    expect(body.tools).toMatchObject([{ functionDeclarations: [{ name: 'look' }] }]);
    expect(body.toolConfig).toEqual({ functionCallingConfig: { mode: 'NONE' } });
    expect(await bodyOf({ withheld: tools })).not.toHaveProperty('tools');
  });

  test.each([
    ['gemini-2.5-flash', false],
    ['gemini-2.0-flash', false],
    ['gemini-3-pro-preview', true],
    ['gemini-flash-latest', true],
  ])('%s is told a format beside functions: %s', async (model, isTold) => {
    const beside = await bodyOf({ tools, output: json }, { model });
    expect(beside.tools).toMatchObject([{ functionDeclarations: [{ name: 'look' }] }]);
    expect(beside).not.toHaveProperty('toolConfig');
    const format = { responseMimeType: 'application/json', responseJsonSchema: json.schema };
    expect(beside.generationConfig).toEqual(isTold ? format : {});
    expect((await bodyOf({ output: json }, { model })).generationConfig).toEqual(format);
  });

  test('who must call is told no format', async () => {
    const config: Partial<ProviderConfig> = { models: { [google.model]: { toolChoice: 'required' } } };
    const body = await bodyOf({ tools, output: json }, { config });
    expect(body.toolConfig).toEqual({ functionCallingConfig: { mode: 'ANY' } });
    expect(body.tools).toMatchObject([{ functionDeclarations: [{ name: 'look' }] }]);
    expect(body.generationConfig).toEqual({});
  });

  test('a configuration may keep schemas of reports at home', async () => {
    const body = await bodyOf({ output: json }, { config: { supportsStructuredOutputs: false } });
    expect(body.generationConfig).toEqual({ responseMimeType: 'application/json' });
  });
});

describe('thoughts', () => {
  const thinking = async (model: string, settings: ModelRequest['settings'], config = {}) =>
    ((await bodyOf({ settings }, { model, config })).generationConfig as { thinkingConfig?: unknown }).thinkingConfig;

  test.each([
    ['gemini-3-pro-preview', 'minimal', { thinkingLevel: 'low', includeThoughts: true }],
    ['gemini-3-flash-preview', 'minimal', { thinkingLevel: 'minimal', includeThoughts: true }],
    ['gemini-3-flash-preview', 'high', { thinkingLevel: 'high', includeThoughts: true }],
    ['gemini-3-pro-preview', 'none', { thinkingLevel: 'low' }],
    ['gemini-2.5-flash', 'none', { thinkingBudget: 0 }],
    ['gemini-2.5-pro', 'none', { thinkingBudget: 128 }],
    ['gemini-2.5-flash', 'minimal', { thinkingBudget: 1024, includeThoughts: true }],
    ['gemini-2.5-flash', 'low', { thinkingBudget: 2000, includeThoughts: true }],
    ['gemini-2.5-flash', 'medium', { thinkingBudget: 5000, includeThoughts: true }],
    ['gemini-2.5-flash', 'high', { thinkingBudget: 8000, includeThoughts: true }],
    ['gemini-2.0-flash', 'high', undefined],
    ['gemini-2.0-flash', 'none', undefined],
    ['gemma-3-27b-it', 'high', undefined],
  ] as const)('%s, %s', async (model, reasoning, expected) => {
    expect(await thinking(model, { reasoning, maxOutputTokens: 10_000 })).toEqual(expected);
  });

  test('a share leaves room for the answer, and has bounds', async () => {
    const high = (model: string, maxOutputTokens: number) => thinking(model, { reasoning: 'high', maxOutputTokens });
    expect(await high('gemini-2.5-pro', 1000)).toMatchObject({ thinkingBudget: 800 });
    expect(await high('gemini-2.5-pro', 65_536)).toMatchObject({ thinkingBudget: 32_768 });
    expect(await high('gemini-2.5-flash', 65_536)).toMatchObject({ thinkingBudget: 24_576 });
    expect(await high('gemini-2.5-flash-lite', 100)).toMatchObject({ thinkingBudget: 512 });
    expect(await thinking('gemini-2.5-pro', { reasoning: 'medium' })).toEqual({
      thinkingBudget: 19_661,
      includeThoughts: true,
    });
  });

  test('a number of tokens goes before a level', async () => {
    const settings = { reasoning: 'low', reasoningTokens: 5000 } as const;
    const expected = { thinkingBudget: 5000, includeThoughts: true };
    expect(await thinking('gemini-2.5-flash', settings)).toEqual(expected);
    expect(await thinking('gemini-3-pro-preview', settings)).toEqual(expected);
    expect(await thinking('gemini-3-pro-preview', { reasoningTokens: 99_000 })).toMatchObject({
      thinkingBudget: 32_768,
    });
    expect(await thinking('gemini-2.5-flash', { reasoningTokens: 0 })).toEqual({ thinkingBudget: 0 });
  });

  test('a configuration says what a level is, or that nothing is sent', async () => {
    const settings = { reasoning: 'high', maxOutputTokens: 10_000 } as const;
    expect(await thinking('gemini-3-pro-preview', settings, { reasoning: 'LOW' })).toEqual({
      thinkingLevel: 'low',
      includeThoughts: true,
    });
    expect(await thinking('gemini-2.5-flash', settings, { reasoning: 'low' })).toMatchObject({ thinkingBudget: 2000 });
    expect(await thinking('gemini-2.5-flash', { reasoning: 'high' }, { reasoning: 'none' })).toEqual({
      thinkingBudget: 0,
    });
    expect(await thinking('gemini-2.5-flash', { reasoning: 'high' }, { reasoning: 'low' })).toEqual({
      thinkingBudget: 6554,
      includeThoughts: true,
    });
    expect(await thinking('gemini-2.5-flash', settings, { reasoning: [1, 2, 3, 4] })).toMatchObject({
      thinkingBudget: 4,
    });
    expect(await thinking('gemini-2.5-flash', settings, { reasoning: null })).toBeUndefined();
    const custom = { providerOptions: { thinkingConfig: { thinkingBudget: 7 } } };
    expect(await thinking('gemini-2.5-flash', settings, { custom })).toEqual({ thinkingBudget: 7 });
  });

  test('without a word, nothing is sent', async () => {
    expect(await thinking('gemini-3-pro-preview', {})).toBeUndefined();
  });
});

test('settings', async () => {
  const settings = { maxOutputTokens: 100, temperature: 0.5, topP: 0.9, topK: 5, seed: 7, stopSequences: ['END'] };
  expect((await bodyOf({ settings })).generationConfig).toEqual(settings);
});

test('images, sound and documents go inline or by their address', async () => {
  const file = (mediaType: string, data: string) => ({ type: 'file' as const, mediaType, data });
  const content = [
    { type: 'text' as const, text: 'What is this?' },
    file('image/png', 'aW1hZ2U='),
    file('audio/mpeg', 'data:audio/mpeg;base64,c291bmQ='),
    file('application/pdf', 'https://example.org/a.pdf'),
  ];
  const body = await bodyOf({ messages: [{ role: 'user', content }] });
  expect(body.contents).toEqual([
    {
      role: 'user',
      parts: [
        { text: 'What is this?' },
        { inlineData: { mimeType: 'image/png', data: 'aW1hZ2U=' } },
        { inlineData: { mimeType: 'audio/mpeg', data: 'c291bmQ=' } },
        { fileData: { mimeType: 'application/pdf', fileUri: 'https://example.org/a.pdf' } },
      ],
    },
  ]);
});
