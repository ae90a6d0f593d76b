// The promise: a stream of events says where to post, and takes there what its own key sends, as HTTP has words for it.

import { fakePorts } from '@ai-agent/core/testing';
import { expect, onTestFinished, test } from 'vitest';
import { hashOf, Keys } from '../src/index.ts';
import { agentOf } from './contract/people.ts';
import { hallOf } from './support/house.ts';
import { initialize, type McpHouseOptions, openMcp } from './support/mcp-channels.ts';
import { parseEvents } from './support/sse-events.ts';

const headers = { 'content-type': 'application/json' };

async function open(options: McpHouseOptions = {}, more: Record<string, string> = {}) {
  const { url } = await openMcp(hallOf([agentOf('echo', () => 'Said again.')]), options);
  const gone = new AbortController();
  onTestFinished(() => gone.abort());
  const response = await fetch(`${url}/mcp/sse`, { headers: more, signal: gone.signal });
  const reader = response.body?.getReader();
  const chunks = (async function* () {
    for (;;) {
      const { done = true, value } = (await reader?.read().catch(() => undefined)) ?? {};
      if (done || !value) return;
      yield value;
    }
  })();
  const events = parseEvents(chunks)[Symbol.asyncIterator]();
  const next = async () => (await events.next()).value as { event: string; data: unknown };
  return { url, response, next, leave: () => gone.abort(), chunks };
}

/** The first event is an address and no JSON. */
async function endpointOf({ chunks }: Awaited<ReturnType<typeof open>>): Promise<string> {
  const { value } = await chunks.next();
  const [, data] = /^event: endpoint\ndata: (.*)\n\n$/.exec(Buffer.from(value ?? []).toString()) ?? [];
  return data ?? '';
}

test('the address comes first; what is posted there is answered on the stream', async () => {
  const stream = await open();
  expect(stream.response.headers.get('content-type')).toMatch(/^text\/event-stream/);
  const endpoint = await endpointOf(stream);
  expect(endpoint).toMatch(
    /^\/mcp\/sse\/message\?sessionId=[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
  );
  const posted = await fetch(`${stream.url}${endpoint}`, { method: 'POST', headers, body: initialize });
  expect([posted.status, await posted.text()]).toEqual([202, 'Accepted']);
  expect(await stream.next()).toMatchObject({ event: 'message', data: { id: 1, result: {} } });
});

test('behind a proxy that takes a part of the path away, the address has it again', async () => {
  expect(await endpointOf(await open({}, { 'x-forwarded-prefix': '/agents/v2' }))).toMatch(
    /^\/agents\/v2\/mcp\/sse\/message\?/,
  );
  expect(await endpointOf(await open({}, { 'x-forwarded-prefix': '//evil.example' }))).toMatch(
    /^\/mcp\/sse\/message\?/,
  );
});

test.each([
  ['no JSON', { body: '{' }, 400],
  ['several messages', { body: `[${initialize}]` }, 400],
  ['no message', { body: '{}' }, 400],
  ['more than is taken', { body: `{"x":"${'x'.repeat(5_000)}"}` }, 413],
  ['another type', { body: initialize, headers: { 'content-type': 'text/plain' } }, 415],
  ['a caller that is none', { body: initialize, headers: { ...headers, 'x-ai-agent-depth': 'x' } }, 400],
])('%s is refused', async (_, sending, status) => {
  const stream = await open({ maxBodyBytes: 5_000 });
  const endpoint = await endpointOf(stream);
  const response = await fetch(`${stream.url}${endpoint}`, { method: 'POST', headers, ...sending });
  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject({ error: { class: 'usage' } });
});

test('a stream that is not there, or has ended, takes nothing', async () => {
  const stream = await open();
  const endpoint = await endpointOf(stream);
  const post = async (path: string) =>
    (await fetch(`${stream.url}${path}`, { method: 'POST', headers, body: initialize })).status;
  expect(await post('/mcp/sse/message?sessionId=none')).toBe(404);
  expect(await post('/mcp/sse/message')).toBe(404);
  expect(await post(endpoint)).toBe(202);
  expect((await fetch(`${stream.url}${endpoint}`)).status).toBe(405);
  stream.leave();
  await expect.poll(() => post(endpoint)).toBe(404);
});

test('nobody posts to the stream of another key', async () => {
  const keys = new Keys({ one: { hash: hashOf('first') }, two: { hash: hashOf('second') } }, fakePorts().clock);
  const stream = await open({ door: { keys } }, { authorization: 'Bearer first' });
  const endpoint = await endpointOf(stream);
  const post = async (key: string) => {
    const sent = { ...headers, authorization: `Bearer ${key}` };
    return (await fetch(`${stream.url}${endpoint}`, { method: 'POST', headers: sent, body: initialize })).status;
  };
  expect([await post('second'), await post('third'), await post('first')]).toEqual([404, 401, 202]);
});

test('something is said now and then, so that nobody on the way takes it for dead', async () => {
  const stream = await open({ pingMs: 20 });
  await endpointOf(stream);
  expect(Buffer.from((await stream.chunks.next()).value ?? []).toString()).toMatch(/^: /);
});

test('who asks only for the head opens nothing', async () => {
  const { url } = await open({ maxConnections: 2 });
  for (let i = 0; i < 3; i++) expect((await fetch(`${url}/mcp/sse`, { method: 'HEAD' })).status).toBe(200);
  const second = await fetch(`${url}/mcp/sse`);
  expect([second.status, (await fetch(`${url}/mcp/sse`)).status]).toEqual([200, 503]);
  await second.body?.cancel();
});
