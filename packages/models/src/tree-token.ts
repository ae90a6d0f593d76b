// The token of a tree, for a model that may be an agent of this very process: its server knows by it who waits for whom.

/** The server makes the same of the ids of the trees it runs. Nothing where no server of ours runs in this process. */
export function tokenOf(originId: string): string | undefined {
  const secret = (globalThis as { readonly [key]?: string })[key];
  if (secret === undefined) return undefined;
  return process.getBuiltinModule('node:crypto').hash('sha256', `${secret} ${originId}`).slice(0, 32);
}

/** Chance of this process. The packages of the server and of the tools find it under the same symbol: none knows the others. */
const key = Symbol.for('ai-agent.tree-secret');
