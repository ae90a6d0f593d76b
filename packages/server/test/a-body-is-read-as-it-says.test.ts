// The promise: a body is read as its content type says, words or data; what cannot be read is refused, and why.

import type { ModelRequest } from '@ai-agent/core';
import type { ScriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { agentOf } from './contract/people.ts';
import { refusalOf, restApp } from './support/rest-app.ts';

const json = 'application/json';
const form = 'application/x-www-form-urlencoded';

function promptIn({ messages }: ModelRequest): string {
  const first = messages[0];
  return first?.role === 'user' && first.content[0]?.type === 'text' ? first.content[0].text : '';
}

const listener = () => agentOf('listener', promptIn);
const schema = { type: 'object', properties: { format: { type: 'string' } }, required: ['format'] };

test.each([
  ['text', 'What is up?', 'text/plain', 'What is up?'],
  ['text in another case, and its charset', 'Grüße', 'Text/Plain; Charset="UTF-8"', 'Grüße'],
  ['Markdown', '# Up?', 'text/markdown', '# Up?'],
  ['JSON text', '"What is up?"', json, 'What is up?'],
  ['an object with text', '{"text":"What is up?","format":"text"}', json, 'What is up?'],
  ['an object with a prompt', '{"prompt":"What is up?"}', json, 'What is up?'],
  ['an object with q', '{"q":"What is up?"}', json, 'What is up?'],
  ['an object with json', '{"json":{"a":"é"}}', json, '{"a":"é"}'],
  ['any other object', '{"topic":"x","format":"text"}', json, '{"topic":"x"}'],
  ['any other object, whatever is in it', '{"topic":"x","budgt":1}', json, '{"topic":"x","budgt":1}'],
  ['JSON by another name', '{"text":"Up?"}', 'application/problem+json', 'Up?'],
  ['what curl -d sends', 'What is up? 1+1=2 & more%', form, 'What is up? 1+1=2 & more%'],
  ['an object that curl -d sends', ' {"text":"Up?","budget":{"turns":5}}', form, 'Up?'],
  ['what only begins like one', '{"text": what is up?', form, '{"text": what is up?'],
  ['a form with q', 'q=What+is+up%3F', form, 'What is up?'],
  ['a form with text', 'format=text&text=Up%3F', form, 'Up?'],
])('%s', async (_what, body, type, prompt) => {
  const response = await restApp([listener()]).post('/v1/listener', body, type);
  expect([response.status, await response.text()]).toEqual([200, prompt]);
});

test('bytes without a content type are words', async () => {
  const { app } = restApp([listener()]);
  const response = await app.request('/v1/listener', { method: 'POST', body: new TextEncoder().encode('Up, ✓?') });
  expect(await response.text()).toBe('Up, ✓?');
});

test('for an agent with a JSON input the body is its input, all of it', async () => {
  const reader = agentOf('reader', promptIn, { input: { format: 'json', schema } });
  const body = '{"format":"mine","budget":1,"text":"t"}';
  expect(await (await restApp([reader]).post('/v1/reader', body, json)).text()).toBe(body);
  const adder = agentOf('adder', promptIn, { input: { format: 'json', schema: { type: 'array' } } });
  expect(await (await restApp([adder]).post('/v1/adder', '[1, 2]', json)).text()).toBe('[1, 2]');
  const [status, code, message] = await refusalOf(await restApp([reader]).post('/v1/reader', '{"other":1}', json));
  expect([status, code]).toEqual([400, 'session-input-invalid']);
  expect(message).toContain('lacks "format"');
});

test('its JSON may come as words too, in an address or from curl -d', async () => {
  const reader = agentOf('reader', promptIn, { input: { format: 'json', schema } });
  const { get, post } = restApp([reader]);
  expect(await (await post('/v1/reader', '{"format":"x"}', form)).text()).toBe('{"format":"x"}');
  expect(await (await get(`/v1/reader?q=${encodeURIComponent('{"format":"y"}')}`)).text()).toBe('{"format":"y"}');
  expect((await get('/v1/reader?q=words')).status).toBe(400);
});

test('a budget beside the words narrows what the run may use', async () => {
  const { post } = restApp([listener()]);
  const spent = await post('/v1/listener', '{"text":"Up?","budget":{"tokens":1}}', json);
  expect((await refusalOf(spent)).slice(0, 2)).toEqual([402, 'budget-exhausted']);
  const [status, code, message] = await refusalOf(
    await post('/v1/listener', '{"text":"a","budget":{"tokns":1}}', json),
  );
  expect([status, code]).toEqual([400, 'request-invalid']);
  expect(message).toContain('budget.tokns is not known');
});

test.each([
  ['nothing', '', 'text/plain', 'The body is empty: it is what you ask.'],
  ['blanks', ' \n\t', 'text/plain', 'The body is empty: it is what you ask.'],
  ['no JSON at all', '', json, 'The body is empty: it is what you ask.'],
  ['an empty text', '{"text":""}', json, 'The body is empty: it is what you ask.'],
  ['an empty object', '{}', json, 'The body is empty: it is what you ask.'],
  ['an empty field', 'q=', form, 'The body is empty: it is what you ask.'],
  ['broken JSON', '{"text":', json, 'The body is not JSON: '],
  ['a number', '7', json, 'The body must be a JSON string, or an object with text.'],
  ['null', 'null', json, 'The body must be a JSON string, or an object with text.'],
  ['a list', '["a"]', json, 'The body must be a JSON string, or an object with text.'],
  [
    'a slip beside text',
    '{"text":"a","budgt":{}}',
    json,
    'budgt is not known here; known are text, format, schema, budget, session. Did you mean budget?',
  ],
  [
    'a slip beside q',
    '{"q":"a","Format":"json"}',
    json,
    'Format is not known here; known are q, format, schema, budget, session. Did you mean format?',
  ],
  ['something else beside text', '{"text":"a","topic":"b"}', json, 'topic is not known here; '],
  ['text and data', '{"text":"a","json":{"b":1}}', json, 'text and json are the same: send one of them.'],
  ['a slip from curl -d', '{"text":"a","budgt":{}}', form, 'budgt is not known here; '],
  ['a text that is none', '{"text":7}', json, 'text must be text: it is what you ask.'],
  ['a form with a name that is not known', 'q=a&fromat=json', form, 'fromat is not known here; '],
  ['a form with a name twice', 'q=a&q=b', form, 'q is there more than once.'],
  ['a form with both names', 'q=a&text=b', form, 'q and text are the same: send one of them.'],
  ['a form that is broken', 'q=%E0%A4', form, 'q is not URL-encoded UTF-8.'],
  ['another charset', 'a', 'text/plain; charset=latin1', 'The body must be UTF-8, '],
  ['parts', '--x--', 'multipart/form-data; boundary=x', 'Bodies of this content type are not taken.'],
  ['bytes', 'a', 'application/octet-stream', 'Bodies of this content type are not taken.'],
  ['a type that is none', 'a', 'nonsense', 'Bodies of this content type are not taken.'],
])('refused: %s', async (_what, body, type, message) => {
  const agent = listener();
  const [status, code, said] = await refusalOf(await restApp([agent]).post('/v1/listener', body, type));
  expect([status, code, said.slice(0, message.length)]).toEqual([400, 'request-invalid', message]);
  expect((agent.model as ScriptedModel).requests).toEqual([]);
});

test('what is no text, is packed, or is nested without end is refused', async () => {
  const { app, post } = restApp([listener()]);
  const bytes = new Uint8Array([0x61, 0xff, 0xfe]);
  expect(await refusalOf(await post('/v1/listener', bytes, 'text/plain'))).toMatchObject([
    400,
    'request-invalid',
    /UTF-8/,
  ]);
  const headers = { 'content-encoding': 'gzip' };
  const packed = await app.request('/v1/listener', { method: 'POST', body: 'a', headers });
  expect(await refusalOf(packed)).toMatchObject([400, 'request-invalid', /gzip/]);
  const deep = `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
  expect((await refusalOf(await post('/v1/listener', deep, json))).slice(0, 2)).toEqual([400, 'request-invalid']);
  const data = agentOf('data', [], { input: { format: 'json' } });
  const deepData = await restApp([data]).post('/v1/data', deep, json);
  expect((await refusalOf(deepData)).slice(0, 2)).toEqual([400, 'request-invalid']);
});
