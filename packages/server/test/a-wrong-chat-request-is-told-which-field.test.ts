// The promise: a wrong request to chat completions is told in OpenAI's shape what is wrong and in which field, before anything runs.

import { expect, test } from 'vitest';
import { agentOf } from './contract/people.ts';
import { ask, openaiApp, readRefusal, requestsOf } from './support/openai-app.ts';

const said = (...messages: readonly object[]) => ({ model: 'echo', messages });
const user = { role: 'user', content: 'Go.' };
const call = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } };
const calls = (...all: readonly object[]) => ({ role: 'assistant', content: null, tool_calls: all });
const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'done' });
const format = (response_format: unknown) => ({ ...ask('echo'), response_format });
const tools = (...all: readonly unknown[]) => ({ ...ask('echo'), tools: all });
const f = { type: 'function', function: { name: 'f' } };

const missing = 'missing_required_parameter';

test.each<readonly [what: string, body: unknown, param: string | null, code: string | null]>([
  ['no JSON', '{', null, null],
  ['no object', [], null, null],
  ['an empty body', '', null, null],
  ['no model', { messages: [user] }, 'model', missing],
  ['a model that is no name', { ...ask('echo'), model: 7 }, 'model', 'invalid_type'],
  ['no messages', { model: 'echo' }, 'messages', missing],
  ['messages that are none', { model: 'echo', messages: 'Go.' }, 'messages', 'invalid_type'],
  ['an empty conversation', said(), 'messages', 'empty_array'],
  ['a message that is none', { model: 'echo', messages: ['Go.'] }, 'messages[0]', 'invalid_type'],
  ['no role', said({ content: 'Go.' }), 'messages[0].role', missing],
  ['a role that nobody has', said({ role: 'king', content: 'Go.' }), 'messages[0].role', 'invalid_value'],
  ['nothing said', said({ role: 'user' }), 'messages[0].content', missing],
  ['content that is none', said({ role: 'user', content: 7 }), 'messages[0].content', 'invalid_type'],
  ['no parts', said({ role: 'user', content: [] }), 'messages[0].content', 'empty_array'],
  ['a part that is none', ask('echo', ['Go.']), 'messages[0].content[0]', 'invalid_type'],
  ['a part of no kind', ask('echo', [{ text: 'Go.' }]), 'messages[0].content[0].type', missing],
  ['a part of an unknown kind', ask('echo', [{ type: 'toString' }]), 'messages[0].content[0].type', 'invalid_value'],
  ['text without text', ask('echo', [{ type: 'text' }]), 'messages[0].content[0].text', missing],
  [
    'a picture without address',
    ask('echo', [{ type: 'image_url' }]),
    'messages[0].content[0].image_url.url',
    'invalid_type',
  ],
  [
    'a picture on this machine',
    ask('echo', [{ type: 'image_url', image_url: { url: 'file:///etc/passwd' } }]),
    'messages[0].content[0].image_url.url',
    'invalid_value',
  ],
  [
    'a file that was never sent',
    ask('echo', [{ type: 'file', file: { file_id: 'file-1' } }]),
    'messages[0].content[0].file.file_id',
    'invalid_value',
  ],
  [
    'a picture in a system message',
    said({ role: 'system', content: [{ type: 'image_url', image_url: { url: 'https://a.example/b.png' } }] }, user),
    'messages[0].content[0].type',
    'invalid_value',
  ],
  ['an assistant at the end', said(user, { role: 'assistant', content: 'Gone.' }), 'messages[1]', 'invalid_value'],
  ['an assistant alone', said({ role: 'assistant', content: '' }), 'messages[0]', 'invalid_value'],
  ['a call without an id', said(user, calls({ ...call, id: undefined })), 'messages[1].tool_calls[0].id', missing],
  ['two calls of one id', said(user, calls(call, call)), 'messages[1].tool_calls[1].id', 'invalid_value'],
  ['a call of no function', said(user, calls({ id: 'c1' })), 'messages[1].tool_calls[0].function', missing],
  ['a call without a result', said(user, calls(call), user), 'messages[1].tool_calls', 'invalid_value'],
  ['a call at the end', said(user, calls(call)), 'messages[1].tool_calls', 'invalid_value'],
  [
    'one of two results',
    said(user, calls(call, { ...call, id: 'c2' }), result('c2')),
    'messages[1].tool_calls',
    'invalid_value',
  ],
  ['a result without a call', said(user, result('c1')), 'messages[1].tool_call_id', 'invalid_value'],
  ['a result of another call', said(user, calls(call), result('c2')), 'messages[2].tool_call_id', 'invalid_value'],
  ['two results of one call', said(user, calls(call), result('c1'), result('c1')), 'messages[3]', 'invalid_value'],
  [
    'a result that names no call',
    said(user, calls(call), { role: 'tool', content: 'a' }),
    'messages[2].tool_call_id',
    missing,
  ],
  [
    'a result without content',
    said(user, calls(call), { role: 'tool', tool_call_id: 'c1' }),
    'messages[2].content',
    missing,
  ],
  ['tools that are no list', { ...ask('echo'), tools: {} }, 'tools', 'invalid_type'],
  ['a tool of no kind', tools({ function: { name: 'f' } }), 'tools[0].type', missing],
  ['a function without a name', tools({ type: 'function', function: {} }), 'tools[0].function.name', missing],
  ['a function that is none', tools({ type: 'function' }), 'tools[0].function', missing],
  ['a custom tool without a name', tools({ type: 'custom', custom: {} }), 'tools[0].custom.name', missing],
  [
    'parameters that are no schema',
    tools({ type: 'function', function: { name: 'f', parameters: 'x' } }),
    'tools[0].function.parameters',
    'invalid_type',
  ],
  [
    'a choice of a tool that is not there',
    { ...tools(f), tool_choice: { type: 'function', function: { name: 'g' } } },
    'tool_choice',
    'invalid_value',
  ],
  ['several answers', { ...ask('echo'), n: 2 }, 'n', 'unsupported_value'],
  ['a stream that is neither', { ...ask('echo'), stream: 'yes' }, 'stream', 'invalid_type'],
  ['a format that is none', format('json'), 'response_format', 'invalid_type'],
  ['a format of no kind', format({}), 'response_format.type', missing],
  ['an unknown format', format({ type: 'xml' }), 'response_format.type', 'invalid_value'],
  ['a schema that is missing', format({ type: 'json_schema' }), 'response_format.json_schema', missing],
  [
    'a schema without a name',
    format({ type: 'json_schema', json_schema: { schema: {} } }),
    'response_format.json_schema.name',
    missing,
  ],
  [
    'a schema that is none',
    format({ type: 'json_schema', json_schema: { name: 'a', schema: { type: 'thing' } } }),
    'response_format.json_schema.schema',
    'invalid_value',
  ],
])('%s', async (_what, body, param, code) => {
  const agent = agentOf('echo', () => 'Yes?');
  const { status, error, headers } = await openaiApp([agent]).refused(body);
  expect([status, error.type, error.param, error.code]).toEqual([400, 'invalid_request_error', param, code]);
  expect([error.ai_agent.class, error.ai_agent.code]).toEqual(['usage', 'request-invalid']);
  // The official clients try again by themselves unless they are told.
  expect(headers.get('x-should-retry')).toBe('false');
  if (param !== null) expect(error.message).toMatch(/\w/);
  expect(requestsOf(agent)).toEqual([]);
});

