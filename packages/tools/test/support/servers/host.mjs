// A process that uses a server, and ends in the way its first argument says.

import { Connections } from '../../../src/mcp/connections.ts';
import { readServerConfig } from '../../../src/mcp/server-config.ts';

const { how, config, isHandling } = JSON.parse(process.argv[2]);
const clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  after(durationMs, wake) {
    const timer = setTimeout(wake, durationMs);
    return () => clearTimeout(timer);
  },
};
const connections = new Connections({ clock, cwd: process.cwd(), serverEnv: { PATH: process.env.PATH }, version: '1' });
if (isHandling) process.on('SIGTERM', () => connections.close().then(() => process.exit(0)));
const signal = new AbortController().signal;
const lease = await connections.lease(readServerConfig('server', config), { signal });
process.stdout.write('ready\n');
if (how === 'exit') process.exit(3);
if (how === 'throw') throw new Error('unexpected');
if (how === 'linger') await lease.release();
if (how === 'close') await connections.close();
