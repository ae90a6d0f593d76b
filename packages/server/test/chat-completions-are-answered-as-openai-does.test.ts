// The promise: what an agent says is a chat completion with every field of OpenAI's reference, and reasoning is never part of the answer.

import { asTool, type JsonSchema, type ToolOffer } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { agentOf, call, lastResult, lookUp } from './contract/people.ts';
import { ask, openaiApp, requestsOf } from './support/openai-app.ts';

const city: JsonSchema = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};

const weather = { type: 'function', function: { name: 'weather', description: 'tells it', parameters: city } };

test('an answer: the whole object', async () => {
  const usage = { inputTokens: 100, outputTokens: 20, cacheReadTokens: 64, reasoningTokens: 7 };
  const teller = agentOf('teller', [{ text: 'Grüße, 世界 ✓', usage }]);
  const body = await openaiApp([teller]).complete(ask('teller'));
  expect(body).toMatchObject({
    id: expect.stringMatching(/^chatcmpl-./),
    created: 1_700_000_000,
    object: 'chat.completion',
    model: 'teller',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: 'Grüße, 世界 ✓', refusal: null, annotations: [] },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
    usage: {
      prompt_tokens: 100,
      completion_tokens: 20,
      total_tokens: 120,
      prompt_tokens_details: { cached_tokens: 64, audio_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 7 },
    },
    service_tier: 'default',
    system_fingerprint: null,
    ai_agent: { session_id: 's1', status: 'completed', usage: { modelCalls: 1, inputTokens: 100, outputTokens: 20 } },
  });
  expect(Object.keys(body.choices[0].message)).toEqual(['role', 'content', 'refusal', 'annotations']);
});

test('the headers say which session it is, as on every way in', async () => {
  const { app } = openaiApp([agentOf('teller', ['Yes.'])]);
  const { headers } = await app.request('/v1/chat/completions', {
    method: 'POST',
    body: JSON.stringify(ask('teller')),
  });
  expect(headers.get('content-type')).toMatch(/^application\/json/);
  expect([headers.get('x-request-id'), headers.get('x-ai-agent-session')]).toEqual(['s1', 's1']);
});

test('without tools of the client the usage is that of the whole tree', async () => {
  const child = agentOf('child', ['the child']);
  const lead = agentOf('lead', [call('child', { text: 'go' }), 'the lead'], { tools: [asTool(child) as ToolOffer] });
  const { usage, ai_agent: about } = await openaiApp([lead]).complete(ask('lead'));
  expect([usage.prompt_tokens, usage.completion_tokens, about.usage.modelCalls]).toEqual([30, 15, 3]);
});

test('reasoning has a field of its own', async () => {
  const thinker = agentOf('thinker', [{ reasoning: 'Hm, hm.', text: 'Forty-two.' }]);
  const { message } = (await openaiApp([thinker]).complete(ask('thinker'))).choices[0];
  expect(message).toMatchObject({ content: 'Forty-two.', reasoning_content: 'Hm, hm.' });
});

test('what goes on inside is told among the reasoning, where the request or the server wants it', async () => {
  const thoughts = async (showsActivity: boolean | undefined, more: object) => {
    const child = agentOf('child', ['the child']);
    const lead = agentOf('lead', [call('child', { text: 'go' }), 'the lead'], { tools: [asTool(child) as ToolOffer] });
    const app = openaiApp([lead], showsActivity === undefined ? {} : { openai: { showsActivity } });
    const { message } = (await app.complete({ ...ask('lead'), ...more })).choices[0];
    expect(message.content).toBe('the lead');
    return message.reasoning_content;
  };
  const yes = { ai_agent: { activity: true } };
  const no = { ai_agent: { activity: false } };
  expect(await thoughts(undefined, {})).toBeUndefined();
  expect(await thoughts(undefined, yes)).toContain('child');
  expect(await thoughts(true, {})).toContain('child');
  expect(await thoughts(true, no)).toBeUndefined();
});

