// The promise: a conversation of chat completions reaches the agent's model as the messages it is, after the agent's own instructions.

import type { Message } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { agentOf, lookUp } from './contract/people.ts';
import { openaiApp, requestsOf } from './support/openai-app.ts';

const user = (content: unknown) => ({ role: 'user', content });
const said = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });
const answered = (text: string): Message => ({ role: 'assistant', content: [{ type: 'text', text }] });

const contentOf = (message: Message | undefined) => (message && 'content' in message ? message.content : undefined);

/** What the model is asked with. */
async function asked(messages: readonly object[], more: object = {}, tools: Parameters<typeof agentOf>[2] = {}) {
  const agent = agentOf('echo', () => 'Yes.', tools);
  await openaiApp([agent]).complete({ model: 'echo', messages, ...more });
  const [request] = requestsOf(agent);
  if (!request) throw new TypeError('The model was not asked.');
  return request;
}

test('turn after turn, each its own message', async () => {
  const { messages } = await asked([
    user('One?'),
    { role: 'assistant', content: 'One.', refusal: null, annotations: [], reasoning_content: 'Hm.' },
    { ...user([{ type: 'text', text: 'Two?' }]), name: 'someone' },
    { role: 'assistant', content: [{ type: 'text', text: 'Two.' }] },
    user('Three?'),
  ]);
  expect(messages).toEqual([said('One?'), answered('One.'), said('Two?'), answered('Two.'), said('Three?')]);
});

test("the agent's own words first, then those of the client; later ones stay in their place", async () => {
  const { system, messages } = await asked([
    { role: 'system', content: '' },
    { role: 'system', content: 'Be brief.' },
    { role: 'developer', content: [{ type: 'text', text: 'Be kind.' }] },
    user('One?'),
    { role: 'assistant', content: 'One.' },
    { role: 'system', content: 'Be quick now.' },
    { role: 'system', content: ' ' },
    user('Two?'),
  ]);
  expect(system).toMatch(/^You are echo\.[\s\S]*Be brief\.\n\nBe kind\.$/);
  expect(system).not.toMatch(/\n{3}/);
  expect(messages).toEqual([said('One?'), answered('One.'), said('Be quick now.'), said('Two?')]);
});

test('whoever says nothing but a system message asks with it', async () => {
  const { system, messages } = await asked([
    { role: 'system', content: '' },
    { role: 'system', content: 'Be brief.' },
    { role: 'developer', content: 'Go.' },
  ]);
  expect([system.includes('Be brief.'), system.includes('Go.')]).toEqual([true, false]);
  expect(messages).toEqual([said('Go.')]);
});

test('calls and their results, in the order of the calls, and text parts as one text', async () => {
  const { messages } = await asked([
    user('Look.'),
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 'a', type: 'function', function: { name: 'weather', arguments: '{"city":"Delphi"}' } },
        { id: 'b', type: 'custom', custom: { name: 'shell', input: 'ls' } },
      ],
    },
    {
      role: 'tool',
      tool_call_id: 'b',
      content: [
        { type: 'text', text: 'one' },
        { type: 'text', text: 'two' },
      ],
    },
    { role: 'tool', tool_call_id: 'a', content: 'Sunny.' },
    { role: 'assistant', content: '' },
    user('And now?'),
  ]);
  expect(messages).toEqual([
    said('Look.'),
    {
      role: 'assistant',
      content: [
        { type: 'tool-call', id: 'a', name: 'weather', input: '{"city":"Delphi"}' },
        { type: 'tool-call', id: 'b', name: 'shell', input: '{"input":"ls"}' },
      ],
    },
    {
      role: 'tool',
      content: [
        { type: 'tool-result', id: 'a', name: 'weather', text: 'Sunny.', isError: false },
        { type: 'tool-result', id: 'b', name: 'shell', text: 'one\ntwo', isError: false },
      ],
    },
    said('And now?'),
  ]);
});

