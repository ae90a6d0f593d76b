import { type AgentEvent, ask, defineTool, messageOf } from '@ai-agent/core';
import { fakePorts, scriptedModel } from '@ai-agent/core/testing';
import type { CreateMessageRequestParams } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { Calls } from '../src/mcp/calls.ts';
import { toSample } from '../src/mcp/sampling.ts';

const user = (text: string) => ({ role: 'user' as const, content: { type: 'text' as const, text } });
const assistant = (text: string) => ({ role: 'assistant' as const, content: { type: 'text' as const, text } });
const image = { type: 'image' as const, mimeType: 'image/png', data: 'AAAA' };

/** A tool that asks a model for each of these, one after the other, and tells what came of it. */
async function sampling(...requests: readonly CreateMessageRequestParams[]) {
  const calls = new Calls();
  const sample = toSample('oracle', calls);
  const told: unknown[] = [];
  const tool = defineTool({
    name: 'consult',
    inputSchema: { type: 'object' },
    execute: (_, context) =>
      calls.during(context, async () => {
        for (const params of requests)
          told.push(await sample(params, context.signal).catch((error: unknown) => messageOf(error)));
        return 'consulted';
      }),
  });
  const model = scriptedModel(({ tools, messages }) => {
    if (tools.length === 0) return 'an answer';
    return messages.length === 1 ? { calls: [{ name: 'consult' }] } : 'done';
  });
  const agent = { name: 'tester', instructions: 'Ask.', model, tools: [tool] };
  const events: AgentEvent[] = [];
  await ask(agent, 'go', { ports: fakePorts(), onEvent: (event) => events.push(event) });
  return { told, asked: model.requests.filter(({ tools }) => tools.length === 0), events };
}

test('messages of both sides are what was said before; the last one is the prompt, with its pictures', async () => {
  const { asked, told } = await sampling({
    messages: [user('one'), assistant('two'), { role: 'user', content: [{ type: 'text', text: 'three' }, image] }],
    maxTokens: 20,
    stopSequences: ['STOP'],
  });
  expect(told[0]).toMatchObject({ role: 'assistant', content: { type: 'text', text: 'an answer' } });
  expect(asked[0]).toMatchObject({ system: '', settings: { maxOutputTokens: 20, stopSequences: ['STOP'] } });
  expect(asked[0]?.messages).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'one' }] },
    { role: 'assistant', content: [{ type: 'text', text: 'two' }] },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'three' },
        { type: 'file', mediaType: 'image/png', data: 'AAAA' },
      ],
    },
  ]);
});

test('what cannot be done is refused with the reason, and costs nothing', async () => {
  const tools = [{ name: 'x', inputSchema: { type: 'object' as const } }];
  const { told, asked } = await sampling(
    { messages: [user('one')], maxTokens: 20, tools },
    { messages: [user('one'), assistant('two')], maxTokens: 20 },
    { messages: [], maxTokens: 20 },
  );
  expect(told).toEqual([
    'A request for a model with tools is not taken: leave tools out.',
    'The last message to a model must be the user’s.',
    'The last message to a model must be the user’s.',
  ]);
  expect(asked).toEqual([]);
});

test('one call does not have a model talk for ever', async () => {
  const { told, asked } = await sampling(
    ...Array.from({ length: 22 }, () => ({ messages: [user('on')], maxTokens: 5 })),
  );
  expect(asked).toHaveLength(20);
  expect(told.at(-1)).toBe('One call may ask a model 20 times, and has.');
});

test('outside of a call nobody is asked', async () => {
  const sample = toSample('oracle', new Calls());
  const asked = sample({ messages: [user('hello')], maxTokens: 5 }, new AbortController().signal);
  await expect(asked).rejects.toThrow('oracle may ask a model only while one of its tools is called.');
});