test('what is wrong is said in a sentence, with what to do', async () => {
  const { error } = await openaiApp([agentOf('echo', () => 'Yes?')]).refused(said(user, calls(call), user));
  expect(error.message).toBe(
    'The calls of messages[1] must be followed by their results; these have none: c1. ' +
      'Send a message of the role tool for each call, right after the message that has them.',
  );
});

test('of a long list the first are named', async () => {
  const ids = Array.from({ length: 12 }, (_, index) => `c${index}`);
  const app = openaiApp([agentOf('echo', () => 'Yes?')]);
  const { error } = await app.refused(said(user, calls(...ids.map((id) => ({ ...call, id })))));
  expect(error.message).toContain('these have none: c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, ….');
});

test('as many messages, calls and tools as a body can hold keep nobody waiting', async () => {
  const ids = Array.from({ length: 50_000 }, (_, index) => `c${index}`);
  const words = ids.flatMap(() => [user, { role: 'system', content: 'Be brief.' }]);
  const made = calls(...ids.map((id) => ({ ...call, id })));
  const many = said(...words, made, ...ids.slice(1).map(result), user);
  const app = openaiApp([agentOf('echo', () => 'Yes?')]);
  const all = ids.map((name) => ({ type: 'function', function: { name } }));
  const before = process.threadCpuUsage();
  const { error } = await app.refused({
    ...many,
    tools: all,
    tool_choice: { type: 'function', function: { name: 'c0' } },
  });
  expect(error.message).toContain('these have none: c0.');
  // Where each is held against all others it takes more than twice that.
  const { user: ours, system } = process.threadCpuUsage(before);
  expect((ours + system) / 1_000).toBeLessThan(5_000);
});

test('the name of the model is judged before the rest', async () => {
  const { status, error } = await openaiApp([agentOf('echo', ['a'])]).refused({ model: 'ecco' });
  expect([status, error.param, error.code]).toEqual([404, 'model', 'model_not_found']);
  expect(error.message).toMatch(/^No agent ecco is served here\. Did you mean echo\?/);
});

test('a body may be large, and has its bound', async () => {
  const app = openaiApp([agentOf('echo', ['a'])], { openai: { maxBodyBytes: 100 } });
  const { status, error } = await app.refused(ask('echo', 'x'.repeat(100)));
  expect([status, error.type, error.ai_agent.code]).toEqual([413, 'invalid_request_error', 'request-too-large']);
});

test.each(['GET', 'PUT', 'DELETE', 'PATCH'])('%s is no way to ask', async (method) => {
  const { app } = openaiApp([agentOf('echo', ['a'])]);
  const { status, headers, error } = await readRefusal(await app.request('/v1/chat/completions', { method }));
  expect([status, headers.get('allow'), error.code]).toEqual([405, 'POST', 'method_not_supported']);
});
