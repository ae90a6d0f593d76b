// The promise: what a client sends, and what a model writes for its tools, comes as it is, also where it looks like a failure of ours.

import { expect, test } from 'vitest';
import { agentOf } from './contract/people.ts';
import { anthropicApp } from './support/anthropic-app.ts';
import { responsesApp } from './support/responses-app.ts';
import { restApp } from './support/rest-app.ts';

const likeAFailure = { class: 'network', code: 'x', message: 'See /home/ann/a.txt.', remedy: 'none', retryable: true };
const halfOfOne = { class: 'model', code: 'x', remedy: 'none', retryable: true };

test.each([likeAFailure, halfOfOne])('metadata that a response echoes', async (metadata) => {
  const { request } = responsesApp([agentOf('teller', () => 'Told.')]);
  const reply = await request('POST', '/v1/responses', { body: { model: 'teller', input: 'Go.', metadata } });
  expect([reply.status, await reply.json()]).toMatchObject([200, { metadata }]);
});

test('a schema with such properties', async () => {
  const { respond } = responsesApp([agentOf('teller', () => 'Told.')]);
  const text = { type: 'string' };
  const properties = { class: text, code: text, message: text, remedy: text, retryable: { type: 'boolean' } };
  const tools = [{ type: 'function', name: 'report', parameters: { type: 'object', properties } }];
  expect((await respond({ model: 'teller', input: 'Go.', tools })).tools).toMatchObject(tools);
});

test.each([likeAFailure, halfOfOne])('arguments of a call', async (input) => {
  const { message } = anthropicApp([agentOf('teller', () => ({ calls: [{ name: 'report', input }] }))]);
  const tools = [{ name: 'report', input_schema: { type: 'object' } }];
  const { content } = await message({ messages: [{ role: 'user', content: 'Go.' }], tools });
  expect(content).toMatchObject([{ type: 'tool_use', input }]);
});

test('a report', async () => {
  const agent = agentOf('teller', () => JSON.stringify(halfOfOne), {
    output: { format: 'json', schema: { type: 'object' } },
  });
  const { app } = restApp([agent]);
  const response = await app.request('/v1/teller?q=Go', { headers: { accept: 'application/vnd.ai-agent+json' } });
  expect([response.status, await response.json()]).toMatchObject([200, { report: halfOfOne }]);
});
