// The promise: what a client's tool takes is an object, said or not; one that is declared otherwise is the client's mistake, and told as that.

import { expect, test } from 'vitest';
import { agentOf } from './contract/people.ts';
import { anthropicApp } from './support/anthropic-app.ts';
import { ask, openaiApp, requestsOf } from './support/openai-app.ts';
import { responsesApp } from './support/responses-app.ts';

const properties = { city: { type: 'string' } };
const say = { messages: [{ role: 'user', content: 'Go.' }] };

test.each([
  [
    { type: 'object', properties },
    { type: 'object', properties },
  ],
  [{ properties }, { properties }],
  [
    { type: null, properties },
    { type: 'object', properties },
  ],
  [
    { type: ['object', 'null'], properties },
    { type: 'object', properties },
  ],
  [{}, {}],
])('%j is taken', async (parameters, told) => {
  const agent = agentOf('teller', () => 'Told.');
  await openaiApp([agent]).complete({
    ...ask('teller'),
    tools: [{ type: 'function', function: { name: 'a', parameters } }],
  });
  const { request } = responsesApp([agent]);
  const body = { model: 'teller', input: 'Go.', tools: [{ type: 'function', name: 'a', parameters }] };
  expect((await request('POST', '/v1/responses', { body })).status).toBe(200);
  await anthropicApp([agent]).message({ ...say, tools: [{ name: 'a', input_schema: parameters }] });
  for (const { tools } of requestsOf(agent)) expect(tools).toMatchObject([{ name: 'a', inputSchema: told }]);
  expect(requestsOf(agent)).toHaveLength(3);
});

test.each([{ type: 'array' }, { type: 'string' }, { type: 5 }, { type: ['null'] }])(
  '%j is refused',
  async (parameters) => {
    const agents = [agentOf('teller', () => 'Told.')];
    const tools = [{ type: 'function', function: { name: 'a', parameters } }];
    expect(await openaiApp(agents).refused({ ...ask('teller'), tools })).toMatchObject({
      status: 400,
      error: { param: 'tools[0].function.parameters.type' },
    });
    const flat = [{ type: 'function', name: 'a', parameters }];
    expect(await responsesApp(agents).refused({ model: 'teller', input: 'Go.', tools: flat })).toMatchObject({
      status: 400,
      error: { param: 'tools[0].parameters.type' },
    });
    expect(
      await anthropicApp(agents).refusal({ ...say, tools: [{ name: 'a', input_schema: parameters }] }),
    ).toMatchObject([400, 'invalid_request_error', expect.stringContaining('tools.0.input_schema.type')]);
  },
);
