// The promise: what a session of MCP said while its client was gone is heard when it comes back, the answer above all.

import { connect, createServer, type Socket } from 'node:net';
import { Client as Client2, StreamableHTTPClientTransport as Transport2 } from '@modelcontextprotocol/client';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect, onTestFinished, test } from 'vitest';
import { agentOf, call } from './contract/people.ts';
import { callOf, cancelOf, heardOn, listenTo, mcpHttp, onPort, rpcErrorOf } from './support/mcp-http.ts';

test('the missed messages and the answer come after the last event that was heard', async () => {
  const { begin, post, send, slow, ended } = mcpHttp();
  const session = await begin();
  const stream = listenTo(await post(callOf(7), { session }));
  await expect.poll(slow.started).toBe(1);
  const [first] = stream.heard();
  expect(first).toEqual({ id: '2-1' });
  await stream.drop();
  slow.release();
  await expect.poll(() => ended).toEqual(['completed']);
  const resumed = await send('GET', { session, headers: { 'last-event-id': '2-1' } });
  const [answer, ...more] = await heardOn(resumed);
  expect(answer?.message).toMatchObject({ id: 7, result: { content: [{ text: 'I am slow.' }] } });
  expect(more).toEqual([]);
});

test('who comes back while it runs hears the rest as it is said', async () => {
  const { begin, post, send, slow, ended, clock } = mcpHttp();
  const session = await begin();
  const first = listenTo(await post(callOf(7), { session }));
  await expect.poll(slow.started).toBe(1);
  await first.drop();
  const second = listenTo(await send('GET', { session, headers: { 'last-event-id': '2-1' } }));
  // Even when nobody has noticed that the stream before is broken.
  const third = listenTo(await send('GET', { session, headers: { 'last-event-id': '2-1' } }));
  await second.done;
  clock.advance(60_000);
  slow.release();
  await third.done;
  expect(third.heard().at(-1)?.message).toMatchObject({ id: 7, result: { content: [{ text: 'I am slow.' }] } });
  expect(ended).toEqual(['completed']);
});

test('who has heard everything, or has cancelled, is told that there is no more', async () => {
  const { begin, post, send, slow } = mcpHttp();
  const session = await begin();
  const whole = listenTo(await post(callOf(1), { session }));
  await expect.poll(slow.started).toBe(1);
  slow.release();
  await whole.done;
  const cancelled = listenTo(await post(callOf(2), { session }));
  await expect.poll(slow.started).toBe(1);
  await post(cancelOf(2), { session });
  await cancelled.done;
  for (const stream of [whole, cancelled]) {
    const headers = { 'last-event-id': stream.heard().at(-1)?.id as string };
    const refused = await rpcErrorOf(await send('GET', { session, headers }));
    expect(refused).toEqual([405, -32_000, 'There is nothing more on this stream.']);
  }
});

test('the stream for everything else is taken up again too', async () => {
  const { begin, send, hall } = mcpHttp();
  const session = await begin();
  const first = listenTo(await send('GET', { session }));
  hall.agentsChanged();
  await expect.poll(() => first.heard().length).toBe(2);
  await first.drop();
  hall.agentsChanged();
  const headers = { 'last-event-id': first.heard()[0]?.id as string };
  const second = listenTo(await send('GET', { session, headers }));
  await expect.poll(() => second.heard().length).toBe(3);
  hall.agentsChanged();
  await expect.poll(() => second.heard().length).toBe(5);
  const methods = second.heard().map(({ message }) => message.method.replace('notifications/', ''));
  const [tools, prompts] = ['tools/list_changed', 'prompts/list_changed'];
  expect(methods).toEqual([prompts, tools, prompts, tools, prompts]);
  await second.drop();
});

test('what is kept is bounded, and the answer is the last that goes', async () => {
  const { begin, post, send, slow } = mcpHttp({ sessions: { kept: { maxEvents: 3 } } });
  const session = await begin();
  const stream = listenTo(await post(callOf(1), { session }));
  await expect.poll(slow.started).toBe(1);
  const { id } = stream.heard()[0] as { readonly id: string };
  // Others say more than is kept.
  for (let i = 0; i < 5; i++) await heardOn(await post({ jsonrpc: '2.0', id: `p${i}`, method: 'ping' }, { session }));
  await stream.drop();
  slow.release();
  const resumed = await heardOn(await send('GET', { session, headers: { 'last-event-id': id } }));
  expect(resumed.at(-1)?.message).toMatchObject({ id: 1, result: {} });
  for (let i = 0; i < 5; i++) await heardOn(await post({ jsonrpc: '2.0', id: `q${i}`, method: 'ping' }, { session }));
  expect((await send('GET', { session, headers: { 'last-event-id': id } })).status).toBe(400);
});

