// The hash of a key of a server, as it stands in a configuration. Keys are random and long, so a fast hash is enough: nobody can try them all.

import { createHash } from 'node:crypto';

export function hashOfKey(key: string): string {
  return `sha256:${createHash('sha256').update(key).digest('hex')}`;
}
