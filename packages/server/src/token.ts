// A token for a tree that runs here: whoever it calls can show it. Nobody makes one of an id, which clients are told.

/** Tools and models make the same of the id of the tree that calls. */
export function tokenOf(originId: string): string {
  return process.getBuiltinModule('node:crypto').hash('sha256', `${keepSecret()} ${originId}`).slice(0, 32);
}

/** Chance of this process. The packages of the tools and of the models find it under the same symbol: none knows the others. */
const key = Symbol.for('ai-agent.tree-secret');

/** There before the first run: models of this process look whether it is, and nobody has shown a token yet. */
export function keepSecret(): string {
  const shared = globalThis as { [key]?: string };
  shared[key] ??= process.getBuiltinModule('node:crypto').randomBytes(32).toString('hex');
  return shared[key];
}
