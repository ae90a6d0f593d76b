// Which of the agents that are served work for which others, as tools or on the same request.

import type { Agent } from '@ai-agent/core';
import type { ServedAgent } from '../../served-agent.ts';

/** Names outside of those among `agents` that use this one themselves, in the order of the list. */
export function usedBy({ agent }: ServedAgent, agents: readonly ServedAgent[]): readonly string[] {
  return agents.filter((other) => other.agent !== agent && usesOf(other.agent).has(agent.name)).map(({ name }) => name);
}

function usesOf({ tools = [], advisors = [], router, handoff = [] }: Agent): ReadonlySet<unknown> {
  const partners = [...advisors, ...(router?.destinations ?? []), ...handoff];
  return new Set([
    ...tools.flatMap((tool) => ('agentName' in tool ? [tool.agentName] : [])),
    ...partners.map(({ agentName }) => agentName),
  ]);
}
