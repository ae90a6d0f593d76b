// The official clients of OpenAI and Anthropic accept replies that name incomplete children, and hand the extension field on.

import { asTool, type ToolOffer } from '@ai-agent/core';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { expect, test } from 'vitest';
import { agentOf, call, lastResult } from '../contract/people.ts';
import { serve } from './served.ts';

const broken = agentOf('broken', () => ({ fail: { code: 'model-auth' } }), { limits: { maxRetries: 1 } });
const lead = agentOf('lead', (request) => (lastResult(request) ? 'The answer.' : call('broken', { text: 'go' })), {
  tools: [asTool(broken) as ToolOffer],
});
const house = await serve([lead]);

const openai = () => new OpenAI({ apiKey: 'any', baseURL: `${house.url}/v1` });
const messages = [{ role: 'user' as const, content: 'Go.' }];

function pathsIn(reply: unknown): readonly string[] {
  const { ai_agent: about } = reply as { ai_agent?: { incomplete?: readonly { path: string }[] } };
  return about?.incomplete?.map(({ path }) => path) ?? [];
}

test('chat completions', async () => {
  const reply = await openai().chat.completions.create({ model: 'lead', messages });
  expect([reply.choices[0]?.message.content, pathsIn(reply)]).toEqual(['The answer.', ['lead:broken']]);
  const stream = openai().chat.completions.stream({ model: 'lead', messages });
  const paths: string[] = [];
  for await (const chunk of stream) paths.push(...pathsIn(chunk));
  expect([await stream.finalContent(), paths]).toEqual(['The answer.', ['lead:broken']]);
});

test('responses', async () => {
  const asked = { model: 'lead', input: 'Go.' };
  const reply = await openai().responses.create(asked);
  expect([reply.output_text, pathsIn(reply)]).toEqual(['The answer.', ['lead:broken']]);
  const streamed = await openai().responses.stream(asked).finalResponse();
  expect([streamed.output_text, pathsIn(streamed)]).toEqual(['The answer.', ['lead:broken']]);
});

test('messages', async () => {
  const client = new Anthropic({ apiKey: 'any', baseURL: house.url });
  const asked = { model: 'lead', max_tokens: 100, messages };
  const reply = await client.messages.create(asked);
  expect([reply.content, pathsIn(reply)]).toMatchObject([[{ text: 'The answer.' }], ['lead:broken']]);
  const paths: string[] = [];
  const stream = client.messages.stream(asked).on('streamEvent', (event) => paths.push(...pathsIn(event)));
  expect([await stream.finalText(), paths]).toEqual(['The answer.', ['lead:broken']]);
});
