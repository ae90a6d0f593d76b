// The token of a tree, for a model that may be an agent of this very process: its server knows by it who waits for whom.

/** The server makes the same of the ids of the trees it runs; another process makes others. */
export function tokenOf(originId: string): string {
  return process.getBuiltinModule('node:crypto').hash('sha256', `${secret()} ${originId}`).slice(0, 32);
}

/** Chance of this process. The packages of the server and of the tools find it under the same symbol: none knows the others. */
const key = Symbol.for('ai-agent.tree-secret');

function secret(): string {
  const shared = globalThis as { [key]?: string };
  shared[key] ??= process.getBuiltinModule('node:crypto').randomBytes(32).toString('hex');
  return shared[key];
}
