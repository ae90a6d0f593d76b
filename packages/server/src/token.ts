// A token for a tree that runs here: it can be shown to whoever it calls without giving away the id, which is a capability.

/** The tools package makes the same of the id of the tree that calls. */
export function tokenOf(originId: string): string {
  return process.getBuiltinModule('node:crypto').hash('sha256', `ai-agent ${originId}`).slice(0, 32);
}
