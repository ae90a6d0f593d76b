// The promise: a request to OpenAI has what its API and this model take, in both of its APIs, and nothing else.

import { type Message, type ModelRequest, userMessage } from '@ai-agent/core';
import { openaiModelCatalog } from '@ai-sdk/openai/internal';
import { describe, expect, test } from 'vitest';
import { familyOf } from '../src/providers/openai/efforts.ts';
import { contextOf, failureOf, requestOf, ways } from './support/calling.ts';
import { openaiChat } from './support/wires/openai-chat.ts';
import { openaiResponses } from './support/wires/openai-responses.ts';
import { type ServeOptions, serveWire } from './support/wires/serve-wire.ts';
import type { Wire } from './support/wires/wire.ts';

type Body = Readonly<Record<string, unknown>>;

async function bodyOf(wire: Wire, request: Partial<ModelRequest>, options: ServeOptions = {}): Promise<Body> {
  const { model, requests } = await serveWire(wire, [{ text: 'Hello' }], options);
  await model.call(requestOf(request), contextOf());
  return requests[0]?.body ?? expect.fail();
}

const settings = { maxOutputTokens: 1000, temperature: 0.2, topP: 0.9, topK: 4, repeatPenalty: 0.5, seed: 7 };
const stopSequences = ['END'];

describe('settings', () => {
  test('of a model that thinks: those of sampling are refused, so they are not sent', async () => {
    const request = { settings: { ...settings, stopSequences } };
    expect(await bodyOf(openaiResponses, request)).toEqual({
      model: 'gpt-5.4',
      input: [
        { role: 'developer', content: 'You answer.' },
        { role: 'user', content: [{ type: 'input_text', text: 'Say something.' }] },
      ],
      max_output_tokens: 1000,
      store: false,
      include: ['reasoning.encrypted_content'],
    });
    expect(await bodyOf(openaiChat, request)).toEqual({
      model: 'gpt-5.4',
      messages: [
        { role: 'developer', content: 'You answer.' },
        { role: 'user', content: 'Say something.' },
      ],
      max_completion_tokens: 1000,
      seed: 7,
    });
  });

  test('of one that does not: all that its API has', async () => {
    const request = { settings: { ...settings, stopSequences } };
    const { input: _input, ...responses } = await bodyOf(openaiResponses, request, { model: 'gpt-4.1' });
    expect(responses).toEqual({
      model: 'gpt-4.1',
      max_output_tokens: 1000,
      temperature: 0.2,
      top_p: 0.9,
      store: false,
    });
    const { messages, ...chat } = await bodyOf(openaiChat, request, { model: 'gpt-4.1' });
    expect(messages).toMatchObject([{ role: 'system' }, { role: 'user' }]);
    expect(chat).toEqual({
      model: 'gpt-4.1',
      max_completion_tokens: 1000,
      temperature: 0.2,
      top_p: 0.9,
      frequency_penalty: -0.5,
      seed: 7,
      stop: ['END'],
    });
  });

  test('a stream of chat completions has its usage', async () => {
    const { model, requests } = await serveWire(openaiChat, [{ text: 'Hello' }]);
    await model.call(requestOf(), ways[1][1]());
    expect(requests[0]?.body).toMatchObject({ stream: true, stream_options: { include_usage: true } });
  });

  test('whoever wants nothing kept has nothing to be told: it is kept unasked', async () => {
    for (const wire of [openaiResponses, openaiChat])
      expect(await bodyOf(wire, { settings: { caching: 'none' } })).toEqual(await bodyOf(wire, {}));
  });
});

const effortIn = (body: Body) => (body.reasoning as Body | undefined)?.effort ?? body.reasoning_effort;

