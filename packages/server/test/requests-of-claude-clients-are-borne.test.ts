// The promise: what clients of Anthropic's API send is understood, or borne; what the API itself would refuse is refused.

import type { Message, ModelRequest } from '@ai-agent/core';
import type { ScriptedModel } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { agentOf } from './contract/people.ts';
import { anthropicApp, type Read, version } from './support/anthropic-app.ts';
import { shapeFaults } from './support/anthropic-schemas.ts';

type Body = Readonly<Record<string, unknown>>;

/** What the model of the agent was asked. */
async function heard(body: Body): Promise<ModelRequest> {
  const agent = agentOf('teller', ['Hi.']);
  await anthropicApp([agent]).message(body);
  const [request] = (agent.model as ScriptedModel).requests;
  if (!request) throw new TypeError('Its model was not asked.');
  return request;
}

/** The conversation of it. */
async function said(body: Body): Promise<readonly Message[]> {
  return (await heard(body)).messages;
}

const user = (content: unknown) => ({ role: 'user', content });
const assistant = (content: unknown) => ({ role: 'assistant', content });
const use = (id: string, input: unknown = {}) => ({ type: 'tool_use', id, name: 'weather', input });
const result = (id: string, more: object = {}) => ({ type: 'tool_result', tool_use_id: id, ...more });
const weather = { name: 'weather', description: 'tells the weather', input_schema: { type: 'object' } };
const asks = { messages: [user('Hello?')] };

describe('what is said', () => {
  test('a text and blocks of text are the same words', async () => {
    const blocks = [
      { type: 'text', text: 'One.', cache_control: { type: 'ephemeral', ttl: '1h' } },
      { type: 'text', text: 'Two.', citations: null },
    ];
    const [message] = await said({ messages: [user(blocks)] });
    expect(message).toEqual({ role: 'user', content: [{ type: 'text', text: 'One.\n\nTwo.' }] });
  });

  test('a conversation stays one, turn by turn', async () => {
    const messages = await said({
      messages: [user('a'), assistant([{ type: 'text', text: 'b' }]), user([{ type: 'text', text: 'c' }])],
    });
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(messages[1]).toEqual({ role: 'assistant', content: [{ type: 'text', text: 'b' }] });
  });

  test('messages of one role that follow each other are one turn', async () => {
    const messages = await said({ messages: [user('a'), user('b'), assistant('c'), assistant('d'), user('e')] });
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(messages[0]).toMatchObject({ content: [{ text: 'a' }, { text: 'b' }] });
    expect(messages[1]).toMatchObject({ content: [{ text: 'c' }, { text: 'd' }] });
  });

  test('what was thought, and tools of other servers, are left out', async () => {
    const content = [
      { type: 'thinking', thinking: 'Hm.', signature: 'abc' },
      { type: 'redacted_thinking', data: 'abc' },
      { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'x' } },
      { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
      { type: 'mcp_tool_use', id: 'mcptoolu_1', name: 'x', server_name: 'y', input: {} },
      { type: 'mcp_tool_result', tool_use_id: 'mcptoolu_1', is_error: false, content: [] },
      { type: 'container_upload', file_id: 'file_1' },
      { type: 'compaction', content: 'so far' },
      { type: 'of_tomorrow' },
      { type: '__proto__' },
      { type: 'text', text: 'Said.' },
    ];
    const messages = await said({ messages: [user('a'), assistant(content), user('b')] });
    expect(messages[1]).toEqual({ role: 'assistant', content: [{ type: 'text', text: 'Said.' }] });
  });

  test('a message of the assistant without anything is left out', async () => {
    const messages = await said({
      messages: [user('a'), assistant([{ type: 'thinking', thinking: 'Hm.', signature: '' }]), user('b')],
    });
    expect(messages).toEqual([{ role: 'user', content: [{ type: 'text', text: 'a\n\nb' }] }]);
  });
});