test('a schema makes the answer JSON that keeps it', async () => {
  const talker = agentOf('talker', ({ output }) => (output.format === 'json' ? '{"city":"Delphi"}' : 'Delphi.'));
  const response_format = { type: 'json_schema', json_schema: { name: 'city', strict: true, schema: city } };
  const { message, finish_reason } = (await openaiApp([talker]).complete({ ...ask('talker'), response_format }))
    .choices[0];
  expect([JSON.parse(message.content), finish_reason]).toEqual([{ city: 'Delphi' }, 'stop']);
  expect(requestsOf(talker).at(-1)?.output).toMatchObject({ format: 'json', schema: city });
});

test('json_object is any object; an agent with a contract of its own keeps that', async () => {
  const response_format = { type: 'json_object' };
  const talker = agentOf('talker', ({ output }) => (output.format === 'json' ? '{"any":1}' : 'Any.'));
  const own = agentOf('own', ['{"city":"Thebes"}'], { output: { format: 'json', schema: city } });
  const app = openaiApp([talker, own]);
  const said = async (model: string) =>
    (await app.complete({ ...ask(model), response_format })).choices[0].message.content;
  expect(JSON.parse(await said('talker'))).toEqual({ any: 1 });
  expect(JSON.parse(await said('own'))).toEqual({ city: 'Thebes' });
  expect(requestsOf(talker).at(-1)?.output).toMatchObject({ format: 'json', schema: { type: 'object' } });
  expect(requestsOf(own)[0]?.output).toMatchObject({ schema: city });
});

test('text is what it is anyway', async () => {
  const talker = agentOf('talker', ['Delphi.']);
  const body = await openaiApp([talker]).complete({ ...ask('talker'), response_format: { type: 'text' } });
  expect(body.choices[0].message.content).toBe('Delphi.');
});

test('a call of a tool of the client ends it: content is null where nothing was said', async () => {
  const caller = agentOf('caller', () => ({
    calls: [
      { name: 'weather', input: { city: 'Delphi' } },
      { name: 'weather', input: { city: 'Thebes' } },
    ],
  }));
  const body = await openaiApp([caller]).complete({ ...ask('caller'), tools: [weather] });
  const { message, finish_reason } = body.choices[0];
  expect([message.content, finish_reason, body.ai_agent.status]).toEqual([null, 'tool_calls', 'needs_client_tools']);
  expect(message.tool_calls.map((one: { function: object }) => one.function)).toEqual([
    { name: 'weather', arguments: '{"city":"Delphi"}' },
    { name: 'weather', arguments: '{"city":"Thebes"}' },
  ]);
  const ids = message.tool_calls.map(({ id }: { id: string }) => id);
  expect(new Set(ids).size).toBe(2);
  for (const id of ids) expect(id).toMatch(/^call_./);
});

test('its results go on with it: the session is the same, the reply another', async () => {
  const caller = agentOf('caller', (request) =>
    lastResult(request) === 'Sunny.' ? 'It is sunny.' : { calls: [{ name: 'weather', input: { city: 'Delphi' } }] },
  );
  const app = openaiApp([caller]);
  const asked = { ...ask('caller'), tools: [weather] };
  const first = await app.complete(asked);
  const { message } = first.choices[0];
  const result = { role: 'tool', tool_call_id: message.tool_calls[0].id, content: 'Sunny.' };
  const second = await app.complete({ ...asked, messages: [...asked.messages, message, result] });
  expect(second.choices[0].message.content).toBe('It is sunny.');
  expect(second.ai_agent.session_id).toBe(first.ai_agent.session_id);
  // Some clients take two messages of one id for the same, and forget the first.
  expect(second.id).not.toBe(first.id);
});

test('what was said before a call is its content', async () => {
  const caller = agentOf('caller', [{ text: 'I will look.', calls: [{ name: 'weather', input: { city: 'Delphi' } }] }]);
  const body = await openaiApp([caller]).complete({ ...ask('caller'), tools: [weather] });
  expect(body.choices[0].message).toMatchObject({ content: 'I will look.', tool_calls: [{ type: 'function' }] });
});

