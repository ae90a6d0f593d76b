// The promise: a server that was killed and started again knows no session of before and says so with 404, as the protocol wants it: clients
// begin anew, on the same address. Clients of the newer revision need not even that.

import { afterAll, expect, test } from 'vitest';
import { answerOfTeam } from './support/echo-team.ts';
import { kinds } from './support/load-clients.ts';
import { type LoadServer, startLoadServer } from './support/start-load-server.ts';

let server: LoadServer | undefined;
afterAll(() => server?.kill());

test('old sessions, and new ones', async () => {
  server = await startLoadServer();
  const { url } = server;
  const old = await begin(url);
  expect((await post(url, ping, old)).status).toBe(200);
  const stateless = await kinds['http 2026, SDK 2']?.(url);
  const sessions = await Promise.all(['http 2025, SDK 1', 'http 2025, SDK 2'].map((kind) => kinds[kind]?.(url)));
  await server.kill();
  server = await startLoadServer(Number(new URL(url).port));
  expect(server.url).toBe(url);
  const refused = await post(url, ping, old);
  expect([refused.status, await refused.json()]).toMatchObject([404, { jsonrpc: '2.0', error: { code: -32_001 } }]);
  for (const method of ['GET', 'DELETE']) {
    const headers = { 'mcp-session-id': old, accept: 'text/event-stream' };
    expect((await fetch(`${url}/mcp`, { method, headers })).status).toBe(404);
  }
  for (const client of sessions) await expect(client?.call('word-late')).rejects.toThrow(/404|[Ss]ession/);
  expect((await stateless?.call('word-on'))?.text).toBe(answerOfTeam('word-on'));
  const again = await begin(url);
  expect(again).not.toBe(old);
  expect((await post(url, ping, again)).status).toBe(200);
  for (const connect of Object.values(kinds)) {
    const client = await connect(url);
    expect((await client.call('word-new')).text).toBe(answerOfTeam('word-new'));
    await client.close();
  }
  await stateless?.close();
}, 60_000);

const ping = { jsonrpc: '2.0', id: 2, method: 'ping' };

async function begin(url: string): Promise<string> {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  const response = await post(url, { jsonrpc: '2.0', id: 1, method: 'initialize', params });
  await response.text();
  return response.headers.get('mcp-session-id') ?? '';
}

function post(url: string, message: object, session?: string): Promise<Response> {
  const accept = 'application/json, text/event-stream';
  const headers = { accept, 'content-type': 'application/json', ...(session ? { 'mcp-session-id': session } : {}) };
  return fetch(`${url}/mcp`, { method: 'POST', headers, body: JSON.stringify(message) });
}
