// A plain completion is read at once, and means the same as when the provider package reads it; an odd one is left to the package.

import { OpenAICompatibleChatLanguageModel } from '@ai-sdk/openai-compatible';
import { describe, expect, test } from 'vitest';
import { fromReply } from '../src/from-reply.ts';
import { mended } from '../src/providers/chat/chat-fields.ts';
import { readPlain } from '../src/providers/chat/read-plain.ts';
import { toUsage } from '../src/providers/chat/wire-usage.ts';

const chat = new OpenAICompatibleChatLanguageModel('m', {
  provider: 'p.chat',
  url: () => 'http://localhost',
  headers: {},
  convertUsage: toUsage,
});

const usage = { prompt_tokens: 12, completion_tokens: 3 };
const call = (id: string, input: unknown = '{"a":1}') => ({
  id,
  type: 'function',
  function: { name: 'look', arguments: input },
});
const body = (message: object, more: object = {}, finish_reason: unknown = 'stop') => ({
  id: 'c1',
  model: 'served',
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason }],
  usage,
  ...more,
});

describe('plain', () => {
  test.each([
    ['text', body({ content: 'hello' })],
    ['nothing', body({ content: '' })],
    ['empty fields beside it', body({ content: 'hello', refusal: null, annotations: [], tool_calls: null })],
    ['calls', body({ content: null, tool_calls: [call('a'), call('b', '{')] }, {}, 'tool_calls')],
    ['text and calls', body({ content: 'so', tool_calls: [call('a')] }, {}, 'tool_calls')],
    ['cut', body({ content: 'hel' }, {}, 'length')],
    ['no name of a model', body({ content: 'hello' }, { model: undefined })],
    [
      'details',
      body(
        { content: 'x' },
        {
          usage: {
            ...usage,
            prompt_tokens_details: { cached_tokens: 4 },
            completion_tokens_details: { reasoning_tokens: 1 },
          },
        },
      ),
    ],
  ])('%s', async (_name, reply) => {
    const plain = readPlain(reply);
    if (!plain) expect.unreachable();
    const read = await chat.convertResponse({ body: mended(reply) });
    expect(fromReply(plain, { boundTo: 'p' })).toEqual(fromReply(read, { boundTo: 'p' }));
  });
});

describe('not plain, and left to the package', () => {
  test.each([
    ['reasoning', body({ content: 'x', reasoning_content: 'hm' })],
    ['reasoning by another name', body({ content: 'x', reasoning: 'hm' })],
    ['a refusal', body({ content: null, refusal: 'no' })],
    ['parts instead of text', body({ content: [{ type: 'text', text: 'x' }] })],
    ['a signature', body({ tool_calls: [{ ...call('a'), extra_content: { google: {} } }] }, {}, 'tool_calls')],
    ['the same id twice', body({ tool_calls: [call('a'), call('a')] }, {}, 'tool_calls')],
    ['no id', body({ tool_calls: [call('')] }, {}, 'tool_calls')],
    ['arguments that are no text', body({ tool_calls: [call('a', { a: 1 })] }, {}, 'tool_calls')],
    ['an unknown end', body({ content: 'x' }, {}, 'eos')],
    ['no end', body({ content: 'x' }, {}, null)],
    ['no figures', body({ content: 'x' }, { usage: undefined })],
    ['figures that are none', body({ content: 'x' }, { usage: { ...usage, prompt_tokens: '12' } })],
    ['no choices', { ...body({}), choices: [] }],
  ])('%s', (_name, reply) => {
    expect(readPlain(reply)).toBeUndefined();
  });
});
