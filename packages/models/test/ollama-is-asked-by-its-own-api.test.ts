// The promise: a conversation, tools, a contract and settings reach Ollama in the words of its own API, at its own address.

import { type Message, type ModelRequest, userMessage } from '@ai-agent/core';
import { createModels, type ProviderConfig, type Transport, wellKnown } from '@ai-agent/models';
import { describe, expect, test } from 'vitest';
import { contextOf, failureOf, requestOf, variable, ways } from './support/calling.ts';
import { ollama } from './support/wires/ollama.ts';
import { serveWire } from './support/wires/serve-wire.ts';

async function bodyOf(request: Partial<ModelRequest>, config: Partial<ProviderConfig> = {}) {
  const { model, requests } = await serveWire(ollama, [{ text: 'So.' }], { config });
  await model.call(requestOf(request), contextOf());
  return requests[0]?.body ?? {};
}

const look = {
  name: 'look',
  description: 'Looks',
  inputSchema: { type: 'object', properties: { at: { type: 'number' } } },
};

test('what an agent does not say is not sent', async () => {
  expect(await bodyOf({})).toEqual({
    model: 'qwen3:8b',
    messages: [
      { role: 'system', content: 'You answer.' },
      { role: 'user', content: 'Say something.' },
    ],
    stream: false,
  });
});

test('settings are options', async () => {
  const settings = {
    maxOutputTokens: 99,
    temperature: 0.3,
    topP: 0.9,
    topK: 40,
    repeatPenalty: 1.1,
    seed: 7,
    stopSequences: ['END'],
  };
  expect((await bodyOf({ settings })).options).toEqual({
    num_predict: 99,
    temperature: 0.3,
    top_p: 0.9,
    top_k: 40,
    repeat_penalty: 1.1,
    seed: 7,
    stop: ['END'],
  });
});

test('room for the conversation is made where the configuration says how much', async () => {
  expect((await bodyOf({}, { contextWindow: 32768 })).options).toEqual({ num_ctx: 32768 });
  expect((await bodyOf({}, { contextWindow: 32768, models: { 'qwen3:8b': { contextWindow: 8192 } } })).options).toEqual(
    {
      num_ctx: 8192,
    },
  );
});

test('tools are functions', async () => {
  expect((await bodyOf({ tools: [look] })).tools).toEqual([
    { type: 'function', function: { name: 'look', description: 'Looks', parameters: look.inputSchema } },
  ]);
});

test('a JSON contract is a format, but not beside tools', async () => {
  const schema = { type: 'object', properties: { sum: { type: 'number' } } };
  expect((await bodyOf({ output: { format: 'json', schema } })).format).toEqual(schema);
  expect((await bodyOf({ output: { format: 'json' } })).format).toBe('json');
  expect((await bodyOf({ output: { format: 'json', schema }, tools: [look] })).format).toBeUndefined();
  expect((await bodyOf({ output: { format: 'text' } })).format).toBeUndefined();
});

