// The promise: a chat server gets images and files as it takes them, and each result of a tool, also one that is an error.

import type { Message } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { contextOf, failureOf, requestOf } from './support/calling.ts';
import { chat } from './support/wires/chat.ts';
import { serveWire } from './support/wires/serve-wire.ts';

async function sent(messages: readonly Message[]) {
  const { model, requests } = await serveWire(chat, [{ text: 'So.' }]);
  await model.call(requestOf({ system: '', messages }), contextOf());
  return requests[0]?.body.messages;
}

const file = (mediaType: string, data: string, name?: string): Message => ({
  role: 'user',
  content: [
    { type: 'text', text: 'Look.' },
    { type: 'file', mediaType, data, ...(name ? { name } : {}) },
  ],
});
const pdf = Buffer.from('%PDF-1.4').toString('base64');

test.each([
  [
    'an image',
    file('image/png', 'iVBORw0KGgo='),
    { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
  ],
  [
    'an image at an address',
    file('image/png', 'https://host.test/a.png'),
    { type: 'image_url', image_url: { url: 'https://host.test/a.png' } },
  ],
  [
    'a PDF',
    file('application/pdf', pdf, 'a.pdf'),
    { type: 'file', file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${pdf}` } },
  ],
  ['a text', file('text/plain', Buffer.from('Words ☃').toString('base64')), { type: 'text', text: 'Words ☃' }],
  ['a sound', file('audio/wav', 'UklGRg=='), { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } }],
])('%s', async (_, message, part) => {
  expect(await sent([message])).toEqual([{ role: 'user', content: [{ type: 'text', text: 'Look.' }, part] }]);
});

test('what it cannot take is refused before anybody is asked', async () => {
  const { model, requests } = await serveWire(chat, [{ text: 'So.' }]);
  const request = requestOf({ messages: [file('application/zip', 'UEsDBA==')] });
  const failure = await failureOf(model.call(request, contextOf()));
  expect([failure.code, failure.message, requests.length]).toEqual([
    'model-request-refused',
    expect.stringContaining('application/zip'),
    0,
  ]);
});

test('results, each under the id of its call', async () => {
  const call = (id: string) => ({ type: 'tool-call', id, name: 'look', input: '{"at":1}' }) as const;
  const result = (id: string, text: string, isError: boolean) =>
    ({ type: 'tool-result', id, name: 'look', text, isError }) as const;
  expect(
    await sent([
      { role: 'assistant', content: [call('a'), call('b')] },
      { role: 'tool', content: [result('a', 'Seen.', false), result('b', 'It is dark.', true)] },
    ]),
  ).toEqual([
    {
      role: 'assistant',
      content: null,
      tool_calls: ['a', 'b'].map((id) => ({ id, type: 'function', function: { name: 'look', arguments: '{"at":1}' } })),
    },
    { role: 'tool', tool_call_id: 'a', content: 'Seen.' },
    { role: 'tool', tool_call_id: 'b', content: 'It is dark.' },
  ]);
});