test('pictures in results, and arguments that were read', async () => {
  const { messages } = await asked([
    user('Look.'),
    { role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: { n: 1 } } }] },
    {
      role: 'tool',
      tool_call_id: 'a',
      content: [
        { type: 'text', text: 'This:' },
        { type: 'image_url', image_url: 'data:image/png;base64,iVBORw0KGgo=' },
      ],
    },
    user('And now?'),
  ]);
  const files = [{ type: 'file', mediaType: 'image/png', data: 'iVBORw0KGgo=' }];
  expect(contentOf(messages[1])).toEqual([{ type: 'tool-call', id: 'a', name: 'f', input: '{"n":1}' }]);
  expect(contentOf(messages[2])).toEqual([
    { type: 'tool-result', id: 'a', name: 'f', text: 'This:', isError: false, files },
  ]);
});

test('function calls of older clients', async () => {
  const { messages } = await asked([
    user('Look.'),
    { role: 'assistant', content: 'I will.', function_call: { name: 'weather', arguments: '{}' } },
    { role: 'function', name: 'weather', content: 'Sunny.' },
    user('And now?'),
  ]);
  const [, call, result] = messages as readonly [Message, Message, Message];
  expect(call).toMatchObject({ role: 'assistant', content: [{ text: 'I will.' }, { name: 'weather', input: '{}' }] });
  expect(result).toMatchObject({ role: 'tool', content: [{ name: 'weather', text: 'Sunny.' }] });
});

test('pictures, sounds and files are what they are', async () => {
  const { messages } = await asked([
    user([
      { type: 'text', text: 'What is this?' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=', detail: 'low' } },
      { type: 'image_url', image_url: { url: 'https://a.example/b.png' } },
      { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } },
      { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERg==' } },
      { type: 'file', file: { filename: 'b.csv', file_data: 'YSxi' } },
      { type: 'file', file: { filename: 'c.txt', file_data: 'data:text/plain,gr%C3%BCn' } },
    ]),
    { role: 'assistant', content: 'Many things.' },
    user('Go on.'),
  ]);
  expect(messages[0]).toEqual({
    role: 'user',
    content: [
      { type: 'text', text: 'What is this?' },
      { type: 'file', mediaType: 'image/png', data: 'iVBORw0KGgo=' },
      { type: 'file', mediaType: 'image/*', data: 'https://a.example/b.png' },
      { type: 'file', mediaType: 'audio/wav', data: 'UklGRg==' },
      { type: 'file', mediaType: 'application/pdf', data: 'JVBERg==', name: 'a.pdf' },
      { type: 'file', mediaType: 'text/csv', data: 'YSxi', name: 'b.csv' },
      { type: 'file', mediaType: 'text/plain', data: 'Z3LDvG4=', name: 'c.txt' },
    ],
  });
});

test('a picture in what is asked now reaches the model too', async () => {
  const { messages } = await asked([
    user([
      { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
      { type: 'text', text: 'What is this?' },
    ]),
  ]);
  const content = messages.at(-1)?.role === 'user' ? (messages.at(-1) as { content: readonly object[] }).content : [];
  expect(content).toHaveLength(2);
  expect(content).toEqual(
    expect.arrayContaining([
      { type: 'file', mediaType: 'image/png', data: 'iVBORw0KGgo=' },
      { type: 'text', text: 'What is this?' },
    ]),
  );
});

const tool = (name: string) => ({ type: 'function', function: { name, description: `does ${name}`, parameters: {} } });
const again = { type: 'function', function: { name: 'two', description: 'is not heard' } };
const tools = [tool('one'), tool('two'), again, { type: 'custom', custom: { name: 'three' } }, { type: 'mcp' }];
const named = (name: string) => ({ type: 'function', function: { name } });

test.each([
  ['auto', ['one', 'two', 'three']],
  ['required', ['one', 'two', 'three']],
  ['none', []],
  [named('two'), ['two']],
  [{ type: 'custom', custom: { name: 'three' } }, ['three']],
  [
    {
      type: 'allowed_tools',
      allowed_tools: { mode: 'auto', tools: [named('one'), { type: 'custom', name: 'three' }] },
    },
    ['one', 'three'],
  ],
  [{ type: 'web_search' }, ['one', 'two', 'three']],
])('tools of the client beside those of the agent: %j', async (tool_choice, names) => {
  const request = await asked([user('Go.')], { tools, tool_choice }, { tools: [lookUp] });
  const offered = request.tools.map(({ name }) => name);
  expect(offered).toContain('look_up');
  expect(offered.filter((name) => /one|two|three/.test(name))).toEqual(names);
  expect(request.tools.find(({ name }) => name === 'two')?.description ?? 'does two').toBe('does two');
});
