// The promise: whatever items and tools clients send is the conversation that they mean; what cannot be is refused by its field.

import type { Agent } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { agentOf } from './contract/people.ts';
import { requestsOf } from './support/openai-app.ts';
import { responsesApp } from './support/responses-app.ts';

const user = (content: unknown) => ({ role: 'user', content });
const assistant = (text: string) => ({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text, annotations: [] }],
});
const call = (id: string, name = 'weather') => ({ type: 'function_call', call_id: id, name, arguments: '{"a":1}' });
const result = (id: string, output: unknown = 'fine') => ({ type: 'function_call_output', call_id: id, output });

/** What the model heard of this input. */
async function heard(input: unknown, more: object = {}) {
  const agent = agentOf('teller', ['Yes.']);
  await responsesApp([agent]).respond({ model: 'teller', input, ...more });
  return lastOf(agent);
}

function lastOf(agent: Agent) {
  const [request] = requestsOf(agent);
  if (!request) throw new TypeError('The model was not asked.');
  return request;
}

const text = (words: string) => ({ type: 'text', text: words });
const words = (...said: readonly string[]) => ({ role: 'user', content: said.map(text) });
const toolCall = (id: string, name = 'weather') => ({ type: 'tool-call', id, name, input: '{"a":1}' });
const toolResult = (id: string, more: object = {}) => ({
  type: 'tool-result',
  id,
  name: 'weather',
  text: 'fine',
  isError: false,
  ...more,
});

test('text is a message of the user; messages may do without a type, and come as text or in parts', async () => {
  expect((await heard('Go.')).messages).toEqual([words('Go.')]);
  const input = [
    user('One.'),
    { type: 'message', role: 'assistant', content: 'Two.' },
    user([{ type: 'input_text', text: 'Three.' }]),
    assistant('Four.'),
    { type: 'message', role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] },
    { type: 'message', id: 'msg_5', status: 'completed', ...user([{ type: 'input_text', text: 'Five.' }]) },
  ];
  expect((await heard(input)).messages).toEqual([
    words('One.'),
    { role: 'assistant', content: [text('Two.')] },
    words('Three.'),
    { role: 'assistant', content: [text('Four.\n\nNo.')] },
    words('Five.'),
  ]);
});

test('until the model has spoken rules are rules, after the instructions; later they stay where they are', async () => {
  const input = [
    { role: 'system', content: 'A.' },
    { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'B.' }] },
    user('Go.'),
    { role: 'developer', content: 'C.' },
    user('Now.'),
    assistant('Yes.'),
    { role: 'developer', content: 'D.' },
    user('And?'),
  ];
  const { system, messages } = await heard(input, { instructions: 'First.' });
  expect(system).toMatch(/^You are teller\.\s[\s\S]*First\.\n\nA\.\n\nB\.\n\nC\.$/);
  expect(messages.filter(({ role }) => role === 'user')).toEqual(
    ['Go.', 'Now.', 'D.', 'And?'].map((said) => words(said)),
  );
  expect((await heard([{ role: 'developer', content: 'Say hello.' }])).messages).toEqual([words('Say hello.')]);
});

test('calls and their results stand together, however they come', async () => {
  const input = [
    ...[user('Go.'), assistant('I look.'), call('1'), call('2'), user('Hurry.'), result('2'), result('1')],
    ...[{ type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'x' }, call('3'), result('3')],
    ...[call('4'), result('4')],
  ];
  expect((await heard(input)).messages).toEqual([
    words('Go.'),
    { role: 'assistant', content: [text('I look.'), toolCall('1'), toolCall('2')] },
    { role: 'tool', content: [toolResult('1'), toolResult('2')] },
    words('Hurry.'),
    { role: 'assistant', content: [toolCall('3')] },
    { role: 'tool', content: [toolResult('3')] },
    { role: 'assistant', content: [toolCall('4')] },
    { role: 'tool', content: [toolResult('4')] },
  ]);
});

test('results may come in parts, with pictures', async () => {
  const parts = [
    { type: 'input_text', text: 'one' },
    { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'auto' },
    { type: 'output_text', text: 'two' },
  ];
  const { messages } = await heard([user('Go.'), call('1'), result('1', parts)]);
  const files = [{ type: 'file', mediaType: 'image/png', data: 'AAAA' }];
  expect(messages.at(-1)).toEqual({ role: 'tool', content: [toolResult('1', { text: 'one\ntwo', files })] });
});

