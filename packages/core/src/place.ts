// Where a session stands in its tree. Plain data, from which every trace is made.

import { type AgentKey, idWithinTeam, readAncestor } from './agent-key.ts';
import { defaultLimits } from './defaults.ts';
import type { Trace } from './trace.ts';

/** Where one session stands in its tree. Plain data. */
export interface Place {
  readonly originId: string;
  readonly parentId: string | null;
  readonly id: string;
  /** Levels below the root. */
  readonly depth: number;
  /** The deepest level that may have sessions. */
  readonly deepest: number;
  /** Names of the agents from the root to this one. */
  readonly ancestry: readonly string[];
  /** Ids of the same agents, in the same order. */
  readonly agentIds: readonly string[];
  readonly instanceName: string;
  readonly turnPath: string;
  readonly toolName: string | null;
  readonly correlationId: string;
  readonly callerOp: string | null;
  readonly title: string | null;
  /** What its agent is to the one that called, when it works on the same request. Missing for sub-agents. */
  readonly partner?: PartnerRole;
  /** The session above whose answer this one gives. Missing when it answers for itself. */
  readonly answers?: string;
  /** What may not be called here, nor below: its own agent's and those from above. Missing when nothing is denied. */
  readonly denials?: Denials;
}

/** An advisor before the session that calls; a destination in its place; a handoff after it. */
export type PartnerRole = 'advisor' | 'router' | 'handoff';

/** What that is called, after a name: ` (advisor)`; nothing for anybody else. */
export function toRoleSuffix(partner: PartnerRole | undefined): string {
  return partner === undefined ? '' : ` (${roleWords[partner]})`;
}

/** Whoever is called by a router is no router. */
export const roleWords: Readonly<Record<PartnerRole, string>> = {
  advisor: 'advisor',
  router: 'destination',
  handoff: 'handoff',
};

/** Whether what it says is the answer of the session that calls: then it is not data for a model there. */
export function isOwnAnswer(partner: PartnerRole | undefined): boolean {
  return partner === 'router' || partner === 'handoff';
}

/** Globs over the names of tools. */
export interface Denials {
  /** A person has to approve each call. */
  readonly ask: readonly string[];
  readonly deny: readonly string[];
}

export function joinDenials(one: Denials | undefined, other: Denials | undefined): Denials | undefined {
  if (!one || !other) return one ?? other;
  return { ask: [...new Set([...one.ask, ...other.ask])], deny: [...new Set([...one.deny, ...other.deny])] };
}

/**
 * For a session that goes on from a question: only when it has opened does it know what was denied to the one that asked. All
 * its parts have this one place, and hand it on below.
 */
export function denyToo(place: Place, denials: Denials): void {
  const late: { denials?: Denials } = place;
  late.denials = joinDenials(place.denials, denials) ?? denials;
}

/** Agents at work above a root, where its prompt comes from one of them over a network. */
export interface Above {
  /** Root first. Each entry is `name~id@team`, `name~id`, or `name` if the id is missing or equal. @default none */
  readonly agents?: readonly string[];
  /** How many there are, when not all are named. From 0. @default as many as are named */
  readonly depth?: number;
}

/** How many are above: as many as it says, and no fewer than it names. */
export function levelsAbove({ agents = [], depth = 0 }: Above): number {
  return Math.max(depth, agents.length);
}

/** How deep the whole way may go: what the first one of it allows is not known here, so it is what is usual, or more. */
export function deepestWay(maxDepth: number): number {
  return Math.max(maxDepth, defaultLimits.maxDepth);
}

export function placeAtRoot(agent: AgentKey, id: string, maxDepth: number, above: Above = {}): Place {
  const ancestors = (above.agents ?? []).map(readAncestor);
  const nowhere = { parentId: null, turnPath: '', toolName: null, callerOp: null, title: null };
  return {
    originId: id,
    id,
    depth: 0,
    // Its own limit counts the levels below itself, as that of a sub-agent does.
    deepest: Math.max(0, Math.min(maxDepth, deepestWay(maxDepth) - levelsAbove(above))),
    ancestry: [...ancestors.map(({ name }) => name), agent.name],
    agentIds: [...ancestors.map((one) => one.id), agent.id],
    instanceName: agent.name,
    correlationId: id,
    ...nowhere,
  };
}

