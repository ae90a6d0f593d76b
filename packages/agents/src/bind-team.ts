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
  for (const role of partnerRoles) tellNamesakes(team[role], role, { draft, ...context });
  tellNamesakes(team.agents.flatMap(partnersBelow), 'agents', { draft, ...context });
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

/** A call that is refused is answered to a model; a partner of a sub-agent that is refused is the end of every call of it. */
function partnersBelow(member: LoadedAgent): readonly LoadedAgent[] {
  const below = new Set([member]);
  for (const { children } of below) for (const child of children) below.add(child);
  return [...below].flatMap(({ team: { advisors, router, handoff } }) => [...advisors, ...router, ...handoff]);
}

/** A session takes an agent of its own name below it for itself, and a step that cannot be taken ends a run. */
function tellNamesakes(members: readonly LoadedAgent[], role: Role, { draft, world, problems }: Binding): void {
  const { file, name, effective } = draft;
  const ways = new Map(members.map((member) => [member, [member]]));
  // What is added on the way is visited too.
  for (const [{ children }, way] of ways)
    for (const child of children) if (!ways.has(child)) ways.set(child, [...way, child]);
  for (const [{ file: other, agent }, way] of ways) {
    if (agent.name !== name) continue;
    const place = effective.said(role)?.place ?? { file, key: role };
    const shown = way.map((one) => toShort(one.file, world.cwd)).join(' → ');
    const by = way.length > 1 ? ` (${toShort(file, world.cwd)} → ${shown})` : '';
    const message = `${toShort(other, world.cwd)} has the name of this file, ${name}${by}: a run would take it for a ring`;
    problems.add('error', { code: 'name-taken', place, message, remedy: 'Rename one of the two files.' });
  }
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
      problems.error('name-taken', place, `${both} are both called ${member.name}`);
    }
  }
  return [...owners.values()];
}
