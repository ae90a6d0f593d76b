// The tools from outside that a file names, each bound to its set-up: what a session of the agent opens.

import { dirname } from 'node:path';
import type { EnvOverlay, ToolOffer } from '@ai-agent/core';
import type { Configuration } from './config/configuration.ts';
import { placeIn } from './config/entry.ts';
import type { FoundTools } from './find-tools.ts';
import type { Place } from './problem.ts';
import type { ToolSets, World } from './world.ts';

export interface ToolBinding {
  readonly configuration: Configuration;
  readonly toolSets: ToolSets;
  /** The variables of the agent's sessions. */
  readonly env: EnvOverlay;
  /** Where they are named. */
  readonly place: Place;
  /** Told every one. @default nobody */
  readonly onTools: World['onTools'];
}

export function bindTools(found: readonly FoundTools[], binding: ToolBinding): readonly ToolOffer[] {
  const { configuration, toolSets, env, place } = binding;
  const queues = configuration.queues();
  return found.map(({ section, entry, isWanted, named }) => {
    const { name, value: config, file } = entry;
    const setUp = { section, name, config, folder: dirname(file), isWanted, named, queues };
    const setUpPlace = placeIn(entry, section === 'openapiSpecs' ? ['spec'] : []);
    binding.onTools?.({ ...setUp, env, place, setUpPlace });
    return toolSets.open(setUp);
  });
}
