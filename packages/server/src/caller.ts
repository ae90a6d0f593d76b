// Who calls, when that is an agent: the headers that requests of agents carry on one machine. They may only narrow.

import { AgentError } from '@ai-agent/core';
import type { Caller } from './answer.ts';

/** As the tools package writes them. */
const depthHeader = 'x-ai-agent-depth';
const ancestryHeader = 'x-ai-agent-ancestry';
const tokenHeader = 'x-ai-agent-tree';

/** Throws `request-invalid`. */
export function callerOf(headers: Headers): Caller | undefined {
  const [depth, ancestry] = [headers.get(depthHeader), headers.get(ancestryHeader)];
  if (depth === null && ancestry === null) return undefined;
  if (depth !== null && !/^\d{1,4}$/.test(depth))
    throw new AgentError('request-invalid', `The header ${depthHeader} must be a number from 0 to 9999.`);
  return {
    agents: ancestry === null ? [] : ancestry.split(':').map(decode),
    depth: Number(depth ?? 0),
    token: headers.get(tokenHeader) ?? undefined,
  };
}

function decode(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    throw new AgentError('request-invalid', `The header ${ancestryHeader} has a name that is not URL-encoded.`);
  }
}
