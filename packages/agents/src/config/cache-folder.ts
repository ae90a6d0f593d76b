// Where answers that may be given again are kept, as a configuration says: in files, whatever else it names.

import { dirname, join } from 'node:path';
import { isObject } from '@ai-agent/core';
import { whole } from '../options/kinds.ts';
import type { Problems } from '../problem.ts';
import type { Configuration } from './configuration.ts';
import { placeWithin } from './entry.ts';
import { pathIn } from './path-in.ts';
import { fillVariables, variablesIn } from './variables.ts';

export interface CacheFolder {
  /** Absolute. */
  readonly folder: string;
  readonly maxEntries?: number;
}

/** `path`, or beside the database that `sqlite.path` names; else below the home of the user, if there is one. */
export function cacheFolderOf(configuration: Configuration, homeFolder: string | undefined): CacheFolder | undefined {
  const usual = homeFolder === undefined ? undefined : join(homeFolder, '.ai-agent', 'cache');
  const section = configuration.section('cache');
  if (!section) return usual === undefined ? undefined : { folder: usual };
  const { path, sqlite, maxEntries: said } = section.value;
  const database = isObject(sqlite) ? pathIn(section, sqlite.path, homeFolder) : undefined;
  const folder = pathIn(section, path, homeFolder) ?? (database && join(dirname(database), 'cache')) ?? usual;
  const maxEntries = most.parse(fillVariables(said, section.variables));
  return folder === undefined ? undefined : { folder, ...(maxEntries === undefined ? {} : { maxEntries }) };
}

const most = whole(1);

/** Told where somebody has an answer to keep. What variables hold is not shown. */
export function tellOfCache(configuration: Configuration, problems: Problems): void {
  const section = configuration.section('cache');
  if (!section) return;
  const tell = (key: string, message: string, remedy: string) =>
    problems.add('warning', { code: 'key-idle', place: placeWithin(section, ['cache'], [key]), message, remedy });
  const { backend, path, maxEntries } = section.value;
  if (backend !== undefined && backend !== 'sqlite')
    tell(
      'backend',
      `this version does not use ${String(backend)}; answers are kept in files, in the folder cache.path`,
      'Nothing, where one machine is enough; what other machines have answered is not seen.',
    );
  const missing = variablesIn(path).filter((name) => !Object.hasOwn(section.variables, name));
  if (missing.length > 0)
    tell(
      'path',
      `nobody defines ${missing.join(', ')}; answers are kept in the usual folder`,
      'Define the variable, or write the path itself.',
    );
  const named = variablesIn(maxEntries);
  if (named.length > 0 && most.parse(fillVariables(maxEntries, section.variables)) === undefined)
    tell(
      'maxEntries',
      `what ${named.join(', ')} holds is no ${most.allowed.replace(/^an? /, '')}; 5000 are kept`,
      'Correct the variable, or write the number itself.',
    );
}
