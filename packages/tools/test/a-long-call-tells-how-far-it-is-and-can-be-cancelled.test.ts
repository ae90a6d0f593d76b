import { expect, test } from 'vitest';
import type { Traffic } from '../src/surroundings.ts';
import { openConnections } from './support/mcp.ts';
import { everything, started } from './support/servers.ts';
import { calling, walkWith } from './support/walk-with.ts';

const long = (input: object) => calling({ name: 'every__trigger-long-running-operation', input });

test('progress of a server is progress of the call', async () => {
  const { events, results } = await walkWith({
    server: 'every',
    config: started(everything),
    script: long({ duration: 0.2, steps: 3 }),
  });
  const told = events.flatMap((event) => (event.type === 'tool-progress' ? [event.text] : []));
  expect(told.length).toBeGreaterThanOrEqual(2);
  expect(told[0]).toMatch(/1.*3/);
  expect(results[0]?.text).toContain('Long running operation completed');
});

test('a session that is cancelled does not wait for the server, and tells it', async () => {
  const sent: string[] = [];
  const onTraffic = ({ direction, text }: Traffic) => {
    if (direction === 'sent') sent.push(text);
  };
  const controller = new AbortController();
  const startedAt = performance.now();
  const { outcome } = await walkWith({
    server: 'every',
    config: started(everything),
    script: long({ duration: 60, steps: 600 }),
    signal: controller.signal,
    connections: openConnections({ onTraffic }),
    onEvent: (event) => {
      if (event.type === 'tool-progress') controller.abort();
    },
  });
  expect(outcome.status).toBe('cancelled');
  expect(sent.some((text) => text.includes('notifications/cancelled'))).toBe(true);
  expect(performance.now() - startedAt).toBeLessThan(15_000);
});
