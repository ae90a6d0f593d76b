// Which tools of a server are offered: what its configuration allows, less what it denies.

import { toMatcher, toSafeName } from '@ai-agent/core';

export interface ToolFilter {
  /** Names or patterns; `*` and `any` are all. @default all */
  readonly toolsAllowed?: readonly string[];
  /** The same. @default none */
  readonly toolsDenied?: readonly string[];
}

/** Under both its names, the server's own and the one that models see. */
export function toFilter(server: string, { toolsAllowed, toolsDenied = [] }: ToolFilter): (tool: string) => boolean {
  const isAllowed = toolsAllowed ? matchesEither(server, toolsAllowed) : () => true;
  const isDenied = matchesEither(server, toolsDenied);
  return (tool) => isAllowed(tool) && !isDenied(tool);
}

/** The name of a tool for models and for agents. */
export function exposedName(server: string, tool: string): string {
  return `${server}__${tool}`;
}

function matchesEither(server: string, patterns: readonly string[]): (tool: string) => boolean {
  const matches = toMatcher(patterns.map((pattern) => (/^\s*any\s*$/i.test(pattern) ? '*' : pattern.trim())));
  return (tool) => {
    const exposed = exposedName(server, tool);
    return [tool, exposed, toSafeName(exposed)].some(matches);
  };
}
