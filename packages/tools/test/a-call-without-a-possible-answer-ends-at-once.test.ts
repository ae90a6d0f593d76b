// An answer that nobody can read, a server that can no longer speak or does not listen: the call does not wait for its time limit.

import { expect, test } from 'vitest';
import { readServerConfig } from '../src/mcp/server-config.ts';
import { callOptions, never, openConnections, rude } from './support/mcp.ts';
import { createServer } from './support/servers/good-server.ts';
import { listenSocket, serveSocket } from './support/web-server.ts';

const answers = [
  ['"jsonrpc":"2.0","result":null', 'its result is no object'],
  ['"jsonrpc":"2.0"', 'it has neither a result nor an error'],
  ['"jsonrpc":"2.0","error":"boom"', 'boom'],
  ['"jsonrpc":"2.0","error":{"code":"E"}', 'its error has no code or no message'],
  ['"jsonrpc":"2.0","error":{"code":"E","message":"no way"}', 'no way'],
  ['"jsonrpc":"2.0","result":{"_meta":"x","content":[]}', 'it is not as the protocol wants it'],
  ['"result":{"content":[]}', 'it does not say jsonrpc 2.0'],
] as const;

test.each(answers)('an answer of a process that is none: %s', { timeout: 5_000 }, async (fields, why) => {
  const { link } = await openConnections().lease(rude({ lines: [`{"id":$ID,${fields}}`] }), { signal: never() });
  const call = link.call('ok', {}, callOptions());
  await expect(call).rejects.toMatchObject({ code: 'tool-failed', class: 'tool' });
  await expect(call).rejects.toThrow(`The server rude failed at the call of ok: no valid answer: ${why}`);
});

test('an answer on a WebSocket that is none', { timeout: 5_000 }, async () => {
  const { url } = await listenSocket((side) => {
    const receive = serveSocket(createServer)(side);
    return (text) => {
      const { id, method } = JSON.parse(text) as { readonly id?: unknown; readonly method: string };
      if (method === 'tools/call') side.send(JSON.stringify({ jsonrpc: '2.0', id, result: null }));
      else receive(text);
    };
  });
  const { link } = await openConnections().lease(readServerConfig('far', { url }), { signal: never() });
  await expect(link.call('echo', {}, callOptions())).rejects.toThrow('no valid answer');
});

test('a server that closes its output and lives on', { timeout: 5_000 }, async () => {
  const { link } = await openConnections().lease(rude({ does: 'close-output' }), { signal: never() });
  const call = link.call('ok', {}, callOptions());
  await expect(call).rejects.toMatchObject({ code: 'tool-failed', class: 'network' });
  await expect(call).rejects.toThrow(
    /^The server rude ended with signal SIGTERM during the call of ok\. It closed its output, so it was ended\. It is not/,
  );
  await expect(call).rejects.toThrow('It wrote: I close my output');
});

test('a server that asks and does not read the answers', { timeout: 15_000 }, async () => {
  const before = process.memoryUsage.rss();
  const { link } = await openConnections().lease(rude({ does: 'ask-and-not-read' }), { signal: never() });
  const call = link.call('ok', {}, callOptions());
  await expect(call).rejects.toThrow('It does not read what it is sent, so it was ended.');
  expect(process.memoryUsage.rss() - before).toBeLessThan(200 * 1024 * 1024);
});