describe.each([openaiResponses, openaiChat])('reasoning, $label', (wire) => {
  test.each([
    ['gpt-5.4', 'none', 'none'],
    ['gpt-5.4', 'low', 'low'],
    ['gpt-5.4', 'high', 'high'],
    // The package knows what they take, and takes the nearest.
    ['gpt-5.4', 'minimal', 'low'],
    ['gpt-5', 'none', 'minimal'],
    ['gpt-5', 'minimal', 'minimal'],
    ['gpt-6.1-sol', 'none', 'low'],
    // The package does not.
    ['o3', 'none', 'low'],
    ['o4-mini', 'minimal', 'low'],
    ['o3', 'medium', 'medium'],
    ['gpt-5-codex', 'none', 'low'],
    ['gpt-5-pro', 'low', undefined],
    ['gpt-5-pro', 'high', 'high'],
    ['gpt-5.1-chat-latest', 'low', undefined],
    // These do not think.
    ['gpt-4o', 'high', undefined],
    ['gpt-4.1-mini', 'none', undefined],
    ['gpt-5-chat-latest', 'high', undefined],
    // Of these nobody knows.
    ['my-deployment', 'high', 'high'],
    ['my-deployment', 'none', undefined],
  ] as const)('%s at level %s is told %s', async (model, reasoning, effort) => {
    expect(effortIn(await bodyOf(wire, { settings: { reasoning } }, { model }))).toBe(effort);
  });

  test('not asked for, nothing is sent; nor when the configuration says so', async () => {
    expect(effortIn(await bodyOf(wire, {}))).toBeUndefined();
    const body = await bodyOf(wire, { settings: { reasoning: 'high' } }, { config: { reasoning: null } });
    expect(effortIn(body)).toBeUndefined();
  });

  test.each([
    [1, 1000, 'low'],
    [199, 1000, 'low'],
    [200, 1000, 'medium'],
    [499, 1000, 'medium'],
    [500, 1000, 'high'],
    [5000, 1000, 'high'],
    [3000, undefined, 'low'],
    [9000, undefined, 'high'],
  ] as const)('a budget of %s of %s is %s', async (reasoningTokens, maxOutputTokens, effort) => {
    const settings = { reasoningTokens, ...(maxOutputTokens ? { maxOutputTokens } : {}) };
    expect(effortIn(await bodyOf(wire, { settings }))).toBe(effort);
  });

  test('a word of the configuration is sent as it is, to any model', async () => {
    for (const model of ['gpt-5.4', 'gpt-4o', 'my-deployment']) {
      const body = await bodyOf(wire, { settings: { reasoning: 'low' } }, { model, config: { reasoning: 'xhigh' } });
      expect(effortIn(body)).toBe('xhigh');
    }
  });

  test('a model that is told not to think may be told how to choose its words, if it takes that', async () => {
    const thinking = { temperature: 0.2, reasoning: 'none' } as const;
    expect(await bodyOf(wire, { settings: thinking })).toMatchObject({ temperature: 0.2 });
    expect(await bodyOf(wire, { settings: thinking }, { model: 'gpt-5' })).not.toHaveProperty('temperature');
  });
});

test('a summary is asked for only by a configuration: it needs a verified organisation', async () => {
  const request = { settings: { reasoning: 'high' } } as const;
  expect((await bodyOf(openaiResponses, request)).reasoning).toEqual({ effort: 'high' });
  for (const providerOptions of [{ reasoningSummary: 'auto' }, { openai: { reasoningSummary: 'auto' } }]) {
    const body = await bodyOf(openaiResponses, request, { config: { custom: { providerOptions } } });
    expect(body.reasoning).toEqual({ effort: 'high', summary: 'auto' });
  }
});

test('a model nobody knows thinks encrypted, if it is to think', async () => {
  const body = await bodyOf(openaiResponses, { settings: { reasoning: 'high' } }, { model: 'my-deployment' });
  expect(body).toMatchObject({ include: ['reasoning.encrypted_content'], reasoning: { effort: 'high' } });
});

test('our rule for names is that of the package', () => {
  const models = Object.entries(openaiModelCatalog).flatMap(([id, { capabilities }]) =>
    capabilities.language ? [[id, capabilities.language.reasoning.support === true] as const] : [],
  );
  expect(models.length).toBeGreaterThan(30);
  for (const [id, thinks] of models) expect([id, familyOf(id)]).toEqual([id, thinks ? 'reasoning' : 'plain']);
});

const object = { type: 'object', properties: { city: { type: 'string' } } } as const;
const tool = { name: 'weather', description: 'The weather.', inputSchema: object };

