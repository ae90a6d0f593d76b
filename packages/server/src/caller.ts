// Who calls, when that is an agent: the headers that requests of agents carry on one machine. They may only narrow.

import { type Above, AgentError } from '@ai-agent/core';

/** As the tools package writes them. */
const depthHeader = 'x-ai-agent-depth';
const ancestryHeader = 'x-ai-agent-ancestry';
const tokenHeader = 'x-ai-agent-tree';

/** More names than any chain of agents has. */
const mostNames = 128;

/** Who calls, when that is an agent itself. */
export interface Caller extends Above {
  /** Names its tree, when that runs here and waits for this request. */
  readonly token?: string | undefined;
}

/** Throws `request-invalid`. */
export function callerOf(headers: Headers): Caller | undefined {
  const depth = headers.get(depthHeader);
  const ancestry = headers.get(ancestryHeader);
  const token = headers.get(tokenHeader) ?? undefined;
  if (depth === null && ancestry === null && token === undefined) return undefined;
  if (depth !== null && !/^\d{1,4}$/.test(depth)) throw wrong(depthHeader, 'must be a number from 0 to 9999');
  if (token !== undefined && !/^[\da-f]{32}$/.test(token)) throw wrong(tokenHeader, 'must be 32 hexadecimal digits');
  return { agents: ancestry === null ? [] : toNames(ancestry), depth: Number(depth ?? 0), token };
}

/** What a caller says, and what is known here of the tree that it belongs to: no request is less deep than its own tree. */
export function withKnown(said: Caller, known: Above): Caller {
  const { agents = [], depth = 0 } = said;
  const missing = (known.agents ?? []).filter((name) => !agents.includes(name));
  return { ...said, agents: [...missing, ...agents], depth: Math.max(depth, known.depth ?? 0) };
}

/** Those above whoever is called by this agent. */
export function aboveCalls(agentName: string, { agents = [], depth = 0 }: Above = {}): Above {
  return { agents: [...agents, agentName], depth: Math.max(depth, agents.length) + 1 };
}

function toNames(ancestry: string): readonly string[] {
  const names = ancestry.split(':', mostNames + 1).map(decode);
  if (names.length > mostNames) throw wrong(ancestryHeader, `must not name more than ${mostNames} agents`);
  // No agent has any other name: what is none of these would only be carried into traces and headers.
  if (!names.every((name) => /^[\w.-]{1,128}$/.test(name)))
    throw wrong(ancestryHeader, 'must be names of agents with colons between them');
  return names;
}

function decode(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    throw wrong(ancestryHeader, 'has a name that is not URL-encoded');
  }
}

function wrong(header: string, what: string): AgentError {
  return new AgentError('request-invalid', `The header ${header} ${what}.`);
}