/** The call that a session below answers. */
interface CallFields {
  readonly turn: number;
  readonly index: number;
  readonly tool: string;
  readonly callId: string;
  readonly instance: string;
  readonly title: string | null;
  readonly inside?: number;
}

/** An agent may narrow how deep it goes, never widen it. */
export function placeBelow(agent: AgentKey, caller: Place, call: CallFields, maxDepth: number | undefined): Place {
  return {
    originId: caller.originId,
    parentId: caller.id,
    id: childSessionId(caller.id, call),
    depth: caller.depth + 1,
    deepest: maxDepth === undefined ? caller.deepest : Math.min(caller.deepest, caller.depth + 1 + maxDepth),
    // Joined, not spread: a list that is spread keeps room for as many again.
    ancestry: caller.ancestry.concat(agent.name),
    agentIds: caller.agentIds.concat(agent.id),
    instanceName: call.instance,
    turnPath: traceOf(caller, call).turnPath + ordinalOf(call),
    toolName: call.tool,
    correlationId: call.callId,
    callerOp: `turn.${call.turn}.tool.${call.index}`,
    title: call.title,
  };
}

/** What an event is about, beyond the session itself. */
export interface Subject {
  readonly turn?: number;
  readonly index?: number;
  readonly toolName?: string;
  readonly callId?: string;
}

export function traceOf(place: Place, subject: Subject = {}): Trace {
  const own = {
    originId: place.originId,
    parentId: place.parentId,
    selfId: place.id,
    callPath: place.ancestry.join(':'),
    turnPath: place.turnPath,
    agentName: place.ancestry.at(-1) ?? '',
    agentId: idWithinTeam(place.agentIds.at(-1) ?? '', place.agentIds.at(-1 - place.depth) ?? ''),
    instanceName: place.instanceName,
    toolName: place.toolName,
    correlationId: place.correlationId,
  };
  return traceWithin(own, subject);
}

/** Of something in a session whose own trace is known: shares its texts. */
export function traceWithin(own: Trace, subject: Subject): Trace {
  const { turn, index, toolName = own.toolName, callId = own.correlationId } = subject;
  const step = turn === undefined ? '' : `${turn}${index === undefined ? '' : `.${index}`}`;
  if (step === '' && toolName === own.toolName && callId === own.correlationId) return own;
  return {
    originId: own.originId,
    parentId: own.parentId,
    selfId: own.selfId,
    callPath: own.callPath,
    turnPath: own.turnPath && step ? `${own.turnPath}-${step}` : own.turnPath || step,
    agentName: own.agentName,
    agentId: own.agentId,
    instanceName: own.instanceName,
    toolName,
    correlationId: callId,
  };
}

/** A call that is performed by a session has one; a tool may run several during its work. */
interface Ordinals {
  readonly turn: number;
  readonly index: number;
  readonly inside?: number;
}

export function childSessionId(parentId: string, call: Ordinals): string {
  return `${parentId}~${call.turn}.${call.index}${ordinalOf(call)}`;
}

function ordinalOf({ inside }: { readonly inside?: number }): string {
  return inside === undefined ? '' : `.${inside}`;
}

/** Whether a session is the given one, below it, or run during the call of that id: ids say so, because they are derived. */
export function isBelow(id: string, ancestor: string): boolean {
  if (!id.startsWith(ancestor)) return false;
  const next = id.charAt(ancestor.length);
  return next === '' || next === '~' || next === '.';
}

/** Whether a session runs during the work of a tool, itself or somewhere above it. */
export function isInside(id: string): boolean {
  return /~\d+\.\d+\.\d/.test(id);
}

export function selfAndAncestors(id: string): readonly string[] {
  const ids = [id];
  for (let end = id.lastIndexOf('~'); end > 0; end = id.lastIndexOf('~', end - 1)) ids.push(id.slice(0, end));
  return ids;
}