/** The format of the reply, wherever this API has it. */
function formatIn(body: Body): unknown {
  const format = (body.text as Body | undefined)?.format ?? body.response_format;
  const inner = (format as Body | undefined)?.json_schema as Body | undefined;
  return inner ? { type: 'json_schema', ...inner } : format;
}

/** A tool without the shell that chat completions put around it. */
function toolsIn(body: Body): readonly Body[] {
  const tools = (body.tools ?? []) as readonly Body[];
  return tools.map(({ function: inner, type, ...rest }) => ({ type, ...(inner as Body), ...rest }));
}

describe.each([openaiResponses, openaiChat])('contracts and tools, $label', (wire) => {
  test('a schema is sent, not strictly, and tools beside it', async () => {
    const body = await bodyOf(wire, { tools: [tool], output: { format: 'json', schema: object } });
    expect(formatIn(body)).toEqual({ type: 'json_schema', strict: false, name: 'response', schema: object });
    expect(toolsIn(body)).toEqual([
      { type: 'function', name: 'weather', description: 'The weather.', parameters: object, strict: false },
    ]);
  });

  test('without a schema, any object is asked for where JSON is spoken of', async () => {
    const output = { format: 'json' } as const;
    expect(formatIn(await bodyOf(wire, { output }))).toBeUndefined();
    expect(formatIn(await bodyOf(wire, { output, system: 'Answer in Json.' }))).toEqual({ type: 'json_object' });
    const messages = [userMessage('As JSON, please.')];
    expect(formatIn(await bodyOf(wire, { output, messages }))).toEqual({ type: 'json_object' });
  });

  test.each([
    [{ type: 'array', items: {} }, undefined],
    [{ anyOf: [object, { type: 'null' }] }, undefined],
    [{ ...object, anyOf: [{ required: ['city'] }] }, { type: 'json_object' }],
  ])('a schema that is refused at its root is left to our own validation: %j', async (schema, format) => {
    expect(formatIn(await bodyOf(wire, { output: { format: 'json', schema }, system: 'JSON.' }))).toEqual(format);
  });

  test('no schema is sent where the configuration says so', async () => {
    const request = { system: 'JSON.', output: { format: 'json', schema: object } } as const;
    const body = await bodyOf(wire, request, { config: { supportsStructuredOutputs: false } });
    expect(formatIn(body)).toEqual({ type: 'json_object' });
  });

  test('a list may be of anything, if nobody says of what', async () => {
    const list = { type: ['array', 'null'] };
    const schema = { type: 'object', properties: { a: list, type: { enum: [{ type: 'array' }] }, b: { items: list } } };
    const sent = {
      type: 'object',
      properties: {
        a: { ...list, items: {} },
        type: { enum: [{ type: 'array' }] },
        b: { items: { ...list, items: {} } },
      },
    };
    const body = await bodyOf(wire, { tools: [{ ...tool, inputSchema: schema }], output: { format: 'json', schema } });
    expect([toolsIn(body)[0]?.parameters, (formatIn(body) as Body).schema]).toEqual([sent, sent]);
  });

  test.each([
    [{}, { type: 'object', properties: {} }],
    [{ type: 'object' }, { type: 'object', properties: {} }],
    [
      { type: 'object', additionalProperties: false },
      { type: 'object', additionalProperties: false, properties: {} },
    ],
    [
      { oneOf: [{ properties: { a: { type: 'string' } } }, { properties: { b: {} } }, true], required: ['c'] },
      { type: 'object', properties: { a: { type: 'string' }, b: {} }, required: ['c'] },
    ],
    [
      { $ref: '#/$defs/In', $defs: { In: { type: 'object', properties: { a: {} } } } },
      { type: 'object', properties: { a: {} }, $defs: { In: { type: 'object', properties: { a: {} } } } },
    ],
  ])('the parameters %j are an object with properties', async (inputSchema, parameters) => {
    expect(toolsIn(await bodyOf(wire, { tools: [{ ...tool, inputSchema }] }))[0]?.parameters).toEqual(parameters);
  });

  const messages: Message[] = [
    userMessage('Hi'),
    { role: 'assistant', content: [{ type: 'tool-call', id: 'a', name: 'weather', input: '{}' }] },
    { role: 'tool', content: [{ type: 'tool-result', id: 'a', name: 'weather', text: 'Sunny.', isError: false }] },
  ];

  test('tools that may not be called now are named, so that the kept beginning stays', async () => {
    const before = await bodyOf(wire, { tools: [tool], messages });
    const last = await bodyOf(wire, { tools: [], withheld: [tool], messages });
    expect(before.tool_choice ?? 'auto').toBe('auto');
    expect(last).toEqual({ ...before, tool_choice: 'none' });
  });

  test('who has to call a tool is told so, until it has', async () => {
    const config = { toolChoice: 'required' } as const;
    expect(await bodyOf(wire, { tools: [tool] }, { config })).toMatchObject({ tool_choice: 'required' });
    expect((await bodyOf(wire, { tools: [tool], messages }, { config })).tool_choice ?? 'auto').toBe('auto');
  });

  test('unless none was called, then they are not', async () => {
    expect(Object.keys(await bodyOf(wire, { withheld: [tool] })).filter((key) => key.startsWith('tool'))).toEqual([]);
  });

  test('formats that are not to be sent are not, withheld or not', async () => {
    const inputSchema = { type: 'object', properties: { at: { type: 'string', format: 'date' } } };
    const config = { stringSchemaFormatsDenied: 'date' };
    for (const fields of [{ tools: [{ ...tool, inputSchema }] }, { withheld: [{ ...tool, inputSchema }] }])
      expect(toolsIn(await bodyOf(wire, { messages, ...fields }, { config }))[0]?.parameters).toEqual({
        type: 'object',
        properties: { at: { type: 'string' } },
      });
  });
});

