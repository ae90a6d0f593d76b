// The promise: a file of a conversation is sent whole, or is at an address of the web; what else is named as one is refused, wherever it hides.

import { expect, test } from 'vitest';
import { agentOf } from './contract/people.ts';
import { anthropicApp } from './support/anthropic-app.ts';
import { ask, openaiApp, requestsOf } from './support/openai-app.ts';
import { responsesApp } from './support/responses-app.ts';

const text = { type: 'text', text: 'What is it?' };
const elsewhere = [
  'file:///etc/passwd',
  'FILE:///etc/passwd',
  'ftp://127.0.0.1/x',
  'javascript:1',
  'http:',
  'data:image/png;base64,file:///etc/passwd',
  'data:image/png;base64,http://127.0.0.1/x',
];

test.each(elsewhere)('in a chat: %s', async (url) => {
  const { refused } = openaiApp([agentOf('teller', () => 'Told.')]);
  const parts = [
    { type: 'image_url', image_url: { url } },
    { type: 'file', file: { filename: 'a.pdf', file_data: url } },
    { type: 'input_audio', input_audio: { format: 'wav', data: url } },
  ];
  for (const part of parts) expect((await refused(ask('teller', [text, part]))).status).toBe(400);
});

test.each(elsewhere)('in a response: %s', async (url) => {
  const { refused } = responsesApp([agentOf('teller', () => 'Told.')]);
  const parts = [
    { type: 'input_image', image_url: url },
    { type: 'input_file', file_data: url },
    { type: 'input_file', file_url: url },
    { type: 'input_video', video_url: url },
  ];
  for (const part of parts)
    expect((await refused({ model: 'teller', input: [{ role: 'user', content: [part] }] })).status).toBe(400);
});

test.each(elsewhere)('in a message: %s', async (url) => {
  const { refusal } = anthropicApp([agentOf('teller', () => 'Told.')]);
  const sources = [
    { type: 'url', url },
    { type: 'base64', media_type: 'image/png', data: url },
  ];
  for (const source of sources)
    for (const type of ['image', 'document'])
      expect(await refusal({ messages: [{ role: 'user', content: [text, { type, source }] }] })).toMatchObject([
        400,
        'invalid_request_error',
        expect.stringContaining('messages.0.content.1.source'),
      ]);
});

test('what ends like a word of the language is a file like others', async () => {
  const agent = agentOf('teller', () => 'Told.');
  const { complete } = openaiApp([agent]);
  const file = { filename: 'a.constructor', file_data: 'aGk=' };
  await complete(ask('teller', [text, { type: 'file', file }]));
  expect(requestsOf(agent)[0]?.messages[0]).toMatchObject({
    content: [{}, { type: 'file', mediaType: 'application/pdf' }],
  });
});
