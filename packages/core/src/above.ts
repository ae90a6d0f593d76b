// Agents at work above a root: whoever asked it over a network is itself a session somewhere. That can only narrow.

import { type Agent, limitsOf } from './agent.ts';
import { idOf, readAncestor } from './agent-key.ts';
import { checkKeys, isWholeFrom, type Owner, wrongField } from './complaint.ts';
import { AgentError } from './errors.ts';
import { isObject } from './json.ts';
import { type Above, deepestWay, levelsAbove } from './place.ts';

/** Throws `agent-cycle` when the agent would wait for itself, and `depth-limit` when it is deeper than it may be. */
export function checkAbove(agent: Agent, above: Above): void {
  const agents = (above.agents ?? []).map(readAncestor);
  // An ancestor that sent no id is known by its name alone.
  if (agents.some(({ name, id }) => id === idOf(agent) || (id === name && name === agent.name))) {
    const chain = [...agents.map(({ name }) => name), agent.name].join(' → ');
    throw new AgentError('agent-cycle', `${agent.name} is already at work above: ${chain}. It would wait for itself.`);
  }
  const depth = levelsAbove(above);
  const deepest = deepestWay(limitsOf(agent).maxDepth);
  if (depth > deepest)
    throw new AgentError('depth-limit', `${agent.name} may be ${deepest} deep, and ${depth} agents are above it.`);
}

/** Throws `agent-invalid`. */
export function checkAboveField(owner: Owner, above: unknown): void {
  if (!isObject(above)) throw wrongField(owner, 'above', above, 'an object with agents or depth');
  checkKeys(owner, above, ['agents', 'depth'], 'above.');
  const { agents, depth } = above;
  if (agents !== undefined && !(Array.isArray(agents) && agents.every((name) => typeof name === 'string')))
    throw wrongField(owner, 'above.agents', agents, 'a list of names');
  if (depth !== undefined && !isWholeFrom(0, depth))
    throw wrongField(owner, 'above.depth', depth, 'a whole number from 0');
}