describe('files', () => {
  const file = (mediaType: string, data: string, name?: string): Message => ({
    role: 'user',
    content: [
      { type: 'text', text: 'Look.' },
      { type: 'file', mediaType, data, ...(name ? { name } : {}) },
    ],
  });
  const partOf = async (wire: Wire, message: Message) => {
    const body = await bodyOf(wire, { system: '', messages: [message] });
    return ((body.input ?? body.messages) as readonly { content: readonly Body[] }[])[0]?.content[1];
  };

  test.each([
    ['an image', file('image/png', 'aGk='), { type: 'input_image', image_url: 'data:image/png;base64,aGk=' }],
    [
      'one in a data address',
      file('image/png', 'data:image/png;base64,aGk='),
      { type: 'input_image', image_url: 'data:image/png;base64,aGk=' },
    ],
    [
      'one elsewhere',
      file('image/png', 'https://a.test/b.png'),
      { type: 'input_image', image_url: 'https://a.test/b.png' },
    ],
    [
      'a PDF',
      file('application/pdf', 'aGk=', 'a.pdf'),
      { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,aGk=' },
    ],
    [
      'one elsewhere',
      file('application/pdf', 'https://a.test/b.pdf'),
      { type: 'input_file', file_url: 'https://a.test/b.pdf' },
    ],
    [
      'a table',
      file('text/csv', 'aGk=', 'a.csv'),
      { type: 'input_file', filename: 'a.csv', file_data: 'data:text/csv;base64,aGk=' },
    ],
  ])('%s, in responses', async (_, message, part) => {
    expect(await partOf(openaiResponses, message)).toEqual(part);
  });

  test.each([
    ['an image', file('image/png', 'aGk='), { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } }],
    [
      'one elsewhere',
      file('image/png', 'https://a.test/b.png'),
      { type: 'image_url', image_url: { url: 'https://a.test/b.png' } },
    ],
    [
      'a PDF',
      file('application/pdf', 'aGk=', 'a.pdf'),
      { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,aGk=' } },
    ],
  ])('%s, in chat', async (_, message, part) => {
    expect(await partOf(openaiChat, message)).toEqual(part);
  });

  test('a PDF elsewhere cannot be said in chat, and nobody is asked', async () => {
    const { model, requests } = await serveWire(openaiChat, [{ text: 'Hello' }]);
    const messages = [file('application/pdf', 'https://a.test/b.pdf')];
    const failure = await failureOf(model.call(requestOf({ messages }), contextOf()));
    expect(failure).toMatchObject({ code: 'model-request-refused', retryable: false });
    expect(requests).toEqual([]);
  });
});
