// The hash of a key of a server, as it stands in a configuration. Keys are random and long, so a fast hash is enough: nobody can try them all.

export function hashOfKey(key: string): string {
  // Loaded by the first who needs it: for everybody else it is a tenth of a start.
  const { hash } = process.getBuiltinModule('node:crypto');
  return `sha256:${hash('sha256', key)}`;
}
