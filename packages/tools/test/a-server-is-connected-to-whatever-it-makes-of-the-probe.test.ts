// Older servers answer an unknown first request with an error, not at all, or leave. All of them are connected to.

import { expect, test } from 'vitest';
import { byHand, callOptions, good, never, openConnections, textOf } from './support/mcp.ts';

test.each(['error', 'ignore', 'exit'])('a server whose answer to the probe is: %s', async (discover) => {
  const { server, facts } = byHand({ discover, isRecording: true });
  const lease = await openConnections().lease(server, { signal: never() });
  expect(lease.link.instructions).toBe('Use it well.');
  const result = await lease.link.call('echo', { word: 'hello' }, callOptions());
  expect(textOf(result)).toBe('{"word":"hello"}');
  expect(facts().filter(({ event }) => event === 'start')).toHaveLength(discover === 'exit' ? 2 : 1);
});

test('an older revision is spoken as the server says', async () => {
  const { server } = byHand({ protocolVersion: '2024-11-05' });
  const { link } = await openConnections().lease(server, { signal: never() });
  expect((await link.tools(never())).map(({ name }) => name)).toContain('echo');
});

test.each([[[]], [['modern']]])('the newest revision is spoken %s', async (args) => {
  const seen: string[] = [];
  const connections = openConnections({ onTraffic: ({ direction, text }) => direction === 'sent' && seen.push(text) });
  const { link } = await connections.lease(good(...args), { signal: never() });
  expect(link.instructions).toBe('Be good.');
  expect(textOf(await link.call('echo', { word: 'hello' }, callOptions()))).toBe('{"word":"hello"}');
  expect(seen.some((text) => text.includes('"initialize"'))).toBe(false);
  expect(seen.find((text) => text.includes('tools/call'))).toContain('2026-07-28');
});
