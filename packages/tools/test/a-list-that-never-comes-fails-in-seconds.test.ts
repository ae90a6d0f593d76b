// A handshake that comes and a list that never does: one time limit, the server's own words, and nothing is started again.

import { expect, test } from 'vitest';
import { listLimitMs } from '../src/mcp/tool-list.ts';
import { never, openConnections, rude, startedRude } from './support/mcp.ts';
import { calling, walkWith } from './support/walk-with.ts';

test('it fails once, and says what the server wrote', { timeout: 10_000 }, async () => {
  const server = rude({ silentFromList: 1, stderr: 'counting my tools\n' }, { requestTimeoutMs: 500 });
  const { link } = await openConnections().lease(server, { signal: never() });
  const startedAt = Date.now();
  const listing = link.tools(never());
  await expect(listing).rejects.toMatchObject({ code: 'tool-source-failed', class: 'timeout' });
  await expect(listing).rejects.toThrow(
    'The server rude did not list its tools within 0.5 s. It wrote: counting my tools',
  );
  expect(Date.now() - startedAt).toBeLessThan(1_000);
});

test('a server that ends instead of listing is told as that', { timeout: 10_000 }, async () => {
  const { link } = await openConnections().lease(rude({ diesAtList: true, stderr: 'no\n' }), { signal: never() });
  const listing = link.tools(never());
  await expect(listing).rejects.toMatchObject({ code: 'tool-source-failed', class: 'network' });
  await expect(listing).rejects.toThrow(
    /^The server rude ended with exit code 4 during the list of its tools\. It wrote: no$/,
  );
});

test.each([
  [undefined, 10_000],
  [500, 500],
  [30_000, 30_000],
  [600_000, 60_000],
])('with a request time of %s ms it has %s ms', (requestTimeoutMs, limitMs) => {
  expect(listLimitMs({ requestTimeoutMs })).toBe(limitMs);
});

test('an answer that says no is not lost to it', { timeout: 10_000 }, async () => {
  const changed = '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}';
  const refusal = '{"jsonrpc":"2.0","id":$ID,"result":{"isError":true,"content":[{"type":"text","text":"not today"}]}}';
  const { results } = await walkWith({
    server: 'rude',
    config: startedRude({ silentFromList: 2, lines: [changed, refusal] }),
    script: calling({ name: 'rude__ok' }),
  });
  expect(results[0]).toMatchObject({ isError: true });
  expect(results[0]?.text).toContain('not today');
});
