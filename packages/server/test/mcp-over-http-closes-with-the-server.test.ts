// The promise: a server that stops takes no new sessions of MCP, hands over its last answers, and lets go of every stream.

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import { callOf, initialize, listenTo, mcpHttp, onPort, ping, rpcErrorOf } from './support/mcp-http.ts';

test('while it stops, sessions that are there go on, and new ones are refused', async () => {
  const { begin, post, hall, slow, headend, bugs } = mcpHttp();
  const session = await begin();
  const stream = listenTo(await post(callOf(1), { session }));
  await expect.poll(slow.started).toBe(1);
  const stopping = hall.stop(60_000);
  const refused = await post(initialize);
  expect(refused.headers.get('retry-after')).toBe('5');
  expect(await rpcErrorOf(refused)).toEqual([503, -32_000, expect.stringMatching(/stopping/)]);
  expect((await post(ping, { session })).status).toBe(200);
  slow.release();
  await stopping;
  await headend.close?.();
  await stream.done;
  // The answer of a run that ended in time is not lost on the way.
  expect(stream.heard().at(-1)?.message.result.content[0].text).toBe('I am slow.');
  expect(bugs).toEqual([]);
});

test('when it has closed, everybody is told to come back', async () => {
  const { begin, post, send, hall, headend, bugs, clock } = mcpHttp();
  const session = await begin();
  const stream = listenTo(await send('GET', { session }));
  await hall.stop(0);
  await headend.close?.();
  await stream.done;
  for (const response of [await post(ping, { session }), await post(initialize), await send('GET', { session })])
    expect(await rpcErrorOf(response)).toEqual([503, -32_000, expect.stringMatching(/stopping/)]);
  expect([bugs, clock.timers]).toEqual([[], 0]);
});

test('one that nobody has ever come to closes too', async () => {
  const { hall, headend, post, bugs } = mcpHttp();
  await hall.stop(0);
  await headend.close?.();
  expect([(await post(initialize)).status, bugs]).toEqual([503, []]);
});

test.each(['legacy', 'auto'] as const)('clients over sockets keep nobody from closing (%s)', async (mode) => {
  const house = mcpHttp();
  const { endpoint, close } = await onPort(house);
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  client.onerror = () => {};
  onTestFinished(() => client.close());
  await client.connect(new StreamableHTTPClientTransport(endpoint));
  const calling = client.callTool({ name: 'slow', arguments: { text: 'Go.' } });
  await expect.poll(house.slow.started).toBe(1);
  const stopping = house.hall.stop(0);
  // Runs that have no time to end are cancelled, and their clients are told so.
  house.clock.advance(1);
  await stopping;
  await house.headend.close?.();
  expect(await calling).toMatchObject({ isError: true });
  await close();
  expect([house.ended, house.bugs]).toEqual([['cancelled'], []]);
});