test('pictures and files are handed on, as they are or by their address', async () => {
  const { messages } = await heard([
    user([
      { type: 'input_text', text: 'Look.' },
      { type: 'input_image', image_url: 'data:image/jpeg;base64,BBBB' },
      { type: 'input_image', image_url: 'https://example.com/a.png' },
      { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,CCCC' },
      { type: 'input_file', file_url: 'https://example.com/b.pdf' },
      { type: 'what_is_this', of: 'tomorrow' },
    ]),
  ]);
  expect(messages).toEqual([
    {
      role: 'user',
      content: [
        text('Look.'),
        { type: 'file', mediaType: 'image/jpeg', data: 'BBBB' },
        { type: 'file', mediaType: 'image/*', data: 'https://example.com/a.png' },
        { type: 'file', mediaType: 'application/pdf', data: 'CCCC', name: 'a.pdf' },
        { type: 'file', mediaType: 'application/pdf', data: 'https://example.com/b.pdf' },
      ],
    },
  ]);
});

test('items that only another server understands are passed over, calls with their results', async () => {
  const input = [
    user('Go.'),
    { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'q' } },
    { type: 'local_shell_call', id: 'lsh_1', call_id: 'call_shell', status: 'completed', action: {} },
    result('call_shell'),
    { type: 'shell_call', call_id: 'call_s2', action: { commands: ['ls'] } },
    { type: 'shell_call_output', call_id: 'call_s2', output: [] },
    { type: 'mcp_list_tools', id: 'mcpl_1', server_label: 's', tools: [] },
    { type: 'compaction', encrypted_content: 'x' },
    user('Now.'),
  ];
  expect((await heard(input)).messages).toEqual([words('Go.'), words('Now.')]);
  const lost = [user('Go.'), { type: 'item_reference', id: 'fc_lost' }, result('call_lost'), user('Now.')];
  expect((await heard(lost)).messages).toEqual([words('Go.'), words('Now.')]);
});

const tools = [
  { type: 'function', name: 'weather', description: 'tells', parameters: { type: 'object', title: 'own' } },
  { type: 'custom', name: 'patch', format: { type: 'grammar', syntax: 'lark', definition: 'start: "x"' } },
  {
    type: 'namespace',
    name: 'crm',
    description: 'customers',
    tools: [
      { type: 'function', name: 'find', parameters: { type: 'object' } },
      { type: 'function', name: 'weather' },
    ],
  },
  { type: 'web_search' },
  { type: 'mcp', server_label: 's', server_url: 'https://example.com' },
  { type: 'local_shell' },
];

const offered = async (more: object) => (await heard('Go.', { tools, ...more })).tools.map(({ name }) => name);

test('functions, tools that take words, and those of a namespace are offered; kinds that nobody here can run are not', async () => {
  const { tools: all } = await heard('Go.', { tools });
  expect(all.map(({ name }) => name)).toEqual(['weather', 'patch', 'find', 'crm__weather']);
  expect(all[0]).toMatchObject({ description: 'tells', inputSchema: { type: 'object', title: 'own' } });
  expect(all[1]?.inputSchema).toMatchObject({ required: ['input'], properties: { input: { type: 'string' } } });
  expect(JSON.stringify(all[1]?.inputSchema)).toContain('start: ');
});

test('a choice of tools leaves the others out', async () => {
  expect(await offered({ tool_choice: 'none' })).toEqual([]);
  expect(await offered({ tool_choice: 'required' })).toHaveLength(4);
  expect(await offered({ tool_choice: { type: 'web_search' } })).toHaveLength(4);
  expect(await offered({ tool_choice: { type: 'custom', name: 'patch' } })).toEqual(['patch']);
  const named = [
    { type: 'function', name: 'find' },
    { type: 'custom', name: 'patch' },
  ];
  expect(await offered({ tool_choice: { type: 'allowed_tools', mode: 'auto', tools: named } })).toEqual([
    'patch',
    'find',
  ]);
});

test('a call goes back under the names that the client has for it, and is known by them when it comes again', async () => {
  const calls = [
    { name: 'crm__weather', input: {} },
    { name: 'patch', input: { input: 'x' } },
  ];
  const agent = agentOf('teller', [{ calls }, 'Done.']);
  const { respond } = responsesApp([agent]);
  const { output } = await respond({ model: 'teller', input: 'Go.', tools });
  expect(output).toMatchObject([
    { type: 'function_call', name: 'weather', namespace: 'crm', arguments: '{}' },
    { type: 'custom_tool_call', name: 'patch', input: 'x' },
  ]);
  expect(output[1]).not.toHaveProperty('namespace');
  const results = [
    result(output[0].call_id),
    { type: 'custom_tool_call_output', call_id: output[1].call_id, output: 'done' },
  ];
  await respond({ model: 'teller', input: [user('Go.'), ...output, ...results], tools });
  expect(requestsOf(agent)[1]?.messages.slice(1)).toMatchObject([
    { role: 'assistant', content: [{ name: 'crm__weather' }, { name: 'patch', input: '{"input":"x"}' }] },
    { role: 'tool', content: [{ text: 'fine' }, { text: 'done' }] },
  ]);
});

