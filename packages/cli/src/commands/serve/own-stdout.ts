// Keeps stdout for the protocol that is spoken on it: whatever else writes there, a library or a module of a user, is heard on stderr.

import { Writable } from 'node:stream';

/** What leads to the real stdout from now on; nothing else does until the process ends. To be called once. */
export function keepStdout(): Writable {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  const kept = new Writable({
    decodeStrings: false,
    write: (chunk, encoding, done) => void write(chunk, encoding, done),
  });
  // The object that everybody has already, `console` included.
  stdout.write = stderr.write.bind(stderr);
  stdout.end = ((...said: Parameters<typeof stdout.write>) => {
    if (said[0] !== undefined && typeof said[0] !== 'function') stderr.write(...said);
    return stdout;
  }) as typeof stdout.end;
  return kept;
}
