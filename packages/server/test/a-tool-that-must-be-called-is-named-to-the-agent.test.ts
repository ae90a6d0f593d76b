// The promise: where a client reads nothing but calls of its tools, the agent is told which; elsewhere nothing is added to what was said.

import { expect, test } from 'vitest';
import { agentOf } from './contract/people.ts';
import { anthropicApp } from './support/anthropic-app.ts';
import { openaiApp, requestsOf } from './support/openai-app.ts';

const names = ['weather', 'people'];
const schema = { type: 'object', properties: {} };
const one = 'call the tool people.';
const any = 'call one of the tools weather, people.';
const said = [{ role: 'user', content: 'Go.' }];

/** The last words of the system prompt. */
function endOf(agent: ReturnType<typeof agentOf>): string {
  const { system = '' } = requestsOf(agent)[0] ?? {};
  return /call (?:the|one of).*$/.exec(system)?.[0] ?? '';
}

const listed = (mode: string) => ({
  mode,
  tools: [{ type: 'function', function: { name: 'people' }, name: 'people' }],
});

test.each([
  [undefined, ''],
  ['auto', ''],
  ['none', ''],
  ['required', any],
  [{ type: 'function', function: { name: 'people' } }, one],
  [{ type: 'allowed_tools', allowed_tools: listed('auto') }, ''],
  [{ type: 'allowed_tools', allowed_tools: listed('required') }, one],
])('chat completions: %j', async (tool_choice, words) => {
  const agent = agentOf('teller', ['Yes.']);
  const tools = names.map((name) => ({ type: 'function', function: { name, parameters: schema } }));
  await openaiApp([agent]).complete({ model: 'teller', messages: said, tools, tool_choice });
  expect(endOf(agent)).toBe(words);
});

test('chat completions, as they were before there could be several', async () => {
  const agent = agentOf('teller', ['Yes.']);
  const functions = names.map((name) => ({ name, parameters: schema }));
  const asked = { model: 'teller', messages: said, functions, function_call: { name: 'people' } };
  await openaiApp([agent]).complete(asked);
  expect(endOf(agent)).toBe(one);
});

test.each([
  [undefined, ''],
  ['auto', ''],
  ['none', ''],
  ['required', any],
  [{ type: 'function', name: 'people' }, one],
  [{ type: 'allowed_tools', ...listed('auto') }, ''],
  [{ type: 'allowed_tools', ...listed('required') }, one],
])('responses: %j', async (tool_choice, words) => {
  const agent = agentOf('teller', ['Yes.']);
  const tools = names.map((name) => ({ type: 'function', name, parameters: schema }));
  const body = JSON.stringify({ model: 'teller', input: 'Go.', instructions: 'Be short.', tools, tool_choice });
  const response = await openaiApp([agent]).app.request('/v1/responses', { method: 'POST', body });
  expect(response.status).toBe(200);
  expect(endOf(agent)).toBe(words);
  expect(requestsOf(agent)[0]?.system).toContain('Be short.');
});

test.each([
  [undefined, ''],
  [{ type: 'auto' }, ''],
  [{ type: 'none' }, ''],
  [{ type: 'any' }, any],
  [{ type: 'tool', name: 'people' }, one],
])('messages: %j', async (tool_choice, words) => {
  const agent = agentOf('teller', ['Yes.']);
  const tools = names.map((name) => ({ name, input_schema: schema }));
  await anthropicApp([agent]).message({ messages: said, tools, tool_choice });
  expect(endOf(agent)).toBe(words);
});
