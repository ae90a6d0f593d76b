// Requests that stay on this machine carry the depth and the names of the agents above, each call its own; no others do.

import { callerHeaders } from '@ai-agent/core';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { afterEach, describe, expect, test } from 'vitest';
import { headersOfCaller, withCaller } from '../src/calling.ts';
import { Outbound } from '../src/outbound/outbound.ts';
import { fixedLookup } from './support/fixed-lookup.ts';
import { type HttpRequest, type HttpServer, serveHttp } from './support/http-server.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function serve(answer?: Parameters<typeof serveHttp>[0]): Promise<HttpServer> {
  const server = await serveHttp(answer);
  closing.push(server.close);
  return server;
}

function open(options: ConstructorParameters<typeof Outbound>[0]): Outbound {
  const outbound = new Outbound(options);
  closing.push(() => outbound.close());
  return outbound;
}

const said = ({ headers }: HttpRequest) => [headers[callerHeaders.depth], headers[callerHeaders.ancestry]];

describe('a request', () => {
  test('to this machine says who calls, also after waiting', async () => {
    const server = await serve();
    const { fetch } = open({ named: [server.host] });
    await withCaller({ callPath: 'root:ask me:büro', originId: 'tree' }, async () => {
      await new Promise((resolve) => setImmediate(resolve));
      await fetch(server.origin);
    });
    expect(server.requests.map(said)).toEqual([['3', 'root:ask%20me:b%C3%BCro']]);
  });

  test('of nobody says nothing', async () => {
    const server = await serve();
    await open({ named: [server.host] }).fetch(server.origin);
    expect(server.requests.map(said)).toEqual([[undefined, undefined]]);
  });

  test('to another host says nothing, also when one of this machine sends it there', async () => {
    const server = await serve(({ headers }, response) => {
      const isLocal = headers.host?.startsWith('127.');
      const location = `http://far.example:${server.port}/`;
      response.writeHead(isLocal ? 302 : 200, isLocal ? { location } : {}).end();
    });
    const { lookup } = fixedLookup({ 'far.example': [['127.0.0.1']] });
    const { fetch } = open({ named: [server.host, `far.example:${server.port}`], lookup });
    await withCaller({ callPath: 'root', originId: 'tree' }, () => fetch(server.origin));
    expect(server.requests.map(said)).toEqual([
      ['1', 'root'],
      [undefined, undefined],
    ]);
  });

  test.each([
    ['http://localhost/', true],
    ['http://LOCALHOST.:80/', true],
    ['http://tools.localhost/', true],
    ['http://127.8.8.8/', true],
    ['ws://[::1]:90/', true],
    ['http://0.0.0.0:90/', true],
    ['http://0/', true],
    ['http://[::]:90/', true],
    ['http://[::ffff:127.0.0.1]/', true],
    ['http://[::ffff:127.255.0.9]/', true],
    ['http://[::ffff:0.0.0.0]/', true],
    ['http://[::2]/', false],
    ['http://[::ffff:10.0.0.1]/', false],
    ['http://localhost.example/', false],
    ['http://127.0.0.1.example/', false],
    ['http://10.0.0.1/', false],
  ])('to %s: %s', (url, isLocal) => {
    withCaller({ callPath: 'root', originId: 'tree' }, () => {
      expect(Object.keys(headersOfCaller(new URL(url)))).toHaveLength(isLocal ? 3 : 0);
    });
  });
});

test('calls of two sessions on one connection of the protocol library say each its own', async () => {
  const handler = createMcpHandler(() => {
    const mcp = new McpServer({ name: 'mine', version: '1.0.0' });
    mcp.registerTool('wait', {}, () => ({ content: [{ type: 'text', text: 'done' }] }));
    return mcp;
  });
  closing.push(() => handler.close());
  const server = await serve(async ({ method, path, headers, body }, response) => {
    const given = new Headers(Object.entries(headers).map(([name, value]) => [name, String(value)]));
    const request = new Request(`${server.origin}${path}`, {
      method,
      headers: given,
      ...(method === 'GET' ? {} : { body }),
    });
    const answer = await handler.fetch(request);
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
  });
  const outbound = open({ named: [server.host] });
  const client = new Client({ name: 'test', version: '1.0.0' });
  closing.push(() => client.close());
  await client.connect(new StreamableHTTPClientTransport(new URL(server.origin), { fetch: outbound.fetch }));
  const callers = ['first', 'first:helper', 'second'];
  await Promise.all(
    callers.map((callPath) => withCaller({ callPath, originId: callPath }, () => client.callTool({ name: 'wait' }))),
  );
  const calls = server.requests.filter(({ body }) => body.includes('tools/call'));
  expect(calls.map(said).sort()).toEqual([
    ['1', 'first'],
    ['1', 'second'],
    ['2', 'first:helper'],
  ]);
  const others = server.requests.filter(({ body }) => !body.includes('tools/call'));
  expect(others.length).toBeGreaterThan(0);
  for (const request of others) expect(said(request)).toEqual([undefined, undefined]);
});
