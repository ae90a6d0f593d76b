// The promise: where a key says for whom it asks, a session belongs to both: nobody else lists, reads, follows, answers, stops, deletes it or goes on with it, through any door.

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect, onTestFinished, test } from 'vitest';
import { agentOf, lastResult } from './contract/people.ts';
import { mcpApp } from './support/mcp-app.ts';

const asks = { calls: [{ name: 'ask_user', input: { question: 'Which?' } }] };
const curious = () => agentOf('curious', (request) => lastResult(request) ?? asks);
const json = { 'content-type': 'application/json' };

function open() {
  const app = mcpApp([curious()]);
  const ask = async (user: string | undefined, path: string, init: RequestInit = {}) => {
    const headers = { ...json, ...(user === undefined ? {} : { 'x-ai-agent-user': user }), ...init.headers };
    const response = await app.request(path, { ...init, headers });
    const text = await response.text();
    return { status: response.status, text, headers: response.headers };
  };
  const post = (user: string | undefined, path: string, body: object = {}) =>
    ask(user, path, { method: 'POST', body: JSON.stringify(body) });
  return { app, ask, post };
}

test('over REST it is as unknown to others as what is not there', async () => {
  const { ask, post } = open();
  const begun = await ask('ada', '/v1/curious?q=Go.');
  const id = String(begun.headers.get('x-ai-agent-session'));
  const listed = async (user?: string) => JSON.parse((await ask(user, '/v1/sessions')).text).sessions.length;
  expect([await listed('ada'), await listed('bob'), await listed()]).toEqual([1, 0, 0]);
  for (const user of ['bob', 'Ada', undefined]) {
    const of = `/v1/sessions/${id}`;
    const replies = [
      await ask(user, of),
      await ask(user, `${of}/events`),
      await post(user, `${of}/stop`),
      await post(user, `${of}/cancel`),
      await post(user, `${of}/answer`, { answer: 'mine' }),
      await ask(user, of, { method: 'DELETE' }),
      await ask(user, `/v1/curious?q=mine&session=${id}`),
      await post(user, '/v1/sessions', { session: id, input: 'mine' }),
      await ask(user, `/v1/sessions?before=${id}`),
    ];
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 404));
    expect(new Set(replies.map(({ text }) => JSON.parse(text).error.code))).toEqual(new Set(['session-unknown']));
  }
  expect((await post('ada', `/v1/sessions/${id}/answer`, { answer: 'hers' })).text).toBe('hers');
});

test("over MCP too: neither the session nor the connection is somebody else's", async () => {
  const { app, ask, post } = open();
  const begun = await ask('ada', '/v1/curious?q=Go.');
  const id = String(begun.headers.get('x-ai-agent-session'));
  const connect = async (user: string) => {
    const client = new Client({ name: 'guest', version: '1.0.0' });
    const transport = new StreamableHTTPClientTransport(new URL('http://127.0.0.1/mcp'), {
      fetch: async (url, init) => app.request(url.toString(), init as RequestInit),
      requestInit: { headers: { 'x-ai-agent-user': user } },
    });
    await client.connect(transport as Parameters<Client['connect']>[0]);
    onTestFinished(() => client.close());
    return { client, connection: String(transport.sessionId) };
  };
  const [ada, bob] = [await connect('ada'), await connect('bob')];
  for (const wrong of [{ text: 'mine' }, { answer: 'mine' }]) {
    const said = await bob.client.callTool({ name: 'curious', arguments: { resume: id, ...wrong } });
    expect(said.isError).toBe(true);
    expect(JSON.stringify(said.content)).toContain('There is no such session of yours.');
  }
  expect((await bob.client.listResources()).resources).toEqual([]);
  await expect(bob.client.readResource({ uri: `ai-agent://sessions/${id}` })).rejects.toThrow();
  expect((await ada.client.listResources()).resources).toHaveLength(1);
  const list = { jsonrpc: '2.0', id: 7, method: 'tools/list' };
  const accept = { accept: 'application/json, text/event-stream', 'mcp-session-id': ada.connection };
  const stolen = await ask('bob', '/mcp', { method: 'POST', body: JSON.stringify(list), headers: accept });
  expect(stolen.status).toBe(404);
  const said = await ada.client.callTool({ name: 'curious', arguments: { resume: id, answer: 'hers' } });
  expect(JSON.stringify(said.content)).toContain('hers');
  expect((await post('ada', `/v1/sessions/${id}/answer`, { answer: 'again' })).status).toBe(409);
});

test('a user has from 1 to 200 printable characters', async () => {
  const { ask } = open();
  const statuses = async (users: readonly string[]) =>
    Promise.all(users.map(async (user) => (await ask(user, '/v1')).status));
  expect(await statuses(['a', 'ada@example.com', 'Zo\u00eb Z', 'x'.repeat(200)])).toEqual([200, 200, 200, 200]);
  expect(await statuses(['', 'x'.repeat(201), 'a\tb', 'a\u0085b'])).toEqual([400, 400, 400, 400]);
  expect(JSON.parse((await ask('', '/v1')).text).error.code).toBe('request-invalid');
});
