// Whatever stands in a message of a server: it costs at most the call that it belongs to.

import { expect, test } from 'vitest';
import { readServerConfig } from '../src/mcp/server-config.ts';
import { callOptions, never, openConnections, rude, textOf } from './support/mcp.ts';
import { createServer } from './support/servers/good-server.ts';
import { listenSse } from './support/web-server.ts';

const answer = '{"jsonrpc":"2.0","id":$ID,"result":{"content":[{"type":"text","text":"fine"}]}}';
const progress = (params: string) => `{"jsonrpc":"2.0","method":"notifications/progress","params":${params}}`;
const thing = '{"toString":1,"valueOf":1}';

test.each([
  ['a token that is no text', progress(`{"progressToken":${thing},"progress":1}`), []],
  ['a count that is no number', progress(`{"progressToken":$TOKEN,"progress":${thing}}`), []],
  ['a total that is no number', progress(`{"progressToken":$TOKEN,"progress":1,"total":${thing}}`), ['1']],
  ['words that are no text', progress(`{"progressToken":$TOKEN,"progress":1,"message":${thing}}`), ['1']],
  ['words alone', progress('{"progressToken":$TOKEN,"message":"half way"}'), ['half way']],
])('a report of progress with %s', async (_, line, expected) => {
  const told: string[] = [];
  const { link } = await openConnections().lease(rude({ lines: [line, answer] }), { signal: never() });
  const result = await link.call('ok', {}, callOptions({ onProgress: (text) => told.push(text) }));
  expect(textOf(result)).toBe('fine');
  expect(told).toEqual(expected);
});

test('a result nested without measure, while traffic is listened to', async () => {
  const heard: string[] = [];
  const connections = openConnections({
    onTraffic: ({ direction, text }) => direction === 'received' && heard.push(text),
  });
  const { link } = await connections.lease(rude({ does: 'nest' }), { signal: never() });
  expect(await link.call('ok', {}, callOptions())).toMatchObject({ content: [] });
  expect(heard.at(-1)).toContain('cannot be shown');
});

test('the same over SSE', async () => {
  const { url } = await listenSse(() => {
    const server = createServer();
    server.setRequestHandler('tools/call', async (_, context) => {
      const params = { progressToken: { toString: 1, valueOf: 1 }, progress: 1 } as never;
      await context.mcpReq.notify({ method: 'notifications/progress', params });
      return { content: [{ type: 'text', text: 'fine' }] };
    });
    return server;
  });
  const server = readServerConfig('far', { url, type: 'sse' });
  const { link } = await openConnections().lease(server, { signal: never() });
  expect(textOf(await link.call('echo', {}, callOptions()))).toBe('fine');
});
