// Who calls, for requests that stay on this machine: a server of ours can tell how deep it is, and in whose service.

import { toAncestor } from './agent-key.ts';

/** As its trace says it. */
export interface Calling {
  readonly callPath: string;
  readonly originId: string;
  /** Ids of the agents of the path, in the same order. @default their names */
  readonly agentIds?: readonly string[];
}

/** The part of a place that a caller is named by. */
interface CallingPlace extends Pick<Calling, 'originId'> {
  readonly ancestry: readonly string[];
  readonly agentIds: readonly string[];
}

export interface CallerFacts {
  /** How many agents are at work above, the one that calls included. */
  readonly depth: number;
  /** Agents from the root on, each as `name~id@team`, `name~id` or its name, url-encoded, joined by colons. */
  readonly ancestry: string;
}

/** The caller as a request of the session at this place names it. */
export function callingFrom({ ancestry, agentIds, originId }: CallingPlace): Calling {
  return { callPath: ancestry.join(':'), originId, agentIds };
}

export function factsOfCaller({ callPath, agentIds = [] }: Omit<Calling, 'originId'>): CallerFacts {
  const agents = callPath.split(':').map((name, i) => toAncestor({ name, id: agentIds[i] ?? name }));
  return { depth: agents.length, ancestry: agents.map(encodeURIComponent).join(':') };
}

/**
 * The same as headers of a request. The token names the tree that calls to the process that runs it, and to nobody else: a
 * server of ours there knows that the tree waits, and lets nobody wait for it in turn.
 */
export function headersOfCaller(calling: Calling, token: string | undefined): Readonly<Record<string, string>> {
  const { depth, ancestry } = factsOfCaller(calling);
  const headers = { [callerHeaders.depth]: String(depth), [callerHeaders.ancestry]: ancestry };
  return token === undefined ? headers : { ...headers, [callerHeaders.token]: token };
}

export const callerHeaders = {
  depth: 'x-ai-agent-depth',
  ancestry: 'x-ai-agent-ancestry',
  token: 'x-ai-agent-tree',
} as const;

const here = /^(?:localhost|.*\.localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\]|\[::ffff:(?:7f..:[\da-f]+|0:0)\])\.?$/;

/** By its name, as addresses are written after they were parsed. An unspecified address leads here too. */
export function isHere(hostname: string): boolean {
  return here.test(hostname);
}
