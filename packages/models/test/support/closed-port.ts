// A port of this machine that refuses connections, for tests of servers that are gone.

import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';

/** A port that refuses connections. A client holds it, so that no server of another test gets it. */
export async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').unref();
  await once(client, 'connect');
  return client.localPort ?? 0;
}
