// Loaded agents as what they are to the one that names them: tools, advisors, destinations, the next in line.

import { agentToolName, asTool, type SessionTool } from '@ai-agent/core';
import type { LoadedAgent } from './loaded-agent.ts';
import { type Problems, toShort } from './problem.ts';
import type { Draft } from './read-draft.ts';
import type { Role } from './role.ts';
import type { World } from './world.ts';

export interface BoundTeam {
  readonly tools: readonly SessionTool[];
}

export function bindTeam(team: LoadedAgent['team'], draft: Draft, context: BindContext): BoundTeam {
  const ofRole = (role: Role) => withoutTwins(team[role], role, { draft, ...context });
  for (const role of ['advisors', 'router', 'handoff'] as const) ofRole(role);
  return {
    tools: ofRole('agents').map(({ agent, session: { envOverlay } }) => asTool(agent, { envOverlay })),
  };
}

interface BindContext {
  readonly world: World;
  readonly problems: Problems;
}

/** Two that could not be told apart are told of; the second is left out. */
function withoutTwins(
  members: readonly LoadedAgent[],
  role: Role,
  { draft: { file, effective }, world, problems }: BindContext & { readonly draft: Draft },
): readonly LoadedAgent[] {
  const owners = new Map<string, LoadedAgent>();
  for (const member of members) {
    const name = agentToolName(member.name);
    const other = owners.get(name);
    if (!other) owners.set(name, member);
    else {
      const both = [other, member].map((one) => toShort(one.file, world.cwd)).join(' and ');
      const place = effective.said(role)?.place ?? { file, key: role };
      problems.error('name-taken', place, `${both} are both called ${member.name}`);
    }
  }
  return [...owners.values()];
}
