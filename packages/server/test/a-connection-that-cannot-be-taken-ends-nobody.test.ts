// The promise: when the system cannot give us a connection, whoever runs the server is told, and it goes on.

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Server } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../src/index.ts';

test('as when too many files are open', async () => {
  const servers: Server[] = [];
  const channel = 'tracing:net.server.listen:asyncStart';
  const hear = (message: unknown) => void servers.push((message as { readonly server: Server }).server);
  subscribe(channel, hear);
  onTestFinished(() => void unsubscribe(channel, hear));
  const bugs: unknown[] = [];
  const app = { fetch: () => new Response('Here.') };
  const listening = await listen(app, { port: 0, onBug: (error) => bugs.push(error) });
  onTestFinished(() => listening.close(0));
  const error = Object.assign(new Error('accept EMFILE'), { code: 'EMFILE' });
  expect(servers).toHaveLength(1);
  // As Node tells it.
  servers[0]?.emit('error', error);
  expect(bugs).toEqual([error]);
  expect(await (await fetch(listening.url)).text()).toBe('Here.');
});
