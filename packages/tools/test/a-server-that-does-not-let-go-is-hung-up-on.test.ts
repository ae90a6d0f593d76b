// A WebSocket whose other side does not say goodbye is closed all the same: it would keep the process alive for ever.

import { expect, test } from 'vitest';
import { readServerConfig } from '../src/mcp/server-config.ts';
import { callOptions, never, openConnections } from './support/mcp.ts';
import { createServer } from './support/servers/good-server.ts';
import { listenSocket, type SocketSide, serveSocket } from './support/web-server.ts';

async function connect(onCall?: (side: SocketSide) => void) {
  const gone = Promise.withResolvers<void>();
  const { url } = await listenSocket(
    (side) => {
      const receive = onCall ? serveOlder(side) : serveSocket(createServer)(side);
      return (text) => (onCall && text.includes('tools/call') ? onCall(side) : receive(text));
    },
    { saysGoodbye: false, onGone: () => gone.resolve() },
  );
  const lease = await openConnections().lease(readServerConfig('far', { url }), { signal: never() });
  return { ...lease, gone: gone.promise };
}

/** Of a revision in which servers may ask. */
function serveOlder({ send }: SocketSide) {
  const greeting = { capabilities: {}, serverInfo: { name: 'older', version: '1' } };
  return (text: string) => {
    const { id, method, params } = JSON.parse(text) as { id?: number; method: string; params: object };
    const unknown = { error: { code: -32601, message: 'Method not found' } };
    const body = method === 'initialize' ? { result: { ...params, ...greeting } } : unknown;
    if (id !== undefined) send(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
  };
}

test('when the last session has left', { timeout: 5_000 }, async () => {
  const { release, gone } = await connect();
  await release();
  await gone;
});

test('when it sent what nobody can take', { timeout: 5_000 }, async () => {
  const { link, gone } = await connect((side) => side.send('x'.repeat(11 * 1024 * 1024)));
  await expect(link.call('echo', {}, callOptions())).rejects.toMatchObject({ class: 'network' });
  await gone;
});

test('when it asks, and does not read the answers', { timeout: 15_000 }, async () => {
  // The answer has the same id.
  const question = JSON.stringify({ jsonrpc: '2.0', id: 'q'.repeat(100_000), method: 'nobody/knows' });
  const { link, gone } = await connect((side) => {
    side.stopReading();
    const more = () => {
      for (let i = 0; i < 20; i++) side.send(question);
      flooding = setTimeout(more);
    };
    let flooding = setTimeout(more);
    void gone.then(() => clearTimeout(flooding));
  });
  await expect(link.call('echo', {}, callOptions())).rejects.toMatchObject({ class: 'network' });
  await gone;
});
