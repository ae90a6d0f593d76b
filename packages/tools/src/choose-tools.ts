// Which tools of a set-up an agent gets: those it wants, under either name, and every one that it names.

import { AgentError, nearest, toSafeName } from '@ai-agent/core';
import type { ToolSetUp } from './set-up.ts';

/** Throws `tool-not-configured` for a tool that is named and not there: an agent never goes on without it. */
export function chooseTools<T>(
  { section, name: setUp, isWanted, named }: ToolSetUp,
  offered: readonly T[],
  nameOf: (tool: T) => string,
): readonly T[] {
  const namesOf = (tool: T) => [...new Set([nameOf(tool), toSafeName(nameOf(tool))])];
  const there = new Set(offered.flatMap(namesOf).map((name) => name.toLowerCase()));
  const missing = named.filter((name) => !there.has(name.toLowerCase()));
  if (missing.length > 0) {
    const close = nearest(missing[0] as string, [...new Set(offered.map((tool) => toSafeName(nameOf(tool))))]);
    const hint = close === undefined ? '' : `; did you mean ${close}?`;
    const message = `${section}.${setUp} offers no ${missing.join(', ')}, which the agent names in tools${hint}`;
    throw new AgentError('tool-not-configured', message, {
      remedy: `Correct the name in tools of the agent, or what ${section}.${setUp} offers; ai-agent tools <file> lists it.`,
    });
  }
  return offered.filter((tool) => isWanted(namesOf(tool)));
}
