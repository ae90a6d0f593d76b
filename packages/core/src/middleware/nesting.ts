// Keeps a tree of agents finite: refuses calls that go too deep, or back to an agent that is already waiting above.

import type { AgentKey } from '../agent-key.ts';
import { AgentError, toFailure } from '../errors.ts';
import type { Middleware } from '../middleware.ts';
import type { Place } from '../place.ts';

export const nesting: Middleware = {
  name: 'nesting',
  decide: {
    call({ tool }, { place }) {
      if (tool.operation !== 'session') return undefined;
      const { agentName: name, agentId: id } = tool;
      const misplaced = misplacedBelow(place, name === null || id === null ? null : { name, id });
      return misplaced && { refused: toFailure(misplaced) };
    },
  },
};

/** Why a session of this agent may not run below that place; null when nobody knows whose it will be. */
export function misplacedBelow(place: Place, agent: AgentKey | null): AgentError | undefined {
  if (agent && place.agentIds.includes(agent.id)) {
    const chain = [...place.ancestry, agent.name].join(' → ');
    const message = `${agent.name} is already at work above you: ${chain}. It would wait for itself.`;
    return new AgentError('agent-cycle', message, isNamed(agent) ? { remedy: remedyForNames } : {});
  }
  if (place.depth + 1 <= place.deepest) return undefined;
  const levels = place.deepest === 0 ? 'no sub-agents' : `sub-agents ${place.deepest} deep`;
  return new AgentError('depth-limit', `This tree may have ${levels}, and you are at level ${place.depth}.`);
}

/** True if the agent has no id beside its name: then two different agents may only look like one. */
function isNamed({ name, id }: AgentKey): boolean {
  return id === name;
}

const remedyForNames =
  'Do this part yourself, or call an agent that is not above you. If two different agents have this name, give one of them an id.';
