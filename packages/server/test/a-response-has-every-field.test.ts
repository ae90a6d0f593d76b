// The promise: a response is complete, every field of the public references is there, and what was sent is said again.

import { FakeClock, fakePorts } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { agentOf } from './contract/people.ts';
import { responsesApp } from './support/responses-app.ts';

const weather = {
  type: 'function',
  name: 'weather',
  description: 'tells the weather',
  parameters: { type: 'object', properties: { city: { type: 'string' } } },
  strict: true,
};

test('with nothing but what must be sent, everything else is as the API has it by default', async () => {
  const clock = new FakeClock(1_700_000_000_900);
  const { respond } = responsesApp([agentOf('teller', ['Hello.'])], { ports: { ...fakePorts(), clock } });
  const { ai_agent: about, id, output, ...response } = await respond({ model: 'teller', input: 'Go.' });
  expect(id).toMatch(/^resp_/);
  expect(output).toEqual([
    {
      id: expect.stringMatching(/^msg_/),
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'Hello.', annotations: [], logprobs: [] }],
    },
  ]);
  expect(about).toMatchObject({ session_id: expect.any(String), status: 'completed', usage: { modelCalls: 1 } });
  expect(response).toEqual({
    object: 'response',
    created_at: 1_700_000_000,
    completed_at: 1_700_000_000,
    status: 'completed',
    error: null,
    incomplete_details: null,
    usage: {
      input_tokens: 10,
      input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
      output_tokens: 5,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 15,
    },
    access_programs: null,
    background: false,
    conversation: null,
    frequency_penalty: 0,
    image: { context_compression: 'disabled' },
    instructions: null,
    max_output_tokens: null,
    max_tool_calls: null,
    metadata: {},
    model: 'teller',
    moderation: null,
    parallel_tool_calls: true,
    presence_penalty: 0,
    previous_response_id: null,
    prompt: null,
    prompt_cache_diagnostics: { type: 'unavailable' },
    prompt_cache_key: null,
    prompt_cache_options: { mode: 'implicit', ttl: '30m' },
    prompt_cache_retention: null,
    reasoning: { effort: null, summary: null },
    safety_identifier: null,
    service_tier: 'default',
    store: true,
    temperature: 1,
    text: { format: { type: 'text' }, verbosity: 'medium' },
    tool_choice: 'auto',
    tool_usage: expect.objectContaining({ web_search: { num_requests: 0 } }),
    tools: [],
    top_logprobs: 0,
    top_p: 1,
    truncation: 'disabled',
    user: null,
  });
});

test('what was sent is said again, whether anybody here heeds it or not', async () => {
  const { respond } = responsesApp([agentOf('teller', ['Hello.'])]);
  const sent = {
    frequency_penalty: 0.5,
    instructions: 'Be brief.',
    max_output_tokens: 500,
    max_tool_calls: 3,
    metadata: { ticket: '12' },
    model: 'teller',
    parallel_tool_calls: false,
    presence_penalty: 0.25,
    prompt_cache_key: 'mine',
    prompt_cache_retention: '24h',
    reasoning: { effort: 'high', summary: 'auto' },
    safety_identifier: 'somebody',
    store: false,
    temperature: 0.1,
    text: { format: { type: 'text' }, verbosity: 'low' },
    tool_choice: { type: 'function', name: 'weather' },
    tools: [weather, { type: 'web_search', search_context_size: 'low' }],
    top_logprobs: 2,
    top_p: 0.5,
    truncation: 'auto',
    user: 'u1',
  };
  expect(await respond({ ...sent, input: 'Go.', service_tier: 'priority' })).toMatchObject(sent);
});

test('a tool, a choice and a format that leave something out are said with null, or as they are by default', async () => {
  const agent = agentOf('teller', [{ text: '{"n":1}' }]);
  const { respond } = responsesApp([agent]);
  const schema = { type: 'object', properties: { n: { type: 'number' } } };
  const response = await respond({
    model: 'teller',
    input: 'Go.',
    tools: [{ type: 'function', name: 'weather' }],
    tool_choice: { type: 'allowed_tools', tools: [{ type: 'function', name: 'weather' }] },
    text: { format: { type: 'json_schema', name: 'count', schema } },
  });
  expect(response).toMatchObject({
    tools: [{ type: 'function', name: 'weather', description: null, parameters: null, strict: null }],
    tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'weather' }] },
    text: { format: { type: 'json_schema', name: 'count', schema, description: null, strict: false } },
    output: [{ type: 'message', content: [{ text: '{"n":1}' }] }],
  });
});

test('what was thought comes first, and is no part of the message', async () => {
  const { respond } = responsesApp([agentOf('teller', [{ text: 'Yes.', reasoning: 'Hm.' }])]);
  const { output } = await respond({ model: 'teller', input: 'Go.' });
  expect(output).toMatchObject([
    { type: 'reasoning', status: 'completed', summary: [{ type: 'summary_text', text: 'Hm.' }] },
    { type: 'message', content: [{ text: 'Yes.' }] },
  ]);
});

test('what was cut off is incomplete, and says why', async () => {
  const { respond } = responsesApp([agentOf('teller', [{ text: 'Half of', finishReason: 'length' }])]);
  expect(await respond({ model: 'teller', input: 'Go.' })).toMatchObject({
    status: 'incomplete',
    completed_at: null,
    incomplete_details: { reason: 'max_output_tokens' },
    output: [{ type: 'message', status: 'incomplete', content: [{ text: 'Half of' }] }],
    ai_agent: { status: 'partial', limit: 'maxOutputTokens' },
  });
});

test('calls of the client are items of their own, after what was said before them', async () => {
  const calls = [
    { name: 'weather', input: { city: 'Rome' } },
    { name: 'weather', input: { city: 'Oslo' } },
  ];
  const { respond } = responsesApp([agentOf('teller', [{ text: 'I look.', calls }])]);
  const { output, status, usage, ai_agent: about } = await respond({ model: 'teller', input: 'Go.', tools: [weather] });
  expect([status, about.status]).toEqual(['completed', 'needs_client_tools']);
  expect(usage).toMatchObject({ input_tokens: 10, output_tokens: 5 });
  expect(output).toMatchObject([
    { type: 'message', status: 'completed', content: [{ text: 'I look.' }] },
    { type: 'function_call', name: 'weather', arguments: '{"city":"Rome"}', status: 'completed' },
    { type: 'function_call', name: 'weather', arguments: '{"city":"Oslo"}', status: 'completed' },
  ]);
  const ids = output.flatMap((item: { id: string; call_id?: string }) => [item.id, item.call_id ?? []].flat());
  expect(new Set(ids).size).toBe(5);
});