test('what popular clients send beside it is borne', async () => {
  const borne = {
    include: ['reasoning.encrypted_content', 'message.output_text.logprobs'],
    prompt_cache_key: 'k',
    client_metadata: { session: 's' },
    stream_options: { include_obfuscation: false },
    service_tier: 'flex',
    truncation: 'auto',
    reasoning: { effort: 'xhigh', summary: 'detailed' },
    text: { verbosity: 'high' },
    conversation: null,
    previous_response_id: null,
    max_output_tokens: 64,
    background: false,
    something_new: true,
  };
  expect((await heard('Go.', borne)).messages).toEqual([words('Go.')]);
});

test('JSON by a schema, or any object', async () => {
  const app = (said: string) => responsesApp([agentOf('teller', [said, said])]);
  const schema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
  const format = { type: 'json_schema', name: 'n', schema, strict: true };
  const ask = { model: 'teller', input: 'Go.' };
  const { output } = await app('{"n": 1}').respond({ ...ask, text: { format } });
  expect(JSON.parse(output[0].content[0].text)).toEqual({ n: 1 });
  const any = await app('{"m": 2}').respond({ ...ask, text: { format: { type: 'json_object' } } });
  expect(JSON.parse(any.output[0].content[0].text)).toEqual({ m: 2 });
});

const ok = { model: 'teller', input: 'Go.' };
const items = (...input: readonly unknown[]) => ({ model: 'teller', input });

test.each<[unknown, string | null, string]>([
  ['[]', null, 'JSON object'],
  ['{', null, 'not JSON'],
  [{ input: 'Go.' }, 'model', 'model is missing'],
  [{ model: 'teller' }, 'input', 'input is missing'],
  [items(), 'input', 'input is missing'],
  [{ ...ok, input: 3 }, 'input', 'must be text'],
  [items('Go.'), 'input[0]', 'an object'],
  [items({ role: 5, content: 'Go.' }), 'input[0].role', 'user, assistant'],
  [items({ role: 'robot', content: 'Go.' }), 'input[0].role', 'user, assistant'],
  [items(user(3)), 'input[0].content', 'list of parts'],
  [items(user([{ type: 'input_text' }])), 'input[0].content[0].text', 'must be text'],
  [items(user([{ type: 'input_image', file_id: 'file-1' }])), 'input[0].content[0].file_id', 'none are kept'],
  [items(user([{ type: 'input_file' }])), 'input[0].content[0].file_data', 'no file'],
  [items(user('Go.'), assistant('Yes.')), 'input', 'must end with'],
  [items(user('Go.'), call('1')), 'input', 'call_id 1'],
  [items(user('Go.'), result('1')), 'input', 'call_id 1'],
  [items(user('Go.'), { ...call('1'), call_id: undefined }), 'input[1].call_id', 'id of the call'],
  [items(user('Go.'), call('1', '')), 'input[1].name', 'name of the tool'],
  [{ ...ok, instructions: ['A.'] }, 'instructions', 'must be text'],
  [{ ...ok, background: true }, 'background', 'ends with its request'],
  [{ ...ok, conversation: 'conv_1' }, 'conversation', 'none are kept'],
  [{ ...ok, prompt: { id: 'pmpt_1' } }, 'prompt', 'none are kept'],
  [{ ...ok, stream: 'yes' }, 'stream', 'true or false'],
  [{ ...ok, store: 1 }, 'store', 'true or false'],
  [{ ...ok, tools: {} }, 'tools', 'a list'],
  [{ ...ok, tools: [{ type: 'function' }] }, 'tools[0].name', 'name of the tool'],
  [{ ...ok, tools, tool_choice: { type: 'function', name: 'gone' } }, 'tool_choice', 'names gone'],
  [{ ...ok, text: { format: { type: 'json_schema', name: 'n', schema: 3 } } }, 'text.format.schema', 'JSON Schema'],
])('%j is refused by %s', async (body, param, message) => {
  const agent = agentOf('teller', ['Yes.']);
  const { status, error } = await responsesApp([agent]).refused(body);
  expect([status, error.type, error.param]).toEqual([400, 'invalid_request_error', param]);
  expect(error.message).toContain(message);
  expect(requestsOf(agent)).toEqual([]);
});

test('an agent that is not served is not found', async () => {
  const { status, error } = await responsesApp([agentOf('teller', ['Yes.'])]).refused({ ...ok, model: 'tellr' });
  expect([status, error.code, error.param]).toEqual([404, 'model_not_found', 'model']);
  expect(error.message).toContain('teller');
});
