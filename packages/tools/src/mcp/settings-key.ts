// Which servers are one and the same: by everything that is set, never by the name alone.

import { createHash } from 'node:crypto';
import type { ServerConfig } from './server-config.ts';

export function keyOfSettings(server: ServerConfig): string {
  const { name, type, command, args, env, cwd, url, headers, oauth, roots } = server;
  const { healthProbe, startTimeoutMs, requestTimeoutMs } = server;
  const reached = [name, type, command, args, inOrder(env), cwd ?? null, url, inOrder(headers), inOrder(oauth || {})];
  const rest = [oauth === false, roots, healthProbe, startTimeoutMs, requestTimeoutMs ?? null];
  return createHash('sha256')
    .update(JSON.stringify([...reached, ...rest]))
    .digest('hex');
}

function inOrder(table: Readonly<Record<string, unknown>>): readonly (readonly [string, unknown])[] {
  return Object.entries(table).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}
