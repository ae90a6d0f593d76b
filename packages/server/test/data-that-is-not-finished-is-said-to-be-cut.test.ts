// A client that gets a part of the data it asked for, or no text at all, because a limit ended the run, is told by every API that it was cut.

import type { ModelRequest } from '@ai-agent/core';
import type { Step } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { agentOf, call, lookUp } from './contract/people.ts';
import { anthropicApp } from './support/anthropic-app.ts';
import { openaiApp } from './support/openai-app.ts';
import { responsesApp } from './support/responses-app.ts';

const schema = {
  type: 'object',
  properties: { ok: { type: 'boolean' } },
  required: ['ok'],
  additionalProperties: false,
};

const tireless = () =>
  agentOf('tireless', (_request, turn) => (turn < 2 ? call('look_up', {}) : 'Not JSON at all.'), {
    tools: [lookUp],
    limits: { maxTurns: 2 },
  });

const messages = [{ role: 'user', content: 'Go.' }];
const format = { type: 'json_schema', schema, name: 'answer' };

test('chat completions', async () => {
  const response_format = { type: 'json_schema', json_schema: { name: 'answer', schema } };
  const body = await openaiApp([tireless()]).complete({ model: 'tireless', messages, response_format });
  expect([body.choices[0].finish_reason, body.ai_agent.limit]).toEqual(['length', 'maxTurns']);
});

test('responses', async () => {
  const body = await responsesApp([tireless()]).respond({ model: 'tireless', input: 'Go.', text: { format } });
  expect([body.status, body.incomplete_details]).toEqual(['incomplete', { reason: 'max_output_tokens' }]);
  expect(body.ai_agent.limit).toBe('maxTurns');
});

test('messages', async () => {
  const app = anthropicApp([tireless()]);
  const response = await app.post({ model: 'tireless', max_tokens: 9, messages, output_config: { format } });
  const body = JSON.parse(await response.text());
  expect([body.stop_reason, body.ai_agent.limit]).toEqual(['max_tokens', 'maxTurns']);
});

test('a reply without any text, because of a limit', async () => {
  const silent = agentOf('silent', ({ tools }) => (tools.length > 0 ? call('look_up', {}) : ' '), {
    tools: [lookUp],
    limits: { maxTurns: 2 },
  });
  const chat = await openaiApp([silent]).complete({ model: 'silent', messages });
  expect([chat.choices[0].finish_reason, chat.ai_agent.limit]).toEqual(['length', 'maxTurns']);
  const response = await responsesApp([silent]).respond({ model: 'silent', input: 'Go.' });
  expect(response.status).toBe('incomplete');
  const message = await anthropicApp([silent]).post({ model: 'silent', max_tokens: 9, messages });
  expect(JSON.parse(await message.text()).stop_reason).toBe('max_tokens');
});

test('a text that a budget of tokens cut short', async () => {
  const toTheEnd = ({ settings }: ModelRequest): Step => ({
    text: 'The first half of',
    finishReason: 'length',
    usage: { inputTokens: 20, outputTokens: settings.maxOutputTokens ?? 0 },
  });
  const brief = agentOf('brief', toTheEnd, { budget: { tokens: 2_000 } });
  const chat = await openaiApp([brief]).complete({ model: 'brief', messages });
  expect([chat.choices[0].finish_reason, chat.ai_agent.limit]).toEqual(['length', 'tokens']);
});
