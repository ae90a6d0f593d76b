// What Anthropic is asked: where, with which headers, roles, tools and ids, and nothing that it would refuse.

import type { Message, ModelRequest } from '@ai-agent/core';
import { createModels } from '@ai-agent/models';
import { describe, expect, onTestFinished, test } from 'vitest';
import { contextOf, requestOf } from './support/calling.ts';
import { serve } from './support/raw-server.ts';
import { anthropic, type Block, type MessagesBody } from './support/wires/anthropic.ts';
import { type ServeOptions, serveWire } from './support/wires/serve-wire.ts';

const search = { name: 'search', description: 'Searches.', inputSchema: { type: 'object', properties: { q: {} } } };

describe('where and as whom', () => {
  test('the key is a header of its own, with the version, and a query of the address stays', async () => {
    const heard = await headersFor({ apiKey: 'a-key-0123456789' }, '/v1?tenant=7');
    expect(heard.url).toBe('/v1/messages?tenant=7');
    expect(heard.headers).toMatchObject({
      'x-api-key': 'a-key-0123456789',
      'anthropic-version': '2023-06-01',
      'content-type': 'application/json',
    });
    expect(heard.headers.authorization).toBeUndefined();
  });

  test('headers of the configuration win, and a token needs no key', async () => {
    const { headers } = await headersFor(
      { headers: { Authorization: 'Bearer a-token', 'anthropic-version': '2030-01-01', 'anthropic-beta': 'one,two' } },
      '/v1',
    );
    expect(headers).toMatchObject({ authorization: 'Bearer a-token', 'anthropic-version': '2030-01-01' });
    expect(headers['anthropic-beta']).toBe('one,two');
    expect(headers['x-api-key']).toBeUndefined();
  });
});

test('a model says how many tokens the API adds for tools', async () => {
  const models = createModels({ providers: { anthropic: { apiKey: 'a-key-0123456789' }, ollama: {} } });
  expect((await models.resolve('anthropic/claude-sonnet-4-5', { env: {} })).toolPromptTokens).toBeGreaterThan(300);
  expect((await models.resolve('ollama/qwen3', { env: {} })).toolPromptTokens).toBeUndefined();
});

