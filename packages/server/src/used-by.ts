// Which of the agents that are served work for which others, as tools or on the same request.

import type { Agent } from '@ai-agent/core';
import type { ServedAgent } from './served-agent.ts';

/** Names outside of those among `agents` that use this one themselves, in the order of the list. */
export function usedBy({ agent }: ServedAgent, agents: readonly ServedAgent[]): readonly string[] {
  const label = agent.toolName ?? agent.name;
  return agents.filter((other) => other.agent !== agent && usesOf(other.agent).has(label)).map(({ name }) => name);
}

/** By what they are called outside: files in different places may have the same name. */
function usesOf({ tools = [], advisors = [], router, handoff = [] }: Agent): ReadonlySet<unknown> {
  const partners = [...advisors, ...(router?.destinations ?? []), ...handoff];
  return new Set([
    ...tools.flatMap((tool) => ('agentName' in tool ? [tool.identity?.tool] : [])),
    ...partners.map(({ label }) => label),
  ]);
}
