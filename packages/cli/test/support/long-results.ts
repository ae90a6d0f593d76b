// An agent that gets a long result and reads it again with tool_output; and whoever reads it for that agent.

import { type Agent, defaultTexts, defineTool, type ModelRequest } from '@ai-agent/cli';
import type { Script, Step } from '@ai-agent/cli/testing';
import { anyArguments, resultsIn } from './calls.ts';

export const handleOf = (text: string) => /kept as "([^"]+)"/.exec(text)?.[1] ?? 'no handle';

export function giving(text: string) {
  return defineTool({ name: 'big', inputSchema: anyArguments, execute: () => text });
}

/** Who makes a request: the agent that was asked, or one that reads for it. */
export function whoAsks({ system }: ModelRequest): 'lead' | 'part' | 'join' | 'search' {
  if (system.startsWith(defaultTexts.readOutput)) return 'part';
  if (system.startsWith(defaultTexts.joinFindings)) return 'join';
  return system.startsWith(defaultTexts.searchOutput) ? 'search' : 'lead';
}

export interface Readers {
  readonly part?: (request: ModelRequest) => Step | string;
  readonly join?: (request: ModelRequest) => Step | string;
  readonly search?: (request: ModelRequest) => Step | string;
}

/** Calls `big`, reads once as it is told to, and is done; what it got is in `results`. */
export function reads(args: object, readers: Readers = {}) {
  const results: string[] = [];
  const requests: ModelRequest[] = [];
  const script: Script = (request) => {
    requests.push(request);
    const who = whoAsks(request);
    if (who !== 'lead') return readers[who]?.(request) ?? `${who} was read`;
    results.push(...resultsIn(request));
    if (results.length === 0) return { calls: [{ name: 'big' }] };
    if (results.length > 1) return 'done';
    return { calls: [{ name: 'tool_output', input: { handle: handleOf(results[0] ?? ''), ...args } }] };
  };
  return { script, results, requests };
}

/** The last message of a request, in words. */
export function toldLast({ messages }: ModelRequest): string {
  const last = messages.at(-1);
  return last?.role === 'user' ? last.content.map((part) => (part.type === 'text' ? part.text : '')).join('') : '';
}

/** A window in which one part has about 1800 bytes. */
export const smallWindow: Partial<Agent> = { limits: { contextWindowTokens: 2_048, maxToolOutputBytes: 1_024 } };