test('what is kept for all sessions is bounded too: who has said nothing for longest loses first', async () => {
  const { begin, post, send } = mcpHttp({ sessions: { maxKeptLength: 10_000 } });
  const [one, other] = [await begin(), await begin()];
  const said = async (session: string) => {
    const [first] = await heardOn(await post({ jsonrpc: '2.0', id: 'x'.repeat(6_000), method: 'ping' }, { session }));
    return () => send('GET', { session, headers: { 'last-event-id': first?.id as string } });
  };
  const comeBack = await said(one);
  expect(await heardOn(await comeBack())).toHaveLength(1);
  const comeBackOther = await said(other);
  expect((await comeBack()).status).toBe(400);
  expect(await heardOn(await comeBackOther())).toHaveLength(1);
  // What ended is not counted.
  await send('DELETE', { session: other });
  const comeBackAgain = await said(one);
  expect(await heardOn(await comeBackAgain())).toHaveLength(1);
});

test('a client of the SDK that is told of an error does not ask for more of it for ever', async () => {
  const { app } = mcpHttp({ sessions: { retryMs: 1 } });
  const got: number[] = [];
  const client = new Client1({ name: 'test', version: '1' });
  onTestFinished(() => client.close());
  const fetch = async (url: string | URL, init?: RequestInit) => {
    const response = await app.request(String(url), init);
    if (init?.method === 'GET') got.push(response.status);
    return response;
  };
  await client.connect(new Transport1(new URL('http://localhost/mcp'), { fetch }) as never);
  await expect(client.callTool({ name: 'nobody' })).rejects.toThrow('Unknown tool: nobody');
  await expect.poll(() => got).toEqual([200, 405]);
  for (let i = 0; i < 20; i++) await client.ping();
  expect(got).toEqual([200, 405]);
});

/** Between a client and the server, until it is cut. */
async function cutter(port: number) {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.pipe(to);
      from.on('error', () => {});
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as { readonly port: number }).port}/mcp`),
    cut() {
      for (const socket of sockets) socket.resetAndDestroy();
    },
  };
}

const clients = [
  ['1.x', (url: URL) => [new Client1({ name: 'test', version: '1' }), new Transport1(url)] as const],
  [
    '2.x',
    (url: URL) =>
      [
        new Client2({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'legacy' } }),
        new Transport2(url),
      ] as const,
  ],
] as const;

test.each(clients)('a client of the SDK %s whose sockets are cut gets its answer all the same', async (_, open) => {
  const first = Promise.withResolvers<void>();
  const second = Promise.withResolvers<void>();
  const asked = { count: 0 };
  const worker = agentOf('worker', () => {
    asked.count += 1;
    if (asked.count === 1) return { ...call('nothing', {}), until: first.promise };
    return { text: 'It is done.', until: second.promise };
  });
  const house = mcpHttp({ agents: [worker], sessions: { retryMs: 20 } });
  const { port } = await onPort(house);
  const { url, cut } = await cutter(port);
  const [client, transport] = open(url);
  client.onerror = () => {};
  onTestFinished(() => client.close());
  await client.connect(transport as never);
  const heard: string[] = [];
  const tokens: string[] = [];
  const following = {
    onprogress: ({ message = '' }: { readonly message?: string | undefined }) => heard.push(message),
    onresumptiontoken: (token: string) => void tokens.push(token),
  };
  const asking = { name: 'worker', arguments: { text: 'Go.' } };
  const calling =
    client instanceof Client1 ? client.callTool(asking, undefined, following) : client.callTool(asking, following);
  await expect.poll(() => [asked.count, tokens.length > 0]).toEqual([1, true]);
  const before = tokens.length;
  cut();
  // Said while nobody is there.
  first.resolve();
  await expect.poll(() => asked.count).toBe(2);
  await expect.poll(() => tokens.length).toBeGreaterThan(before);
  cut();
  second.resolve();
  expect(await calling).toMatchObject({ content: [{ type: 'text', text: 'It is done.' }] });
  expect(heard.length).toBeGreaterThan(0);
  expect([house.ended, house.bugs]).toEqual([['completed'], []]);
});