describe('what the system says', () => {
  const wordsOf = async (body: Body) => {
    const { system, messages } = await heard(body);
    const words = messages.map((message) => ('text' in message ? [message.text] : message.content.map(textOf)));
    return [system, ...words.map((each) => each.join('|'))];
  };
  const textOf = (part: object) => ('text' in part ? part.text : '');

  test('the words of the agent first, then those of the client, from wherever they come', async () => {
    const system = [
      { type: 'text', text: 'x-anthropic-billing-header: cc_version=2.1.0; cch=1a2b3;' },
      { type: 'text', text: 'You are a client.', cache_control: { type: 'ephemeral' } },
      { type: 'text', text: 'Be short.', cache_control: { type: 'ephemeral', scope: 'global' } },
    ];
    const [own = ''] = await wordsOf({ system, messages: [{ role: 'system', content: 'Be kind.' }, user('a')] });
    expect(own).toMatch(/^You are teller\./);
    expect(own).toContain('You are a client.\n\nBe short.\n\nBe kind.');
    expect(own).not.toContain('billing');
    expect((await wordsOf({ ...asks, system: 'Be brief.' }))[0]).toMatch(/^You are teller\..*Be brief\./s);
  });

  test('until the model has spoken it is for the whole, and later it is said in its place', async () => {
    const note = { role: 'system', content: [{ type: 'text', text: 'It is late.' }] };
    const directive = { role: 'system', content: [], output_config: { effort: 'low' } };
    const words = await wordsOf({ messages: [user('a'), directive, note, assistant('b'), user('c'), note] });
    expect(words.slice(1)).toEqual(['a', 'b', 'c\n\nIt is late.']);
    expect(words[0]?.endsWith('It is late.')).toBe(true);
  });
});

describe('pictures and documents', () => {
  const image = (source: object) => ({ type: 'image', source });
  const document = (source: object, more: object = {}) => ({ type: 'document', source, ...more });

  test('come as they are, or as words where they are words', async () => {
    const [message] = await said({
      messages: [
        user([
          image({ type: 'base64', media_type: 'image/png', data: 'aGk=' }),
          image({ type: 'url', url: 'https://example.net/a.png' }),
          document({ type: 'base64', media_type: 'application/pdf', data: 'aGk=' }, { title: 'Plan' }),
          document({ type: 'url', url: 'https://example.net/a.pdf' }),
          document({ type: 'text', media_type: 'text/plain', data: 'The plan.' }, { title: 'Plan', context: 'Old' }),
          document({ type: 'content', content: [{ type: 'text', text: 'A piece.' }] }),
          {
            type: 'search_result',
            source: 'https://example.net',
            title: 'Found',
            content: [{ type: 'text', text: 'It.' }],
          },
        ]),
      ],
    });
    const content = message?.role === 'user' ? message.content : [];
    expect(content.filter(({ type }) => type === 'file')).toEqual([
      { type: 'file', mediaType: 'image/png', data: 'aGk=' },
      { type: 'file', mediaType: 'image/*', data: 'https://example.net/a.png' },
      { type: 'file', mediaType: 'application/pdf', data: 'aGk=', name: 'Plan' },
      { type: 'file', mediaType: 'application/pdf', data: 'https://example.net/a.pdf' },
    ]);
    const words = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
    expect(words).toBe('Plan\nOld\n\nThe plan.\n\nA piece.\n\nFound\nhttps://example.net\n\nIt.');
  });
});

