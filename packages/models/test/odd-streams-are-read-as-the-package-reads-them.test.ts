// Our lean way of reading a stream gives what the provider package itself would give, oddities of servers included.

import { callsOf, type Model, type ModelReply, type ToolCallPart, textOf } from '@ai-agent/core';
import { createTransport, fromLanguageModel } from '@ai-agent/models';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { expect, onTestFinished, test } from 'vitest';
import { contextOf, modelAt, requestOf } from './support/calling.ts';
import { serve } from './support/raw-server.ts';

const chunk = (delta: object, more: object = {}) => ({ id: '1', model: 'm', choices: [{ index: 0, delta, ...more }] });
const call = (fields: object, index?: number) =>
  chunk({ tool_calls: [index === undefined ? fields : { index, ...fields }] });
const finish = (reason: string) => chunk({}, { finish_reason: reason });

const streams: Record<string, readonly object[]> = {
  'an empty frame first, usage with the finish': [
    { id: '', model: '', choices: [] },
    chunk({ role: 'assistant', content: '' }),
    chunk({ content: 'Hello' }),
    { ...finish('stop'), usage: { prompt_tokens: 4, completion_tokens: 2 } },
  ],
  'the last words in the chunk of the finish': [
    chunk({ content: 'Hel' }),
    chunk({ content: 'lo' }, { finish_reason: 'stop' }),
  ],
  'reasoning under both names': [
    chunk({ reasoning: 'Hm. ' }),
    chunk({ reasoning_content: 'So.' }),
    chunk({ content: 'Yes' }),
    finish('stop'),
  ],
  'content as a list of parts': [
    chunk({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }] }),
    chunk({ content: [{ type: 'text', text: 'Yes' }] }),
    finish('stop'),
  ],
  'a refusal': [chunk({ content: null, refusal: 'I will' }), chunk({ refusal: ' not.' }), finish('stop')],
  'two calls in turns': [
    call({ id: 'a', type: 'function', function: { name: 'add', arguments: '' } }, 0),
    call({ id: 'b', type: 'function', function: { name: 'sub', arguments: '' } }, 1),
    call({ function: { arguments: '{"x"' } }, 0),
    call({ function: { arguments: '{"y"' } }, 1),
    call({ function: { arguments: ':1}' } }, 0),
    call({ function: { arguments: ':2}' } }, 1),
    finish('tool_calls'),
  ],
  'whole calls without an index': [
    call({ id: 'a', function: { name: 'add', arguments: '{"x":1}' } }),
    call({ id: 'b', function: { name: 'add', arguments: '{"x":2}' } }),
    finish('tool_calls'),
  ],
  'one index for two calls': [
    call({ id: 'a', function: { name: 'add', arguments: '{"x":1}' } }, 0),
    call({ id: 'b', function: { name: 'add', arguments: '{"x":2}' } }, 0),
    finish('tool_calls'),
  ],
  'a name that comes late, and again': [
    call({ id: 'a', function: { arguments: '{"x"' } }, 0),
    call({ function: { name: 'add', arguments: ':' } }, 0),
    call({ function: { name: '', arguments: '1}' } }, 0),
    finish('tool_calls'),
  ],
  'an id and a signature that come late': [
    call({ function: { arguments: '{"x"' } }, 0),
    call({ id: 'a', function: {}, extra_content: { google: { thought_signature: 'sig' } } }, 0),
    call({ id: 'b', function: { name: 'add', arguments: ':1}' } }, 0),
    finish('tool_calls'),
  ],
  'a call that is finished with stop': [
    call({ id: 'a', function: { name: 'add', arguments: '{}' } }, 0),
    finish('stop'),
  ],
  'a signature for the call': [
    call(
      { id: 'a', function: { name: 'add', arguments: '{}' }, extra_content: { google: { thought_signature: 'sig' } } },
      0,
    ),
    finish('tool_calls'),
  ],
  'a new id in every piece': [
    call({ id: 'a', function: { name: 'add', arguments: '' } }, 0),
    call({ id: 'b', function: { arguments: '{"x":' } }, 0),
    call({ id: 'c', function: { arguments: '1}' } }, 0),
    finish('tool_calls'),
  ],
  'one id for two indices': [
    call({ id: 'a', function: { name: 'add', arguments: '{"x":1}' } }, 0),
    call({ id: 'a', function: { name: 'sub', arguments: '{"y":2}' } }, 1),
    finish('tool_calls'),
  ],
  'one index and no ids for two names': [
    call({ function: { name: 'add', arguments: '{"x":1}' } }, 0),
    call({ function: { name: 'sub', arguments: '{"y":2}' } }, 0),
    finish('tool_calls'),
  ],
  'one index and no ids for the same name twice': [
    call({ function: { name: 'add', arguments: '{"x":1}' } }, 0),
    call({ function: { name: 'add', arguments: '{"x":2}' } }, 0),
    finish('tool_calls'),
  ],
  'neither index nor ids': [
    call({ function: { name: 'add', arguments: '{"x":1}' } }),
    call({ function: { name: 'sub', arguments: '{"y":2}' } }),
    finish('tool_calls'),
  ],
  'pieces in turns, by id alone': [
    call({ id: 'a', function: { name: 'add', arguments: '{"x"' } }),
    call({ id: 'b', function: { name: 'sub', arguments: '{"y"' } }),
    call({ id: 'a', function: { arguments: ':1}' } }),
    call({ id: 'b', function: { arguments: ':2}' } }),
    finish('tool_calls'),
  ],
  'calls out of order': [
    call({ id: 'b', function: { name: 'sub', arguments: '{}' } }, 1),
    call({ id: 'a', function: { name: 'add', arguments: '{}' } }, 0),
    finish('tool_calls'),
  ],
  'a blank name': [call({ id: 'a', function: { name: ' ', arguments: '{"x":1}' } }, 0), finish('tool_calls')],
  'no name at all': [call({ id: 'a', function: { arguments: '{"x":1}' } }, 0), finish('tool_calls')],
  'no arguments': [call({ id: 'a', function: { name: 'add', arguments: null } }, 0), finish('tool_calls')],
  'a call without a function': [call({ id: 'a' }, 0), finish('tool_calls')],
  'an id that is a number': [call({ id: 7, function: { name: 'add', arguments: '{}' } }, 0), finish('tool_calls')],
  'text that is a number': [chunk({ content: 'It is ' }), chunk({ content: 42 }), finish('stop')],
  'text that is an object': [chunk({ content: { text: 'abc' } }), finish('stop')],
  'a refusal that is none': [chunk({ content: 'Hi', refusal: false }), finish('stop')],
  'a call that is cut by its length': [
    call({ id: 'a', function: { name: 'add', arguments: '{"x":' } }, 0),
    finish('length'),
  ],
};

