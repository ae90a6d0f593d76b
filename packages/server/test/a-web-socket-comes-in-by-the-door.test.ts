// The promise: who asks for a WebSocket is judged like any request, and who is refused can read why.

import { fakePorts } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { type Hall, hashOf, Keys, type Refusal } from '../src/index.ts';
import { agentOf } from './contract/people.ts';
import { hallOf } from './support/house.ts';
import { handshake, openMcp } from './support/mcp-channels.ts';
import { rawClient, readError } from './support/raw-client.ts';

const agents = [agentOf('echo', () => 'Said again.')];

async function ask(port: number, head: string): Promise<string> {
  const client = await rawClient(port);
  client.send(head);
  return client.closed;
}

async function accepted(port: number, head: string): Promise<string> {
  const client = await rawClient(port);
  client.send(head);
  await expect.poll(client.received).toContain('\r\n\r\n');
  client.socket.destroy();
  return client.received();
}

test('a handshake is completed, with the subprotocol where it is offered', async () => {
  const { port } = await openMcp(hallOf(agents));
  const plain = await accepted(port, handshake());
  expect(plain).toMatch(/^HTTP\/1\.1 101 /);
  expect(plain.toLowerCase()).not.toContain('sec-websocket-protocol');
  expect(plain).toContain('s3pPLMBiTxaQ9kYGzzhZRbK+xOo=');
  const offering = await accepted(port, handshake('/mcp/ws', { 'sec-websocket-protocol': 'other, mcp' }));
  expect(offering).toMatch(/^HTTP\/1\.1 101 [\s\S]*Sec-WebSocket-Protocol: mcp\r\n/);
});

test('a page of this server may ask, and one that is named', async () => {
  const { port } = await openMcp(hallOf(agents), { door: { cors: ['https://app.example'] } });
  for (const origin of ['http://127.0.0.1', 'https://app.example'])
    expect(await accepted(port, handshake('/mcp/ws', { origin }))).toContain(' 101 ');
  const refused = await ask(port, handshake('/mcp/ws', { origin: 'https://evil.example' }));
  expect(readError(refused)).toEqual({ status: 403, code: 'origin-refused' });
});

test.each([
  ['a page of another site', handshake('/mcp/ws', { origin: 'https://evil.example' }), 403, 'origin-refused'],
  ['a name that is not ours', handshake('/mcp/ws', { host: 'evil.example' }), 403, 'origin-refused'],
  ['an address where nothing is', handshake('/mcp/other'), 404, 'route-unknown'],
  ['other subprotocols only', handshake('/mcp/ws', { 'sec-websocket-protocol': 'chat' }), 400, 'request-invalid'],
  ['no key of a handshake', handshake('/mcp/ws', { 'sec-websocket-key': 'x' }), 400, 'request-invalid'],
  ['another version', handshake('/mcp/ws', { 'sec-websocket-version': '7' }), 426, 'request-invalid'],
  ['a host that is none', handshake('/mcp/ws', { host: 'a/b' }), 400, 'request-invalid'],
  ['a caller that is none', handshake('/mcp/ws', { 'x-ai-agent-depth': 'deep' }), 400, 'request-invalid'],
])('%s is refused, and can read why', async (_, head, status, code) => {
  const { port } = await openMcp(hallOf(agents));
  expect(readError(await ask(port, head))).toEqual({ status, code });
});

test('without a wish to leave HTTP the way is shown', async () => {
  const { url } = await openMcp(hallOf(agents));
  const response = await fetch(`${url}/mcp/ws`);
  expect([response.status, response.headers.get('upgrade')]).toEqual([426, 'websocket']);
  expect(await response.json()).toMatchObject({ error: { code: 'request-invalid', class: 'usage' } });
  expect((await fetch(`${url}/mcp/ws`, { method: 'POST' })).status).toBe(405);
});

test('where there are keys, one opens, and whoever runs the server hears who was refused', async () => {
  const refusals: Refusal[] = [];
  const keys = new Keys({ desk: { hash: hashOf('of the desk') } }, fakePorts().clock);
  const door = { keys, onRefused: (refusal: Refusal) => void refusals.push(refusal) };
  const { port } = await openMcp(hallOf(agents), { door });
  const refused = await ask(port, handshake());
  expect(readError(refused)).toEqual({ status: 401, code: 'key-refused' });
  expect(refused.toLowerCase()).toContain('www-authenticate: bearer');
  expect(refusals).toEqual([{ method: 'GET', path: '/mcp/ws', status: 401, code: 'key-refused', key: null }]);
  expect(await accepted(port, handshake('/mcp/ws', { authorization: 'Bearer of the desk' }))).toContain(' 101 ');
});

test('a server that is full or stops takes no more', async () => {
  const hall: Hall = hallOf(agents);
  const { port, url } = await openMcp(hall, { maxConnections: 1 });
  const first = await rawClient(port);
  first.send(handshake());
  await expect.poll(first.received).toContain(' 101 ');
  expect(readError(await ask(port, handshake()))).toEqual({ status: 503, code: 'server-full' });
  first.socket.destroy();
  await expect.poll(() => accepted(port, handshake())).toContain(' 101 ');
  await hall.stop(0);
  expect(readError(await ask(port, handshake()))).toEqual({ status: 503, code: 'server-stopping' });
  expect((await fetch(`${url}/mcp/sse`)).status).toBe(503);
});

test('what answers with a stream answers whoever asks to leave HTTP too', async () => {
  const hall = hallOf(agents);
  const { port } = await openMcp(hall);
  const client = await rawClient(port);
  client.send(handshake('/mcp/sse'));
  await expect.poll(client.received).toContain('event: endpoint');
  expect(client.received()).toMatch(/^HTTP\/1\.1 200 /);
});
