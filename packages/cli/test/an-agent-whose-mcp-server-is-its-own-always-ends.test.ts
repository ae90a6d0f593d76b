// The promise: an agent whose MCP server is the very server that runs it ends at every bound, over every transport: answered, or refused
// in words that its model reads. Nobody waits for a place that whoever waits for them holds.

import { ask } from '@ai-agent/cli';
import { describe, expect, test } from 'vitest';
import { mcpCaller, mcpWays, ownKey, ownServer } from './support/own-server.ts';

const many = 100;
const ways = Object.entries(mcpWays);
const bounds = [1, 3].flatMap((running) => [0, many].map((waiting) => ({ running, waiting })));
const all = 'a(b(c, c), b(c, c), b(c, c), b(c, c))';
const some = /^outside\((?:server-full|a\((?:(?:b\((?:(?:c|server-full)(?:, |\))){2}|server-full)(?:, |\))){4})\)$/;

describe.each(ways)('over %s', (_name, way) => {
  const team = (url: string) => [
    mcpCaller('a', way(url), ['b', 'b', 'b', 'b']),
    mcpCaller('b', way(url), ['c', 'c']),
    mcpCaller('c', way(url), []),
  ];

  test.each(bounds)('with $running at once and $waiting waiting', async (size) => {
    const { url, hall } = await ownServer(team, { places: { mcp: size } });
    const signal = AbortSignal.timeout(25_000);
    const asked = [1, 2, 3].map(() => ask(mcpCaller('outside', way(url), ['a']), 'go', { signal }));
    for (const { text } of await Promise.all(asked)) {
      if (size.waiting === many) expect(text).toBe(`outside(${all})`);
      else expect(text).toMatch(some);
    }
    await expect
      .poll(() => [hall.running, hall.placesOf('mcp').running, hall.placesOf('mcp').waiting])
      .toEqual([0, 0, 0]);
  });
  test('with a key that may have one at once', async () => {
    const { url, hall } = await ownServer(team, {
      key: { concurrency: 1 },
      places: { mcp: { running: 2, waiting: many } },
    });
    const signal = AbortSignal.timeout(25_000);
    const asked = [1, 2, 3].map(() => ask(mcpCaller('outside', way(url), ['a']), 'go', { signal }));
    expect((await Promise.all(asked)).map(({ text }) => text)).toEqual(Array(3).fill(`outside(${all})`));
    await expect.poll(() => [hall.running, hall.placesOf('mcp').running]).toEqual([0, 0]);
  });

  test('a place of another headend is lent too', async () => {
    const { url, hall } = await ownServer(team, {
      places: { rest: { running: 1, waiting: many }, mcp: { running: 1, waiting: 8 } },
    });
    const ticket = await hall.placesOf('mcp').enter({ owner: 'somebody who keeps it' });
    const headers = { 'x-api-key': ownKey };
    const response = await fetch(`${url}/v1/a?q=go`, { headers, signal: AbortSignal.timeout(25_000) });
    expect([response.status, (await response.text()).trim()]).toEqual([200, all]);
    ticket.leave();
  });
});
