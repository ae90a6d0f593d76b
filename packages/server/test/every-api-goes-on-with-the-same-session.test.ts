// The promise: results of a client's calls go on with the very session in every API that takes agents for models.

import { type Agent, defineTool } from '@ai-agent/core';
import { fakePorts } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { anthropic, createApp, Hall, openai } from '../src/index.ts';
import { agentOf } from './contract/people.ts';
import { requestsOf } from './support/openai-app.ts';
import { linesOf } from './support/talk-client.ts';

// What was JSON, read.
type Read = ReturnType<typeof JSON.parse>;

const schema = { type: 'object', properties: {} };
const user = { role: 'user', content: 'Go.' };

interface Rounds {
  readonly path: string;
  /** What is sent first. */
  readonly ask: object;
  /** With what came of the call; `said` is the reply before. */
  bring(said: Read): object;
}

const chat: Rounds = {
  path: '/v1/chat/completions',
  ask: { messages: [user], tools: [{ type: 'function', function: { name: 'weather', parameters: schema } }] },
  bring({ choices: [{ message }] }) {
    const result = { role: 'tool', tool_call_id: message.tool_calls[0].id, content: 'sunny' };
    return { ...this.ask, messages: [user, message, result] };
  },
};

const responses: Rounds = {
  path: '/v1/responses',
  ask: { input: [user], tools: [{ type: 'function', name: 'weather', parameters: schema, strict: false }] },
  bring({ output }) {
    const call = output.find(({ type }: Read) => type === 'function_call');
    const result = { type: 'function_call_output', call_id: call.call_id, output: 'sunny' };
    return { ...this.ask, input: [user, ...output, result] };
  },
};

const kept: Rounds = {
  ...responses,
  bring(said) {
    const { input } = responses.bring(said) as { input: readonly object[] };
    return { ...this.ask, input: input.slice(-1), previous_response_id: said.id };
  },
};

const messages: Rounds = {
  path: '/v1/messages',
  ask: { max_tokens: 100, messages: [user], tools: [{ name: 'weather', input_schema: schema }] },
  bring({ content }) {
    const call = content.find(({ type }: Read) => type === 'tool_use');
    const result = { type: 'tool_result', tool_use_id: call.id, content: 'sunny' };
    return { ...this.ask, messages: [user, { role: 'assistant', content }, { role: 'user', content: [result] }] };
  },
};

const apis = {
  'chat completions': chat,
  responses,
  'responses, kept by the server': kept,
  messages,
} as const;

function plant(): Agent {
  const look = defineTool({ name: 'look', inputSchema: { type: 'object' }, execute: () => 'hidden work' });
  return agentOf('lead', [{ calls: [{ name: 'look' }] }, { text: 'Hm.', calls: [{ name: 'weather' }] }, 'Done.'], {
    tools: [look],
  });
}

function serve(agent: Agent) {
  const hall = new Hall({ agents: () => [{ name: 'lead', agent }], ports: fakePorts() });
  const app = createApp(hall, [openai(), anthropic()]);
  return async (path: string, body: object): Promise<Read> => {
    const headers = { 'content-type': 'application/json' };
    const response = await app.request(path, {
      method: 'POST',
      headers,
      body: JSON.stringify({ model: 'lead', ...body }),
    });
    const read: Read = await response.json();
    expect([response.status, read.error ?? null]).toEqual([200, null]);
    return read;
  };
}

describe.each(Object.entries(apis))('%s', (_, api) => {
  test('with what was done inside', async () => {
    const agent = plant();
    const post = serve(agent);
    const asks = await post(api.path, api.ask);
    expect(asks.ai_agent.status).toBe('needs_client_tools');
    const ends = await post(api.path, api.bring(asks));
    expect([ends.ai_agent.status, ends.ai_agent.session_id]).toEqual(['completed', asks.ai_agent.session_id]);
    expect(linesOf(requestsOf(agent)[2] ?? { messages: [] })).toEqual([
      'user Go.',
      'calls look',
      'result look hidden work',
      'assistant Hm.',
      'calls weather',
      'result weather sunny',
    ]);
  });
});