describe('a conversation', () => {
  const said: Message = {
    role: 'assistant',
    content: [
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: 'Let me see.' },
      { type: 'tool-call', id: 'a', name: 'look', input: '{"at":1}' },
      { type: 'tool-call', id: 'b', name: 'look', input: '{"at":' },
    ],
  };
  const results: Message = {
    role: 'tool',
    content: [
      { type: 'tool-result', id: 'a', name: 'look', text: 'Seen.', isError: false },
      { type: 'tool-result', id: 'b', name: 'look', text: 'It is dark.', isError: true },
    ],
  };

  test('calls have objects, results the name of their tool', async () => {
    expect((await bodyOf({ system: '', messages: [said, results] })).messages).toEqual([
      {
        role: 'assistant',
        content: 'Let me see.',
        thinking: 'Hm.',
        tool_calls: [
          { id: 'a', function: { name: 'look', arguments: { at: 1 } } },
          { id: 'b', function: { name: 'look', arguments: {} } },
        ],
      },
      { role: 'tool', content: 'Seen.', tool_name: 'look', tool_call_id: 'a' },
      { role: 'tool', content: 'It is dark.', tool_name: 'look', tool_call_id: 'b' },
    ]);
  });

  test('thoughts go back as the configuration says', async () => {
    const sent = async (interleaved: boolean | string) => {
      const body = await bodyOf({ system: '', messages: [said] }, { models: { 'qwen3:8b': { interleaved } } });
      const [{ role: _role, content: _content, tool_calls: _calls, ...rest } = {}] = body.messages as Record<
        string,
        unknown
      >[];
      return rest;
    };
    expect([await sent(true), await sent(false), await sent('thoughts')]).toEqual([
      { thinking: 'Hm.' },
      {},
      { thoughts: 'Hm.' },
    ]);
  });

  test('what another model thought stays there, and a message of nothing else is left out', async () => {
    const thought = { type: 'reasoning', text: 'Hm.', bound: { other: {} } } as const;
    const body = await bodyOf({
      system: '',
      messages: [userMessage('So?'), { role: 'assistant', content: [thought] }],
    });
    expect((body.messages as { role: string }[]).map(({ role }) => role)).toEqual(['user']);
  });

  test('images are in base64, beside the words', async () => {
    const image = { type: 'file', mediaType: 'image/png' } as const;
    const content = [
      { type: 'text', text: 'Look' },
      { ...image, data: 'AAAA' },
      { ...image, data: 'data:image/png;base64,BBBB' },
      { type: 'text', text: 'here.' },
    ] as const;
    expect((await bodyOf({ system: '', messages: [{ role: 'user', content }] })).messages).toEqual([
      { role: 'user', content: 'Look\nhere.', images: ['AAAA', 'BBBB'] },
    ]);
  });

  test.each([
    ['image/png', 'https://host.test/a.png', 'at an address'],
    ['application/pdf', 'AAAA', 'application/pdf'],
    ['text/plain', 'AAAA', 'text/plain'],
  ])('%s from %s is refused before anybody is asked', async (mediaType, data, reason) => {
    const { model, requests } = await serveWire(ollama, [{ text: 'So.' }]);
    const messages: Message[] = [{ role: 'user', content: [{ type: 'file', mediaType, data }] }];
    for (const [, context] of ways) {
      const failure = await failureOf(model.call(requestOf({ messages }), context()));
      expect([failure.code, failure.message]).toEqual(['model-request-refused', expect.stringContaining(reason)]);
    }
    expect(requests).toHaveLength(0);
  });
});

describe('its address', () => {
  async function sentTo(config: object, env: Record<string, string> = {}) {
    const sent: unknown[] = [];
    const transport: Transport = {
      fetch: async (url, init) => {
        sent.push(String(url), new Headers(init?.headers).get('authorization'));
        return new Response(ollama.whole({ text: 'So.' }));
      },
      close() {},
    };
    const models = createModels({ providers: { mine: { type: 'ollama', ...config } as ProviderConfig }, transport });
    await (await models.resolve('mine/m', { env })).call(requestOf(), contextOf());
    return sent;
  }

  test.each([
    [undefined, 'http://localhost:11434/api'],
    ['http://box:11434', 'http://box:11434/api'],
    ['http://box:11434/', 'http://box:11434/api'],
    ['http://box:11434/api', 'http://box:11434/api'],
    ['http://box:11434/api/', 'http://box:11434/api'],
    ['http://box:11434/v1', 'http://box:11434/api'],
    ['http://box:11434/v1/', 'http://box:11434/api'],
    ['https://box/ollama', 'https://box/ollama/api'],
    ['https://box/ollama/v1', 'https://box/ollama/api'],
    ['https://ollama.com', 'https://ollama.com/api'],
    [variable('HOST'), 'http://box:11434/api'],
  ])('%s leads to %s', async (baseUrl, address) => {
    const [url] = await sentTo(baseUrl === undefined ? {} : { baseUrl }, { HOST: 'http://box:11434' });
    expect(url).toBe(`${address}/chat`);
  });

  test('is known to be there', () => {
    expect(wellKnown.get('ollama')?.baseUrl).toBe('http://localhost:11434/api');
  });

  test('a key goes along, where there is one', async () => {
    expect((await sentTo({}))[1]).toBeNull();
    expect((await sentTo({ apiKey: 'k' }))[1]).toBe('Bearer k');
  });
});