describe('calls and their results', () => {
  test('the results of a turn are one message, in the order of the calls; the rest is said after them', async () => {
    const messages = await said({
      tools: [weather],
      messages: [
        user('a'),
        assistant([{ type: 'text', text: 'I look.' }, use('1', { city: 'Athens' }), use('2')]),
        user([
          { type: 'text', text: 'Go on.' },
          result('2', {
            is_error: true,
            content: [
              { type: 'text', text: 'none' },
              { type: 'text', text: 'here' },
            ],
          }),
        ]),
        user([result('1', { content: 'sunny', cache_control: { type: 'ephemeral' } })]),
        assistant([use('3')]),
        user([
          result('3', {
            content: [
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } },
              { type: 'tool_reference', tool_name: 'weather' },
              { type: 'browser_state', tabs: [] },
            ],
          }),
        ]),
      ],
    });
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user', 'assistant', 'tool']);
    expect(messages[1]).toMatchObject({
      content: [
        { type: 'text', text: 'I look.' },
        { type: 'tool-call', id: '1', name: 'weather', input: '{"city":"Athens"}' },
        { type: 'tool-call', id: '2', name: 'weather', input: '{}' },
      ],
    });
    expect(messages[2]).toMatchObject({
      content: [
        { id: '1', name: 'weather', text: 'sunny', isError: false },
        { id: '2', name: 'weather', text: 'none\nhere', isError: true },
      ],
    });
    expect(messages[3]).toMatchObject({ content: [{ text: 'Go on.' }] });
    expect(messages[5]).toMatchObject({ content: [{ text: 'weather', files: [{ mediaType: 'image/png' }] }] });
  });

  test.each([
    ['a call without a result', [user('a'), assistant([use('1')]), user('b')], 'messages.2: .*1'],
    ['a result without a call', [user('a'), assistant('b'), user([result('9')])], 'messages.2.content.0: .*9'],
    ['one call of two', [user('a'), assistant([use('1'), use('2')]), user([result('1')])], 'messages.2: .*: 2'],
    ['two results', [user('a'), assistant([use('1')]), user([result('1'), result('1')])], 'content.1: .*two'],
    ['two calls of one id', [user('a'), assistant([use('1'), use('1')]), user([result('1')])], 'same id'],
    ['a call of the user', [user([use('1')])], 'tool_use'],
    ['a result of the assistant', [user('a'), assistant([result('1')]), user('b')], 'tool_result'],
  ])('%s is refused', async (_, messages, words) => {
    const [status, type, told] = await anthropicApp([agentOf('teller', ['Hi.'])]).refusal({ messages });
    expect([status, type]).toEqual([400, 'invalid_request_error']);
    expect(told).toMatch(new RegExp(words));
  });
});

