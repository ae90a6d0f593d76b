// The promise: a session that goes on through another door is told to whoever runs the server as a round of that door.

import { fakePorts } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { createApi } from '../src/serve.ts';
import { agentOf } from './contract/people.ts';

test('one that began as a chat of OpenAI goes on as a message of Anthropic, and over REST', async () => {
  const ended: string[] = [];
  const api = createApi({
    agents: [agentOf('desk', () => 'Said.')],
    ports: fakePorts(),
    onEnd: (head, outcome, headend) => ended.push(`${headend} ${head.headend} ${outcome?.status}`),
  });
  const post = async (path: string, body: object, session?: string) => {
    const headers = { 'content-type': 'application/json', ...(session ? { 'x-ai-agent-session': session } : {}) };
    const reply = await api.fetch(
      new Request(`http://localhost${path}`, { method: 'POST', headers, body: JSON.stringify(body) }),
    );
    expect(reply.status).toBe(200);
    await reply.text();
    return reply.headers.get('x-ai-agent-session') ?? undefined;
  };
  const said = { model: 'desk', max_tokens: 100, messages: [{ role: 'user', content: 'Go.' }] };
  const id = await post('/v1/chat/completions', said);
  expect(id).toBeDefined();
  await post('/v1/messages', said, id);
  await post('/v1/desk', { text: 'Go.' }, id);
  expect(ended).toEqual(['openai openai completed', 'anthropic openai completed', 'rest openai completed']);
});
