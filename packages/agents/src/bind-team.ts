// Loaded agents as what they are to the one that names them: tools, advisors, destinations, the next in line.

import { type Agent, type AsToolOptions, agentToolName, asPartner, asTool, type SessionTool } from '@ai-agent/core';
import type { LoadedAgent } from './loaded-agent.ts';
import { type Problems, toShort } from './problem.ts';
import type { Draft } from './read-draft.ts';
import type { Role } from './role.ts';
import type { World } from './world.ts';

export interface BoundTeam extends Pick<Agent, 'advisors' | 'router' | 'handoff'> {
  readonly tools: readonly SessionTool[];
}

export function bindTeam(team: LoadedAgent['team'], draft: Draft, context: BindContext): BoundTeam {
  const bind = <T>(role: Role, as: (agent: Agent, options: AsToolOptions) => T) =>
    withoutTwins(team[role], role, { draft, ...context }).map(({ agent, session: { envOverlay } }) =>
      as(agent, { envOverlay }),
    );
  const [advisors, destinations, handoff] = partnerRoles.map((role) => bind(role, asPartner));
  return {
    tools: bind('agents', asTool),
    ...(advisors?.length ? { advisors } : {}),
    ...(destinations?.length ? { router: { destinations } } : {}),
    ...(handoff?.length ? { handoff } : {}),
  };
}

const partnerRoles = ['advisors', 'router', 'handoff'] as const;

interface BindContext {
  readonly world: World;
  readonly problems: Problems;
}

interface Binding extends BindContext {
  readonly draft: Draft;
}

/** Two that could not be told apart are told of; the second is left out. */
function withoutTwins(
  members: readonly LoadedAgent[],
  role: Role,
  { draft: { file, effective }, world, problems }: Binding,
): readonly LoadedAgent[] {
  const owners = new Map<string, LoadedAgent>();
  const place = effective.said(role)?.place ?? { file, key: role };
  for (const member of members) {
    if (role === 'router' && member.name === 'handoff-to')
      problems.error('name-reserved', place, 'a destination cannot be called handoff-to: the tool that chooses is');
    const name = agentToolName(member.name);
    const other = owners.get(name);
    if (!other) owners.set(name, member);
    else {
      const both = [other, member].map((one) => toShort(one.file, world.cwd)).join(' and ');
      problems.error(
        'name-taken',
        place,
        `${both} are both called ${member.name}; rename one of them, or give it another toolName`,
      );
    }
  }
  return [...owners.values()];
}
