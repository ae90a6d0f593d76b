// What a file and its configuration say of long results, brought together: each key of the file goes before the section.

import type { ToolOutputSetting } from '@ai-agent/core';
import type { Configuration } from './config/configuration.ts';
import { type Piece, placeWithin } from './config/entry.ts';
import { fillVariables } from './config/variables.ts';
import { toolOutputValues } from './options/agent-kinds.ts';
import { show } from './options/kind.ts';
import { toNames } from './options/kinds.ts';
import type { Value } from './options/read-options.ts';
import type { Place, Problems } from './problem.ts';

export interface ToolOutputGiven {
  readonly setting: Omit<ToolOutputSetting, 'models'>;
  /** What reads them, by name. Missing when that is what the agent itself runs on. */
  readonly models?: { readonly refs: readonly string[]; readonly place: Place };
}

/** Undefined when nobody says anything of it. */
export function toToolOutput(
  said: Value | undefined,
  configuration: Configuration,
  problems: Problems,
): ToolOutputGiven | undefined {
  const section = configuration.section('toolOutput');
  if (!said && !section) return undefined;
  const { models: own, ...ownValues } = said ? readFile(said, problems) : {};
  const { models: others, ...otherValues } = section ? readSection(section, problems) : {};
  const refs = own ?? others ?? [];
  const place =
    said && own ? partOf(said.place, 'models') : section && placeWithin(section, ['toolOutput'], ['models']);
  const setting = { ...otherValues, ...ownValues };
  return refs.length > 0 && place ? { setting, models: { refs, place } } : { setting };
}

type Given = Omit<ToolOutputSetting, 'models'> & {
  readonly models?: readonly string[];
};

function readFile({ value, place }: Value, problems: Problems): Given {
  const { storeDir, ...given } = value as Given & { readonly storeDir?: string };
  if (storeDir !== undefined) warnOfStore(partOf(place, 'storeDir'), problems);
  return given;
}

/** What its variables come to is known only now; one that nobody defines is empty, and says nothing. */
function readSection(section: Piece, problems: Problems): Given {
  const value = fillVariables(section.value, section.variables);
  const read: Record<string, unknown> = {};
  for (const [key, kind] of Object.entries(toolOutputValues)) {
    const given = value[key];
    if (given === undefined || given === '') continue;
    const parsed = kind.parse(given);
    if (parsed !== undefined) read[key] = parsed;
    // What has no variables was told by the check of the file.
    else if (given !== section.value[key])
      problems.error(
        'config-invalid',
        placeWithin(section, ['toolOutput'], [key]),
        `found ${show(given)}; must be ${kind.allowed}`,
      );
  }
  if (value.models !== undefined) read.models = [value.models].flat().flatMap((one) => toNames(String(one)));
  if (value.storeDir !== undefined) warnOfStore(placeWithin(section, ['toolOutput'], ['storeDir']), problems);
  return read;
}

function warnOfStore(place: Place, problems: Problems): void {
  problems.warn('key-idle', place, 'has no effect: long results are kept in memory, for as long as their run lasts');
}

function partOf(place: Place, key: string): Place {
  return { ...place, key: `${place.key}.${key}` };
}
