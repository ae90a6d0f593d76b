// Sources are closed when one of them fails: one that still starts is called off.

import { expect, test } from 'vitest';
import { openSource } from './support/fake-server.ts';
import { byHand, eventually, isAlive, openConnections } from './support/mcp.ts';

test('closing ends a start that hangs', { timeout: 8_000 }, async () => {
  const { server, facts } = byHand({ discover: 'ignore', initialize: 'never' }, { startTimeoutMs: 60_000 });
  const { command, args } = server;
  const { source, list } = openSource({ connections: openConnections() }, { command, args });
  const listing = list();
  listing.catch(() => {});
  await eventually(() => facts().length === 1);
  const startedAt = Date.now();
  await source.close?.();
  expect(Date.now() - startedAt).toBeLessThan(500);
  await expect(listing).rejects.toMatchObject({ code: 'cancelled' });
  await eventually(() => !isAlive(facts()[0]?.pid));
});
