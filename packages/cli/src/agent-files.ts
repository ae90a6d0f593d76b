// Agent files for embedders: loaded, checked, and ready for a session.

import type { LoadedAgent, SubagentRegistry } from '@ai-agent/agents';
import { AgentError, type EnvOverlay } from '@ai-agent/core';
import { toWorld } from './assemble.ts';
import { ask } from './library.ts';
import { ownToolset } from './own-toolset.ts';

export interface LoadOptions {
  /** Relative paths begin here; one of the places where configuration is looked for. @default the process's */
  readonly cwd?: string;
  /** Where the variables of configurations are looked up, after their own env files. @default {}, nothing */
  readonly env?: EnvOverlay;
  /** A configuration above all others. @default none */
  readonly configFile?: string;
  /** The home of the user: `.ai-agent` in it is read too. @default none */
  readonly homeFolder?: string;
}

/** One agent file with everything it names. Throws an AgentError that lists all that is wrong. */
export async function loadAgent(file: string, options: LoadOptions = {}): Promise<LoadedAgent> {
  const registry = await loadAgents([file], options);
  if (registry.hasErrors) throw (await load()).toError(registry.problems);
  const [loaded, other] = registry.agents;
  if (loaded && !other) return loaded;
  throw new AgentError('file-missing', `${file} is not the file of one agent.`);
}

/** Files, folders or globs; without any, what the configuration names. What is wrong is in `problems`. */
export async function loadAgents(entries: readonly string[], options: LoadOptions = {}): Promise<SubagentRegistry> {
  const { SubagentRegistry: Registry } = await load();
  const { cwd = process.cwd(), env = {}, ...places } = options;
  const toolSets = () => ownToolset(cwd, places.homeFolder);
  const asked = { ...places, cwd, env, toolSets, ask, purpose: 'run' as const, mayProbe: true, mayLackPrices: true };
  return Registry.load(entries, toWorld(asked));
}

/** What reads files is loaded by the first who has one: many embedders have none. */
function load() {
  return import('@ai-agent/agents');
}
