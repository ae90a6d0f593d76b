// Waiting in a soak: for something to become true, for a free port. Never for ever.

import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** Asks again until there is an answer; fails with what was waited for. */
export async function waitFor<T>(what: string, ask: () => Promise<T | undefined> | T | undefined, limitMs = 30_000) {
  const until = performance.now() + limitMs;
  let problem = '';
  while (performance.now() < until) {
    try {
      const answer = await ask();
      if (answer !== undefined) return answer;
    } catch (error) {
      problem = `; last: ${String(error)}`;
    }
    await pause(25);
  }
  throw new Error(`Waited ${limitMs} ms in vain: ${what}${problem}`);
}

/** All different, and free a moment ago. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => {
    const address = server.address();
    return typeof address === 'object' && address ? address.port : 0;
  });
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}
