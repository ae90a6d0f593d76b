// The promise: an agent answers a request for a message with a message of Anthropic's API, field by field.

import { asTool, type ModelRequest, type ToolOffer } from '@ai-agent/core';
import { describe, expect, test } from 'vitest';
import { agentOf, call, lastResult, lookUp } from './contract/people.ts';
import { anthropicApp } from './support/anthropic-app.ts';

const asks = { messages: [{ role: 'user', content: 'Hello?' }] };
const weather = { name: 'weather', description: 'tells the weather', input_schema: { type: 'object' } };

test('a whole message, with every field that the API has', async () => {
  const usage = { inputTokens: 100, outputTokens: 20, cacheReadTokens: 60, cacheWriteTokens: 30, reasoningTokens: 7 };
  const app = anthropicApp([agentOf('teller', [{ text: 'Hi there.', reasoning: 'They greet me.', usage }])]);
  const message = await app.message({ ...asks, thinking: { type: 'adaptive' } });
  expect(message).toEqual({
    id: expect.stringMatching(/^msg_/),
    type: 'message',
    role: 'assistant',
    model: 'teller',
    content: [
      { type: 'thinking', thinking: 'They greet me.', signature: expect.any(String) },
      { type: 'text', text: 'Hi there.', citations: null },
    ],
    container: null,
    context_management: null,
    diagnostics: null,
    stop_details: null,
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: {
      // Without what came from a cache or went to one.
      input_tokens: 10,
      cache_creation_input_tokens: 30,
      cache_read_input_tokens: 60,
      cache_creation: { ephemeral_5m_input_tokens: 30, ephemeral_1h_input_tokens: 0 },
      output_tokens: 20,
      output_tokens_details: { thinking_tokens: 7 },
      server_tool_use: null,
      service_tier: 'standard',
      inference_geo: null,
      speed: 'standard',
      iterations: null,
      fallback_credit: null,
    },
    ai_agent: {
      session_id: 's1',
      status: 'completed',
      usage: expect.objectContaining({ inputTokens: 100, outputTokens: 20, modelCalls: 1 }),
    },
  });
});

test('the headers name the session, and every reply has an id of its own', async () => {
  const app = anthropicApp([agentOf('teller', ['One.', 'Two.'])]);
  const response = await app.post(asks);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'request-id': 's1',
    'x-ai-agent-session': 's1',
    'x-ai-agent-call-path': 'teller',
  });
  const first = (await response.json()) as { id: string };
  expect((await app.message(asks)).id).not.toBe(first.id);
});

describe('thinking', () => {
  const app = () => anthropicApp([agentOf('teller', [{ text: 'Hi.', reasoning: 'Hm.' }])]);
  const kinds = async (more: object) =>
    (await app().message({ ...asks, ...more })).content.map(({ type }: { type: string }) => type);

  test('is shown unless the client does not want it', async () => {
    expect(await kinds({ thinking: { type: 'enabled', budget_tokens: 2_000 } })).toEqual(['thinking', 'text']);
    expect(await kinds({ thinking: { type: 'adaptive', display: 'summarized' } })).toEqual(['thinking', 'text']);
    expect(await kinds({ thinking: { type: 'disabled' } })).toEqual(['text']);
    expect(await kinds({ thinking: { type: 'adaptive', display: 'omitted' } })).toEqual(['text']);
  });

  test('what goes on inside is among it where the client asks for that', async () => {
    const lead = () =>
      agentOf('lead', (request) => (lastResult(request) ? 'Done.' : call('look_up', {})), { tools: [lookUp] });
    const shown = await anthropicApp([lead()]).message({ ...asks, ai_agent: { activity: true } });
    expect(shown.content[0].thinking).toContain('look_up');
    expect((await anthropicApp([lead()]).message(asks)).content).toHaveLength(1);
    const house = anthropicApp([lead()], { headend: { showsActivity: true } });
    expect((await house.message(asks)).content[0].type).toBe('thinking');
    const not = anthropicApp([lead()], { headend: { showsActivity: true } });
    expect((await not.message({ ...asks, ai_agent: { activity: false } })).content).toHaveLength(1);
  });
});

describe('why it ended', () => {
  test('a reply that was cut is max_tokens', async () => {
    const app = anthropicApp([agentOf('teller', [{ text: 'It is', finishReason: 'length' }])]);
    const message = await app.message(asks);
    expect(message).toMatchObject({ stop_reason: 'max_tokens', ai_agent: { status: 'partial' } });
    expect(message.content.at(-1).text).toBe('It is');
  });

  test('another limit is the end of a turn, and is named beside it', async () => {
    const script = ({ tools }: ModelRequest) => (tools.length === 0 ? 'Enough.' : call('look_up', {}));
    const app = anthropicApp([agentOf('busy', script, { tools: [lookUp], limits: { maxTurns: 2 } })]);
    const message = await app.message(asks);
    expect(message).toMatchObject({ stop_reason: 'end_turn', ai_agent: { status: 'partial', limit: 'maxTurns' } });
  });
});

