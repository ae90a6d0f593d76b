// The tools from outside that a file names, each bound to its set-up: what a session of the agent opens.

import { dirname } from 'node:path';
import type { EnvOverlay, ToolOffer } from '@ai-agent/core';
import type { Configuration } from './config/configuration.ts';
import { placeIn } from './config/entry.ts';
import type { FoundTools } from './find-tools.ts';
import { type Place, type Problems, toShort } from './problem.ts';
import type { ToolSets, ToolSetUp, World } from './world.ts';

export interface ToolBinding {
  /** Name by which callers know the agent. */
  readonly agent: string;
  readonly configuration: Configuration;
  readonly toolSets: ToolSets;
  /** The variables of the agent's sessions. */
  readonly env: EnvOverlay;
  /** Where they are named. */
  readonly place: Place;
  /** Told every one. @default nobody */
  readonly onTools: World['onTools'];
  readonly world: Pick<World, 'cwd' | 'purpose'>;
  readonly problems: Problems;
}

export function bindTools(found: readonly FoundTools[], binding: ToolBinding): readonly ToolOffer[] {
  const { configuration, toolSets, env, place } = binding;
  const queues = configuration.queues();
  return found.flatMap(({ section, entry, isWanted, named }) => {
    const { name, value: config, file } = entry;
    const setUp = { section, name, config, folder: dirname(file), isWanted, named, queues };
    const setUpPlace = placeIn(entry, section === 'openapiSpecs' ? ['spec'] : []);
    if (!canStart(setUp, binding, file)) return [];
    binding.onTools?.({ ...setUp, env, place, setUpPlace });
    return [toolSets.open(setUp)];
  });
}

/** Reports a server that cannot start before any money is spent. A look at the tools alone still asks the other servers. */
function canStart(
  setUp: ToolSetUp,
  { agent, toolSets, env, place, world, problems }: ToolBinding,
  file: string,
): boolean {
  if (world.purpose === 'tools') return true;
  const problem = toolSets.startProblem(setUp, env);
  if (!problem) return true;
  const message = `the server ${setUp.name} of the agent ${agent} cannot be started: ${problem.message}`;
  const remedy = `${problem.remedy} It is set up in ${toShort(file, world.cwd)}.`;
  problems.add('error', { code: 'tool-source-failed', place, message, remedy });
  return false;
}