describe('tools', () => {
  const toolsFor = async (body: Body) => (await heard({ ...asks, ...body })).tools.map(({ name }) => name);

  test('those with a schema are handed on, those of other kinds are left out', async () => {
    const tools = [
      { ...weather, cache_control: { type: 'ephemeral' }, strict: true, eager_input_streaming: true },
      { ...weather, name: 'second', type: 'custom', defer_loading: true },
      { ...weather, name: 'third', type: null, description: undefined },
      { type: 'web_search_20250305', name: 'web_search', max_uses: 5 },
      { type: 'bash_20250124', name: 'bash' },
      { type: 'text_editor_20250728', name: 'str_replace_based_edit_tool' },
      { type: 'computer_20250124', name: 'computer', display_width_px: 1, display_height_px: 1 },
      { type: 'mcp_toolset', mcp_server_name: 'x' },
    ];
    expect(await toolsFor({ tools })).toEqual(['weather', 'second', 'third']);
    expect(await toolsFor({ tools, tool_choice: { type: 'auto', disable_parallel_tool_use: true } })).toHaveLength(3);
    expect(await toolsFor({ tools, tool_choice: { type: 'any' } })).toHaveLength(3);
    expect(await toolsFor({ tools, tool_choice: { type: 'none' } })).toEqual([]);
    expect(await toolsFor({ tools, tool_choice: { type: 'tool', name: 'second' } })).toEqual(['second']);
    expect(await toolsFor({ tools, tool_choice: { type: 'tool', name: 'web_search' } })).toEqual([]);
  });

  test.each([
    [{ tools: 'all' }, 'tools: '],
    [{ tools: [{ name: 'x' }] }, 'tools.0.input_schema: '],
    [{ tools: [weather, { input_schema: {} }] }, 'tools.1.name: '],
    [{ tools: [weather, weather] }, 'tools: .*weather'],
    [{ tools: [weather], tool_choice: { type: 'tool', name: 'other' } }, 'tool_choice.name: .*other'],
  ])('%j is refused', async (more, words) => {
    const [status, , told] = await anthropicApp([agentOf('teller', ['Hi.'])]).refusal({ ...asks, ...more });
    expect(status).toBe(400);
    expect(told).toMatch(new RegExp(`^${words}`));
  });

  test('forty in a large request are taken in no time', async () => {
    const properties = Object.fromEntries(
      Array.from({ length: 12 }, (_, i) => [
        `field_${i}`,
        { type: 'string', description: 'x'.repeat(100), pattern: '^a+$' },
      ]),
    );
    const tools = Array.from({ length: 40 }, (_, i) => ({
      name: `tool_${i}`,
      description: 'y'.repeat(300),
      input_schema: { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object', properties },
    }));
    expect(JSON.stringify(tools).length).toBeGreaterThan(80_000);
    const app = anthropicApp([agentOf('teller', () => 'Hi.')]);
    const took: number[] = [];
    for (let i = 0; i < 5; i++) {
      const from = performance.now();
      await app.message({ ...asks, tools });
      took.push(performance.now() - from);
    }
    // Compiling their schemas alone takes most of a second, every time; the machine may be busy.
    expect(Math.min(...took)).toBeLessThan(300);
  });
});

test('a request as a coding client sends it', async () => {
  const agent = agentOf('teller', ['Hi.']);
  const app = anthropicApp([agent]);
  const response = await app.request('/v1/messages?beta=true', {
    method: 'POST',
    headers: {
      ...version,
      'content-type': 'application/json',
      'anthropic-beta': 'claude-code-20250219,interleaved-thinking-2025-05-14,context-management-2025-06-27',
      'anthropic-dangerous-direct-browser-access': 'true',
      'user-agent': 'client/2.1',
      'x-app': 'cli',
      'x-stainless-lang': 'js',
    },
    body: JSON.stringify({
      model: 'teller',
      max_tokens: 32_000,
      messages: [user([{ type: 'text', text: 'Hello?', cache_control: { type: 'ephemeral' } }])],
      system: [{ type: 'text', text: 'You are a client.', cache_control: { type: 'ephemeral' } }],
      tools: [weather],
      metadata: { user_id: 'user_1' },
      thinking: { type: 'adaptive' },
      context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
      output_config: { effort: 'high' },
      service_tier: 'auto',
      stop_sequences: ['STOP'],
      temperature: 1,
      top_k: 5,
      top_p: 0.9,
      container: null,
      mcp_servers: [{ type: 'url', url: 'https://example.net/mcp', name: 'x' }],
      betas: ['x'],
      diagnostics: { previous_message_id: null },
      of_tomorrow: { a: [1] },
      stream: null,
    }),
  });
  const message = (await response.json()) as Read;
  expect(shapeFaults('message', message)).toEqual([]);
  expect(message.content.at(-1).text).toBe('Hi.');
});

test('a conversation that is not held here is to be sent again, and which one is held must be said', async () => {
  const agent = agentOf('teller', ['Hi.']);
  const thread = { type: 'continue', previous_message_id: 'msg_1' };
  const response = await anthropicApp([agent]).post({ ...asks, thread });
  const body = (await response.json()) as Read;
  expect(shapeFaults('error', body)).toEqual([]);
  expect([response.status, body.error.details.error_code]).toEqual([404, 'thread_not_found']);
  for (const wrong of [{}, { type: 'begin' }, { type: 'continue' }, 'create'])
    expect((await anthropicApp([agent]).refusal({ ...asks, thread: wrong }))[0]).toBe(400);
  expect((agent.model as ScriptedModel).requests).toEqual([]);
  await heard({ ...asks, thread: null });
});

describe('what the API requires', () => {
  test.each([
    [{ messages: undefined }, 'messages: this field is required'],
    [{ messages: [] }, 'messages: at least one'],
    [{ messages: 'Hello?' }, 'messages: '],
    [{ max_tokens: undefined }, 'max_tokens: this field is required'],
    [{ max_tokens: 0 }, 'max_tokens: '],
    [{ max_tokens: 1.5 }, 'max_tokens: '],
    [{ max_tokens: '100' }, 'max_tokens: '],
    [{ model: undefined }, 'model: this field is required'],
    [{ model: '' }, 'model: '],
    [{ stream: 'yes' }, 'stream: '],
    [{ system: 7 }, 'system: '],
    [{ messages: [{ content: 'a' }] }, 'messages.0.role: '],
    [{ messages: [{ role: 'robot', content: 'a' }] }, 'messages.0.role: '],
    [{ messages: [{ role: 'user' }] }, 'messages.0.content: '],
    [{ messages: [user(null)] }, 'messages.0.content: '],
    [{ messages: [user([{ text: 'a' }])] }, 'messages.0.content.0.type: '],
    [{ messages: [user([{ type: 'text' }])] }, 'messages.0.content.0.text: '],
    [{ messages: [user(['a'])] }, 'messages.0.content.0: '],
    [
      { messages: [user([{ type: 'image', source: { type: 'file', file_id: 'f' } }])] },
      'messages.0.content.0.source: ',
    ],
    [{ messages: [user([{ type: 'image', source: { type: 'base64', data: 'aGk=' } }])] }, 'messages.0.*media_type: '],
    [{ messages: [user('a'), assistant('The answer is')] }, 'messages.1: '],
    [{ messages: [user('')] }, 'messages: '],
    [{ messages: [{ role: 'system', content: 'a' }] }, 'messages: '],
    [{ output_config: { format: { type: 'xml' } } }, 'output_config.format.type: '],
    [{ output_config: { format: { type: 'json_schema' } } }, 'output_config.format.schema: '],
    [{ output_config: { format: { type: 'json_schema', schema: { type: 'no' } } } }, ''],
  ])('%j is refused by name', async (more, words) => {
    const [status, type, told] = await anthropicApp([agentOf('teller', ['Hi.'])]).refusal({ ...asks, ...more });
    expect([status, type]).toEqual([400, 'invalid_request_error']);
    expect(told).toMatch(new RegExp(`^${words}`));
  });

  test('what is too deep is refused too', async () => {
    const levels = 100_000;
    const [open, close] = ['{"type":"tool_result","tool_use_id":"1","content":[', ']}'];
    const results = `"messages":[{"role":"user","content":[${open.repeat(levels)}${close.repeat(levels)}]}]`;
    const schema = `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    const deep = [
      results,
      `"messages":[{"role":"user","content":"a"}],"tools":[{"name":"x","input_schema":${schema}}]`,
      `"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"x","input":${schema}}]}]`,
      `"messages":[{"role":"user","content":"a"}],"output_config":{"format":{"type":"json_schema","schema":${schema}}}`,
    ];
    for (const fields of deep) {
      const body = `{"model":"teller","max_tokens":1,${fields}}`;
      const app = anthropicApp([agentOf('teller', ['Hi.'])]);
      const response = await app.request('/v1/messages', { method: 'POST', body });
      expect(response.status, fields.slice(0, 60)).toBe(400);
    }
  });
});

