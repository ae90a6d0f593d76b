// Whom an agent works with, by name: in words for people, in lists for documents.

import type { LoadedAgent } from '@ai-agent/agents';

/** Sub-agents by their names alone, partners as what they are. */
export function teamInWords(loaded: LoadedAgent): readonly string[] {
  return [...loaded.team.agents.map(({ name }) => name), ...partnersInWords(loaded)];
}

/** In the order in which they have their say. */
export function partnersInWords({ team }: LoadedAgent): readonly string[] {
  return [
    ...team.advisors.map(({ name }) => `advisor ${name}`),
    ...team.router.map(({ name }) => `destination ${name}`),
    ...team.handoff.map(({ name }) => `→ ${name}`),
  ];
}

export function teamByName({ team }: LoadedAgent) {
  const { agents, advisors, router, handoff } = team;
  const named = (members: readonly LoadedAgent[]) => members.map(({ name }) => name);
  return { agents: named(agents), advisors: named(advisors), router: named(router), handoff: named(handoff) };
}
