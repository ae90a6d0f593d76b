// Keeps a tree of agents finite: refuses calls that go too deep, or back to an agent that is already waiting above.

import { AgentError, toFailure } from '../errors.ts';
import type { Middleware } from '../middleware.ts';
import type { Place } from '../place.ts';

export const nesting: Middleware = {
  name: 'nesting',
  decide: {
    call({ tool }, { place }) {
      if (tool.operation !== 'session') return undefined;
      const misplaced = misplacedBelow(place, tool.agentName);
      return misplaced && { refused: toFailure(misplaced) };
    },
  },
};

/** Why a session of this agent may not run below that place; null when nobody knows whose it will be. */
export function misplacedBelow(place: Place, agentName: string | null): AgentError | undefined {
  if (agentName !== null && place.ancestry.includes(agentName)) {
    const chain = [...place.ancestry, agentName].join(' → ');
    const message = `${agentName} is already at work above you: ${chain}. It would wait for itself.`;
    return new AgentError('agent-cycle', message);
  }
  if (place.depth + 1 <= place.deepest) return undefined;
  const levels = place.deepest === 0 ? 'no sub-agents' : `sub-agents ${place.deepest} deep`;
  return new AgentError('depth-limit', `This tree may have ${levels}, and you are at level ${place.depth}.`);
}