describe('counting tokens', () => {
  const count = async (body: Body): Promise<number> => {
    const agent = agentOf('teller', [], { instructions: 'x'.repeat(350) });
    const response = await anthropicApp([agent]).request('/v1/messages/count_tokens?beta=true', {
      method: 'POST',
      headers: version,
      body: JSON.stringify({ model: 'teller', ...body }),
    });
    const counted = (await response.json()) as Read;
    expect(shapeFaults('tokens', counted)).toEqual([]);
    return counted.input_tokens;
  };

  test('everything that is sent, and what the agent is told itself, without asking its model', async () => {
    const least = await count({ messages: [user('a')] });
    expect(least).toBe(101);
    expect(await count({ messages: [user('a'.repeat(35))] })).toBe(110);
    expect(await count({ messages: [user('a')], system: 'b'.repeat(70) })).toBe(least + 20);
    expect(await count({ messages: [user('a')], tools: [weather] })).toBeGreaterThan(least + 10);
    const picture = { type: 'image', source: { type: 'url', url: 'https://example.net/a.png' } };
    expect(await count({ messages: [user([picture, { type: 'text', text: 'a' }])] })).toBe(least + 1_600);
    const called = [user('a'), assistant([use('1')]), user([result('1', { content: [picture] })])];
    expect(await count({ messages: called })).toBeGreaterThan(least + 1_600);
  });

  test('what is wrong is refused as everywhere', async () => {
    const response = await anthropicApp([agentOf('teller', [])]).request('/v1/messages/count_tokens', {
      method: 'POST',
      body: JSON.stringify({ model: 'teller', messages: [] }),
    });
    expect(response.status).toBe(400);
    expect(shapeFaults('error', await response.json())).toEqual([]);
  });
});