describe('the conversation', () => {
  test('has its roles, results in the message after their calls', async () => {
    const { messages } = await bodyOf({
      messages: [user('What is new?'), calls('Let me see.', ['toolu_1']), results('toolu_1'), user('And?')],
      tools: [search],
    });
    expect(messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'What is new?' }] },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Let me see.' },
          { type: 'tool_use', id: 'toolu_1', name: 'search', input: { q: 'x' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_1', content: 'found' },
          { type: 'text', text: 'And?' },
        ],
      },
    ]);
  });

  test('has results first, also when the user spoke meanwhile', async () => {
    const { messages } = await bodyOf({
      messages: [user('Go.'), calls('', ['toolu_1']), user('Hurry.'), results('toolu_1')],
      tools: [search],
    });
    expect(messages.map(({ content }) => (content as Block[]).map(({ type }) => type))).toEqual([
      ['text'],
      ['tool_use'],
      ['tool_result', 'text'],
    ]);
  });

  test.each<[string, readonly Message[]]>([
    ['begins with the model', [said('Hello.'), user('Hi.')]],
    ['ends with the model', [user('Hi.'), said('Well, \n')]],
    ['has empty texts', [user(''), user('Hi.', '  \n'), said('', ' '), user('Hello?')]],
    ['says nothing at all', [user(' ')]],
    ['has two users in a row', [user('One.'), user('Two.')]],
    ['has instructions in the middle', [user('One.'), said('Two.'), { role: 'system', text: 'Be brief.' }]],
  ])('that %s is one nobody refuses', async (_, given) => {
    const { messages } = await bodyOf({ messages: given });
    expect(messages[0]?.role).toBe('user');
    expect(messages.at(-1)?.role).toBe('user');
    messages.forEach(({ role, content }, i) => {
      expect(role).toBe(i % 2 === 0 ? 'user' : 'assistant');
      for (const { text } of content as Block[]) expect(text?.trim()).not.toBe('');
    });
    const words = given.map((message) => (message.role === 'system' ? message.text : JSON.stringify(message.content)));
    const heard = JSON.stringify(messages);
    for (const word of words.join().match(/\w+(?=[.?])/g) ?? []) expect(heard).toContain(word);
  });

  test('an error of a tool is marked, and never without a word', async () => {
    const failed = { type: 'tool-result', id: 'toolu_1', name: 'search', text: '', isError: true } as const;
    const { messages } = await bodyOf({
      messages: [user('Go.'), calls('', ['toolu_1']), { role: 'tool', content: [failed] }],
      tools: [search],
    });
    const result = (messages.at(-1)?.content as readonly Block[] | undefined)?.[0];
    expect(result).toMatchObject({ type: 'tool_result', is_error: true });
    expect(result?.content).not.toBe('');
  });

  test('has images, documents and texts, inline or at an address', async () => {
    const base64 = Buffer.from('# Größe').toString('base64');
    const { messages } = await bodyOf({
      messages: [
        {
          role: 'user',
          content: [
            { type: 'file', mediaType: 'image/jpg', data: 'aGk=' },
            { type: 'file', mediaType: 'image/png', data: 'https://example.org/a.png' },
            { type: 'file', mediaType: 'application/pdf', data: 'aGk=', name: 'a.pdf' },
            { type: 'file', mediaType: 'application/pdf', data: 'https://example.org/a.pdf' },
            { type: 'file', mediaType: 'text/markdown; charset=utf-8', data: base64, name: 'a.md' },
            { type: 'file', mediaType: 'application/json', data: `data:application/json;base64,${base64}` },
          ],
        },
      ],
      settings: { caching: 'none' },
    });
    const text = { type: 'text', media_type: 'text/plain', data: '# Größe' };
    expect(messages[0]?.content).toEqual([
      { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: 'aGk=' } },
      { type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } },
      {
        type: 'document',
        source: { type: 'base64', media_type: 'application/pdf', data: 'aGk=' },
        title: 'a.pdf',
      },
      { type: 'document', source: { type: 'url', url: 'https://example.org/a.pdf' } },
      { type: 'document', source: text, title: 'a.md' },
      { type: 'document', source: text },
    ]);
  });
});

describe('ids of calls', () => {
  test('of other providers are made safe, the same for call and result, each only once', async () => {
    const { messages } = await bodyOf({
      messages: [
        user('Go.'),
        calls('', ['call:1', 'functions.search:0', '']),
        results('call:1', 'functions.search:0', ''),
        calls('', ['call:1', 'call_1']),
        results('call:1', 'call_1'),
      ],
      tools: [search],
    });
    const blocks = messages.flatMap(({ content }) => content as Block[]);
    const asked = blocks.flatMap(({ type, id = '' }) => (type === 'tool_use' ? id : []));
    const answered = blocks.flatMap(({ type, tool_use_id: id = '' }) => (type === 'tool_result' ? id : []));
    expect(answered).toEqual(asked);
    expect(new Set(asked).size).toBe(5);
    for (const id of asked) expect(id).toMatch(/^[a-zA-Z0-9_-]+$/);
  });
});

describe('tools', () => {
  test('are sent with their schemas, alternatives at the top as one object', async () => {
    const either = {
      name: 'either',
      description: 'One or the other.',
      inputSchema: {
        anyOf: [{ properties: { a: { type: 'string' } }, required: ['a'] }, { properties: { b: { type: 'number' } } }],
        properties: { c: { type: 'boolean' } },
        required: ['c'],
      },
    };
    const { tools } = await bodyOf({ tools: [search, either] });
    expect(tools).toEqual([
      { name: 'search', description: 'Searches.', input_schema: search.inputSchema },
      {
        name: 'either',
        description: 'One or the other.',
        input_schema: {
          type: 'object',
          properties: { a: { type: 'string' }, b: { type: 'number' }, c: { type: 'boolean' } },
          required: ['c'],
        },
      },
    ]);
  });

  test('are the same for the cache whether the answer is streamed or not', async () => {
    const { model, requests } = await serveWire(anthropic, [{ text: 'Hello.' }]);
    await model.call(requestOf({ tools: [search] }), contextOf());
    await model.call(requestOf({ tools: [search] }), contextOf({ onDelta: () => {} }));
    expect(requests.map(({ isStreamed }) => isStreamed)).toEqual([false, true]);
    expect(requests[1]?.body.tools).toEqual(requests[0]?.body.tools);
  });

  test('that are withheld are named and forbidden once there were calls', async () => {
    const messages = [user('Go.'), calls('', ['toolu_1']), results('toolu_1')];
    const last = await bodyOf({ messages, withheld: [search] });
    expect(last).toMatchObject({ tools: [{ name: 'search' }], tool_choice: { type: 'none' } });
    const unnamed = await bodyOf({ messages });
    expect(unnamed).toMatchObject({
      tools: [{ name: 'search', input_schema: { type: 'object' } }],
      tool_choice: { type: 'none' },
    });
    const first = await bodyOf({ withheld: [search] });
    expect(first.tools).toBeUndefined();
  });

  test('what is not said is our own default, not all that the model can write', async () => {
    expect((await bodyOf({})).max_tokens).toBe(16_384);
    expect((await bodyOf({}, { model: 'claude-3-haiku-20240307' })).max_tokens).toBe(4096);
  });
});

