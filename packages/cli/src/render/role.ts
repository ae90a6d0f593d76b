// What a partner is to the agent that called it, before its name: `advisor law`, `destination billing`, `→ editor`.

import type { SessionNode } from '@ai-agent/core';

export type Role = NonNullable<SessionNode['partner']>;

const words: Readonly<Record<Role, string>> = { advisor: 'advisor ', router: 'destination ', handoff: '→ ' };

/** Nothing for a sub-agent. */
export function toRolePrefix(role: Role | undefined): string {
  return role === undefined ? '' : words[role];
}