test('a custom tool takes text: to the model it is a function with one field', async () => {
  const grammar = { type: 'grammar', grammar: { syntax: 'lark', definition: 'start: "ls"' } };
  const shell = { type: 'custom', custom: { name: 'shell', description: 'runs it', format: grammar } };
  const caller = agentOf('caller', [{ calls: [{ name: 'shell', input: { input: 'ls -l "a"' } }] }]);
  const body = await openaiApp([caller]).complete({ ...ask('caller'), tools: [shell, weather] });
  expect(body.choices[0].message.tool_calls).toEqual([
    { id: expect.stringMatching(/^call_./), type: 'custom', custom: { name: 'shell', input: 'ls -l "a"' } },
  ]);
  const offered = requestsOf(caller)[0]?.tools.find(({ name }) => name === 'shell');
  expect(offered).toMatchObject({ description: 'runs it', inputSchema: { required: ['input'] } });
  expect(JSON.stringify(offered?.inputSchema)).toContain('start: ');
});

test('clients that know one function call only get one', async () => {
  const caller = agentOf('caller', [{ calls: [{ name: 'weather', input: { city: 'Delphi' } }] }]);
  const functions = [weather.function];
  const { message, finish_reason } = (await openaiApp([caller]).complete({ ...ask('caller'), functions })).choices[0];
  expect(message).toMatchObject({ content: null, function_call: { name: 'weather', arguments: '{"city":"Delphi"}' } });
  expect([finish_reason, message.tool_calls]).toEqual(['function_call', undefined]);
});

test('a reply that was cut is told by length, any other limit beside it', async () => {
  const cut = agentOf('cut', () => ({ text: 'And then', finishReason: 'length' }));
  const tireless = agentOf('tireless', (_request, turn) => (turn < 2 ? call('look_up', {}) : 'As far as I got.'), {
    tools: [lookUp],
    limits: { maxTurns: 2 },
  });
  const app = openaiApp([cut, tireless]);
  expect((await app.complete(ask('cut'))).choices[0]).toMatchObject({ finish_reason: 'length' });
  const limited = await app.complete(ask('tireless'));
  expect(limited.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: 'As far as I got.' } });
  expect(limited.ai_agent).toMatchObject({ status: 'partial', limit: 'maxTurns' });
});

test('a question is something that the assistant says', async () => {
  const curious = agentOf('curious', [call('ask_user', { question: 'Which year?', reason: undefined })], {
    ask: 'person',
  });
  const body = await openaiApp([curious]).complete(ask('curious'));
  expect(body.choices[0]).toMatchObject({
    finish_reason: 'stop',
    message: { content: expect.stringContaining('Which year?') },
  });
  expect(body.ai_agent.status).toBe('needs_user_input');
});

test('what clients send beside it is borne', async () => {
  const teller = agentOf('teller', ['Yes.']);
  const more = {
    temperature: 3,
    top_p: 0.1,
    max_tokens: 1,
    max_completion_tokens: 1,
    stop: ['Yes'],
    seed: 1,
    n: 1,
    reasoning_effort: 'xhigh',
    verbosity: 'low',
    logit_bias: {},
    parallel_tool_calls: false,
    prompt_cache_key: 'a',
    safety_identifier: 'b',
    store: true,
    metadata: { a: 'b' },
    user: 'c',
    client_metadata: { d: 1 },
    include: ['x'],
    service_tier: 'flex',
    modalities: ['text'],
    response_format: null,
    stream: null,
    stream_options: null,
    tools: [{ type: 'web_search' }, { type: 'namespace', name: 'x', tools: [] }, { type: 'mcp', server_label: 'y' }],
    tool_choice: 'auto',
    web_search_options: {},
    unheard_of: true,
  };
  const body = await openaiApp([teller]).complete({ ...ask('teller'), ...more });
  expect(body.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: 'Yes.' } });
  expect(requestsOf(teller)[0]?.tools.map(({ name }) => name)).not.toContain('web_search');
});