const framings: Record<string, (chunks: readonly string[]) => string> = {
  'as usual': (chunks) => chunks.map((text) => `data: ${text}\n\n`).join(''),
  'without a space, with CRLF': (chunks) => chunks.map((text) => `data:${text}\r\n\r\n`).join(''),
  'with comments, names and ids': (chunks) =>
    chunks.map((text) => `: ping\n\nevent: x\nid: 7\ndata: ${text}\n\n`).join(''),
  'over several lines': (chunks) => chunks.map((text) => `data: ${text.replace(',', ',\ndata: ')}\n\n`).join(''),
};

test.each(Object.keys(streams))('%s', async (name) => {
  const texts = (streams[name] ?? []).map((one) => JSON.stringify(one));
  for (const [framing, frame] of Object.entries(framings)) {
    const { baseUrl } = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const letter of `${frame(texts)}data: [DONE]\n\n`) response.write(letter);
      response.end();
    });
    expect(await told(await modelAt(baseUrl)), framing).toEqual(await told(packageModel(baseUrl)));
  }
});

function packageModel(baseUrl: string): Model {
  const transport = createTransport();
  onTestFinished(() => transport.close());
  const provider = createOpenAICompatible({
    name: 'local',
    baseURL: baseUrl,
    fetch: transport.fetch,
    includeUsage: true,
  });
  return fromLanguageModel(provider.chatModel('a-model'), { provider: 'local' });
}

/** Everything but the usage, of which the package makes zeros. */
async function told(model: Model) {
  let heard = '';
  const onDelta = ({ type, text }: { type: string; text: string }) => {
    heard += `${type}: ${text}\n`;
  };
  const reply: ModelReply | { readonly code: string } = await model
    .call(requestOf(), contextOf({ onDelta }))
    .catch(({ code }) => ({ code }));
  if (!('message' in reply)) return reply;
  const { message, finishReason, servedBy } = reply;
  const reasoning = message.content.flatMap((part) => (part.type === 'reasoning' ? part.text : [])).join('');
  return { heard, text: textOf(message), reasoning, calls: namedAnew(callsOf(message)), finishReason, servedBy };
}

/** Ids that nobody sent are made, by the package at random: only that they differ counts. */
function namedAnew(calls: readonly ToolCallPart[]): readonly ToolCallPart[] {
  const ids = [...new Set(calls.map(({ id }) => id))];
  return calls.map((call) => ({ ...call, id: call.id.length === 1 ? call.id : `id ${ids.indexOf(call.id)}` }));
}