describe('tools of the client', () => {
  const forTool = (request: ModelRequest) => {
    const came = lastResult(request);
    return came === undefined
      ? { text: 'I look.', calls: [{ name: 'weather', input: { city: 'Athens' } }] }
      : `It is ${came}.`;
  };

  test('a call ends the message, and its result in the next request goes on with the session', async () => {
    const app = anthropicApp([agentOf('teller', forTool)]);
    const first = await app.message({ ...asks, tools: [weather] });
    expect(first).toMatchObject({ stop_reason: 'tool_use', ai_agent: { status: 'needs_client_tools' } });
    const [said, use] = first.content;
    expect(said.text).toBe('I look.');
    expect(use).toEqual({
      type: 'tool_use',
      id: expect.stringMatching(/^toolu_/),
      name: 'weather',
      input: { city: 'Athens' },
      caller: { type: 'direct' },
    });
    const result = { type: 'tool_result', tool_use_id: use.id, content: [{ type: 'text', text: 'sunny' }] };
    const second = await app.message({
      tools: [weather],
      messages: [...asks.messages, { role: 'assistant', content: first.content }, { role: 'user', content: [result] }],
    });
    expect(second).toMatchObject({ stop_reason: 'end_turn', ai_agent: { session_id: first.ai_agent.session_id } });
    expect(second.content[0].text).toBe('It is sunny.');
    expect(second.id).not.toBe(first.id);
  });

  test('a server that has lost the session replays the conversation', async () => {
    const first = await anthropicApp([agentOf('teller', forTool)]).message({ ...asks, tools: [weather] });
    const id = first.content[1].id;
    const again = await anthropicApp([agentOf('teller', forTool)]).message({
      tools: [weather],
      messages: [
        ...asks.messages,
        { role: 'assistant', content: first.content },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'cold' }] },
      ],
    });
    expect(again.content[0].text).toBe('It is cold.');
  });

  test('usage is that of the last call, and of the whole tree beside it', async () => {
    const child = agentOf('child', () => 'Below.');
    const lead = agentOf('lead', (request) => (lastResult(request) ? 'Done.' : call('child', { text: 'go' })), {
      tools: [asTool(child) as ToolOffer],
    });
    const without = await anthropicApp([lead]).message(asks);
    expect(without.usage).toMatchObject({ input_tokens: 30, output_tokens: 15 });
    const withTools = await anthropicApp([lead]).message({ ...asks, tools: [weather] });
    expect(withTools.usage).toMatchObject({ input_tokens: 10, output_tokens: 5 });
    expect(withTools.ai_agent.usage).toMatchObject({ inputTokens: 30, outputTokens: 15 });
  });
});

test('a JSON Schema in output_config makes the text JSON of that form', async () => {
  const schema = {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
    additionalProperties: false,
  };
  for (const wish of [
    { output_config: { format: { type: 'json_schema', schema }, effort: 'low' } },
    { output_format: { type: 'json_schema', schema } },
  ]) {
    const app = anthropicApp([agentOf('teller', ['It is Athens.', '{"city":"Athens"}', '{"city":"Athens"}'])]);
    const message = await app.message({ ...asks, ...wish });
    expect(JSON.parse(message.content.at(-1).text)).toEqual({ city: 'Athens' });
  }
});

test('a question is a message, and the next of the user answers it', async () => {
  const ask = { name: 'ask_user', input: { question: 'Which city?', choices: ['Athens', 'Rome'] } };
  const script = (request: ModelRequest) => {
    const came = lastResult(request);
    return came === undefined ? { calls: [ask] } : `For ${came}.`;
  };
  const app = anthropicApp([agentOf('curious', script, { ask: 'person' })]);
  const first = await app.message(asks);
  expect(first).toMatchObject({ stop_reason: 'end_turn', ai_agent: { status: 'needs_user_input' } });
  expect(first.content.at(-1).text).toMatch(/Which city\?.*Athens.*Rome/s);
  const second = await app.message({
    messages: [
      ...asks.messages,
      { role: 'assistant', content: first.content },
      { role: 'user', content: [{ type: 'text', text: 'Athens' }] },
    ],
  });
  expect(second.ai_agent.session_id).toBe(first.ai_agent.session_id);
  expect(second.content.at(-1).text).toContain('Athens');
});