describe('settings', () => {
  test('that this API has are sent, the others are not', async () => {
    const body = await bodyOf({
      settings: {
        maxOutputTokens: 500,
        temperature: 0.2,
        topK: 5,
        seed: 1,
        repeatPenalty: 1,
        stopSequences: ['END', ' '],
      },
    });
    expect(Object.keys(body).sort()).toEqual(
      ['max_tokens', 'messages', 'model', 'stop_sequences', 'system', 'temperature', 'top_k'].sort(),
    );
    expect(body).toMatchObject({ max_tokens: 500, temperature: 0.2, top_k: 5, stop_sequences: ['END'] });
  });

  test.each([
    [21_332, 'claude-sonnet-4-5', false],
    [21_333, 'claude-sonnet-4-5', true],
    [undefined, 'claude-sonnet-4-5', false],
    [30_000, 'claude-3-haiku-20240307', false],
  ])('%s tokens of %s: streamed without a listener %s', async (maxOutputTokens, model, isStreamed) => {
    const body = await bodyOf({ settings: maxOutputTokens === undefined ? {} : { maxOutputTokens } }, { model });
    expect(body.stream ?? false).toBe(isStreamed);
  });
});

function user(...texts: string[]): Message {
  return { role: 'user', content: texts.map((text) => ({ type: 'text', text })) };
}

function said(...texts: string[]): Message {
  return { role: 'assistant', content: texts.map((text) => ({ type: 'text', text })) };
}

function calls(text: string, ids: readonly string[]): Message {
  return {
    role: 'assistant',
    content: [
      { type: 'text', text },
      ...ids.map((id) => ({ type: 'tool-call' as const, id, name: 'search', input: '{"q":"x"}' })),
    ],
  };
}

function results(...ids: string[]): Message {
  return {
    role: 'tool',
    content: ids.map((id) => ({ type: 'tool-result', id, name: 'search', text: 'found', isError: false })),
  };
}

type Body = Required<Pick<MessagesBody, 'messages'>> & MessagesBody & Readonly<Record<string, unknown>>;

/** The body of this request, without the markers of the cache. */
async function bodyOf(fields: Partial<ModelRequest>, options: ServeOptions = {}): Promise<Body> {
  const { model, requests } = await serveWire(anthropic, [{ text: 'Hello.' }], options);
  await model.call(requestOf({ ...fields, settings: { caching: 'none', ...fields.settings } }), contextOf());
  return requests[0]?.body as unknown as Body;
}

async function headersFor(config: object, path: string) {
  const heard: { url: string; headers: Record<string, unknown> }[] = [];
  const { baseUrl } = await serve(({ url = '', headers }, response) => {
    heard.push({ url, headers });
    response.end(anthropic.whole({ text: 'Hello.' }));
  });
  const models = createModels({
    providers: { mine: { type: 'anthropic', baseUrl: new URL(baseUrl).origin + path, ...config } },
  });
  onTestFinished(() => models.close());
  const model = await models.resolve('mine/claude-sonnet-4-5', { env: {} });
  await model.call(requestOf({ settings: { maxOutputTokens: 100 } }), contextOf());
  return heard[0] ?? expect.fail('Nobody asked.');
}
