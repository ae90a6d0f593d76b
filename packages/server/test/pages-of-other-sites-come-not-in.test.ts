// The promise: a server without keys does nothing for a web page that it did not give out, under whatever name it was reached.

import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { agentOf, as, governed, onSocket, send } from './support/governed.ts';

const refusal = { error: { class: 'auth', code: 'origin-refused', retryable: false } };

async function served(options: Parameters<typeof onSocket>[0] = {}) {
  const asked: number[] = [];
  const agent = agentOf('echo', () => {
    asked.push(1);
    return 'Hello.';
  });
  const { url, port } = await onSocket({ agents: [agent], ...options });
  const get = (headers: Record<string, string>) => send(`${url}/v1/echo?q=hello`, headers);
  return { get, port, asked };
}

const host = /--allow-host, or api\.hosts/;
const cors = /api\.cors/;

test.each<[string, Record<string, string>, string, RegExp]>([
  ['a page elsewhere', { origin: 'https://evil.example' }, 'Pages of https://evil.example may', cors],
  ['a page on another port of this machine', { origin: 'http://localhost:3000' }, 'http://localhost:3000', cors],
  ['a page without a home', { origin: 'null' }, 'Pages of null may', cors],
  ['an origin that is none', { origin: '<evil>' }, 'Pages of what was sent may', cors],
  ['a picture or a link elsewhere', { 'sec-fetch-site': 'cross-site' }, 'Pages of other sites', cors],
  ['a picture on another port', { 'sec-fetch-site': 'same-site' }, 'Pages of other sites', cors],
  ['a name that was made to lead here', { host: 'evil.example' }, 'not known as evil.example.', host],
  ['the same, with our port', { host: 'evil.example:8080', origin: 'http://evil.example:8080' }, ':8080.', host],
  ['a name that begins like ours', { host: 'localhost.evil.example' }, 'as localhost.evil.example.', host],
  ['a name without an end', { host: 'e'.repeat(300) }, 'not known as what was sent.', host],
  ['another address', { host: '192.168.1.4' }, 'as 192.168.1.4.', host],
])('%s: 403 with what was refused and what helps, and no agent is asked', async (_, headers, named, remedy) => {
  const { get, asked } = await served();
  const { status, text } = await get(headers);
  const { error } = JSON.parse(text);
  expect([status, { error }]).toMatchObject([403, refusal]);
  expect(error.message).toContain(named);
  expect(error.remedy).toMatch(remedy);
  expect(error.remedy).not.toMatch(remedy === host ? cors : host);
  expect(asked).toEqual([]);
});

test.each<[string, (port: number) => Record<string, string>]>([
  ['no page at all', () => ({})],
  ['a typed address', () => ({ 'sec-fetch-site': 'none' })],
  [
    'our own page',
    (port) => ({ host: `127.0.0.1:${port}`, origin: `http://127.0.0.1:${port}`, 'sec-fetch-site': 'same-origin' }),
  ],
  ['our own page, by name', (port) => ({ host: `localhost:${port}`, origin: `http://localhost:${port}` })],
  ['a name of this machine', () => ({ host: 'agents.localhost' })],
  ['the other kind of address', (port) => ({ host: `[::1]:${port}` })],
  ['a page that is named', () => ({ origin: 'https://app.example' })],
  ['a host that is named', () => ({ host: 'agents.example:443' })],
  ['our page there, behind a proxy with TLS', () => ({ host: 'agents.example', origin: 'https://agents.example' })],
])('%s comes in', async (_, headersOf) => {
  const { get, port } = await served({ cors: ['https://app.example'], hosts: ['Agents.example'] });
  expect((await get(headersOf(port))).status).toBe(200);
});

test('a server that everybody may reach is known by any address, and by no strange name', async () => {
  const { get } = await served({ host: '0.0.0.0' });
  expect((await get({ host: '192.168.1.4:8080' })).status).toBe(200);
  expect((await get({ host: '[fe80::1]' })).status).toBe(200);
  expect((await get({ host: 'evil.example' })).status).toBe(403);
  expect((await get({ origin: 'https://evil.example' })).status).toBe(403);
});

test('it is known by the names of its machine too, when it is reached from others', async () => {
  const [short = ''] = hostname().split('.');
  const beyond = await served({ host: '0.0.0.0' });
  const here = await served();
  for (const name of [hostname(), `${short}.local`, `${short.toUpperCase()}:8080`]) {
    expect((await beyond.get({ host: name })).status).toBe(200);
    expect((await here.get({ host: name })).status).toBe(403);
  }
});

test('with keys it is the key that counts: no page has it', async () => {
  const { app } = governed({ keys: { desk: {} } });
  const strange = { host: 'agents.example', origin: 'https://evil.example' };
  const response = await app.request('/v1/echo?q=hello', as('desk', strange));
  expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, null]);
  expect((await app.request('/v1/echo?q=hello', { headers: strange })).status).toBe(401);
});

test('as a server of the protocol for tools it refuses them even then, but for those that are named', async () => {
  const { app } = governed({ keys: { desk: {} }, cors: ['https://app.example'] });
  const ask = async (path: string, origin: string) => (await app.request(path, as('desk', { origin }))).status;
  // No stream of events is opened: nobody would close it.
  for (const path of ['/mcp', '/mcp/sse/message', '/mcp/ws']) {
    expect([path, await ask(path, 'https://evil.example')]).toEqual([path, 403]);
    expect(await ask(path, 'https://app.example')).not.toBe(403);
  }
  expect(await ask('/mcp/sse', 'https://evil.example')).toBe(403);
  expect(await ask('/v1', 'https://evil.example')).toBe(200);
});
