// Levels that stream, the older name of a map of levels, and words for many formats: each has its effect on the wire.

import type { ModelSettings } from '@ai-agent/core';
import type { ProviderConfig } from '@ai-agent/models';
import { expect, test } from 'vitest';
import { contextOf, requestOf } from './support/calling.ts';
import { chat } from './support/wires/chat.ts';
import { serveWire } from './support/wires/serve-wire.ts';

async function bodyOf(config: Partial<ProviderConfig>, settings: ModelSettings, inputSchema: object = {}) {
  const { model, requests } = await serveWire(chat, [{ text: 'done' }], { config });
  const tools = [{ name: 'look', description: 'looks', inputSchema: { type: 'object', ...inputSchema } }];
  await model.call(requestOf({ settings, tools }), contextOf());
  return requests[0]?.body as Record<string, unknown> & { tools: { function: { parameters: object } }[] };
}

test.each([
  ['low', undefined],
  ['medium', true],
  ['high', true],
] as const)('from medium on it streams, with %s: %s', async (reasoning, stream) => {
  expect((await bodyOf({ reasoningAutoStreamLevel: 'medium' }, { reasoning })).stream).toBe(stream);
});

test('the map of levels by its older name', async () => {
  const config = { reasoningValue: ['tiny', 'small', 'middle', 'large'] };
  expect((await bodyOf(config, { reasoning: 'low' })).reasoning_effort).toBe('small');
  expect((await bodyOf({ ...config, reasoning: 'own' }, { reasoning: 'low' })).reasoning_effort).toBe('own');
});

const properties = {
  at: { type: 'string', format: 'uri' },
  odd: { type: 'string', format: 'x-odd' },
  format: { type: 'string', default: { format: 'uri' } },
};

test.each<[string, Partial<ProviderConfig>, readonly (string | undefined)[]]>([
  ['all of them', {}, ['uri', 'x-odd']],
  ['none', { stringSchemaFormatsDenied: '*' }, [undefined, undefined]],
  ['none, in another word', { stringSchemaFormatsDenied: ['any'] }, [undefined, undefined]],
  ['the usual few', { stringSchemaFormatsAllowed: 'guidance' }, ['uri', undefined]],
  ['all but the usual few', { stringSchemaFormatsDenied: 'guidance' }, [undefined, 'x-odd']],
  ['those that are named', { stringSchemaFormatsAllowed: 'x-odd, date' }, [undefined, 'x-odd']],
  [
    'denied goes before allowed',
    { stringSchemaFormatsAllowed: '*', stringSchemaFormatsDenied: 'uri' },
    [undefined, 'x-odd'],
  ],
])('formats that are sent: %s', async (_, config, [at, odd]) => {
  const { tools } = await bodyOf(config, {}, { properties });
  const sent = tools[0]?.function.parameters as { properties: Record<string, { format?: string; default?: object }> };
  expect([sent.properties.at?.format, sent.properties.odd?.format]).toEqual([at, odd]);
  // A property may be called so, and data may have one.
  expect(sent.properties.format).toEqual(properties.format);
});
