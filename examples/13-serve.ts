// Every agent is an API: two of them behind one port, inside a program. One is asked over HTTP, one is followed while it works.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type Agent, loadAgent } from 'ai-agent';
import { serveAgents } from 'ai-agent/server';

const desk = await loadAgent(join(import.meta.dirname, 'release-desk/desk.ai'));
const guide: Agent = {
  name: 'guide',
  description: 'Plans a day out',
  model: 'offline/demo',
  instructions: 'You plan a day out. Ask what you have to know.',
  ask: 'caller',
};

// From a file and in code, side by side. On this machine alone, on a port that is free.
const ended: string[] = [];
const served = await serveAgents({
  agents: [desk, guide],
  port: 0,
  onEnd: ({ agent, status }) => ended.push(`${agent} ${status}`),
});

const post = (path: string, body: object) =>
  fetch(`${served.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

// One request, one session, one answer.
const answer = await fetch(`${served.url}/v1/desk?q=${encodeURIComponent('Version 2.4 adds offline mode.')}`);
assert.equal(answer.headers.get('x-ai-agent-status'), 'completed');
assert.match(await answer.text(), /^faq: /m);

// A session belongs to no connection. This one asks, and goes on under the same id when somebody has answered.
const started = await post('/v1/sessions', { agent: 'guide', input: 'When do you want to be back?' });
assert.equal(started.status, 201);
const { id } = (await started.json()) as { id: string };

assert.deepEqual((await follow(id)).at(-1), 'end');
const paused = await read(id);
assert.equal(paused.status, 'needs_user_input');
assert.equal(paused.question?.text, 'When do you want to be back?');

const answered = await post(`/v1/sessions/${id}/answer`, { answer: 'Before ten.' });
assert.ok(answered.ok);
const types = await follow(id);
const { status, text } = await read(id);
console.log(`${status}: ${text}`);
assert.equal(status, 'completed');
assert.match(text, /Before ten/);
assert.equal(types.filter((type) => type === 'session-start').length, 2);

// Nobody who is at work is cut short; then the port is free again.
await served.stop();
assert.deepEqual(ended, ['desk completed', 'guide needs_user_input', 'guide completed']);
await assert.rejects(fetch(`${served.url}/health`));

/** How a session stands. */
async function read(session: string): Promise<{ status: string; text: string; question?: { text: string } }> {
  const response = await fetch(`${served.url}/v1/sessions/${session}`);
  return (await response.json()) as Awaited<ReturnType<typeof read>>;
}

/** Everything that was told of a session, and is told until it has ended: the types, in their order. */
async function follow(session: string): Promise<string[]> {
  const response = await fetch(`${served.url}/v1/sessions/${session}/events`);
  return [...(await response.text()).matchAll(/^event: (.*)$/gm)].map(([, type = '']) => type);
}
