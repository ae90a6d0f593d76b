// Where answers that may be given again are kept, as a configuration says: in files, whatever else it names.

import { dirname, isAbsolute, join, resolve } from 'node:path';
import { isObject } from '@ai-agent/core';
import { whole } from '../options/kinds.ts';
import type { Problems } from '../problem.ts';
import type { Configuration } from './configuration.ts';
import { type Piece, placeWithin } from './entry.ts';

export interface CacheFolder {
  /** Absolute. */
  readonly folder: string;
  readonly maxEntries?: number;
}

/** `path`, or beside the database that `sqlite.path` names; else below the home of the user. */
export function cacheFolderOf(configuration: Configuration, homeFolder: string): CacheFolder {
  const section = configuration.section('cache');
  if (!section) return { folder: usual(homeFolder) };
  const { path, sqlite, maxEntries: said } = section.value;
  const database = isObject(sqlite) ? toPath(sqlite.path, section, homeFolder) : undefined;
  const folder = toPath(path, section, homeFolder) ?? (database && join(dirname(database), 'cache'));
  const maxEntries = whole(1).parse(said);
  return { folder: folder ?? usual(homeFolder), ...(maxEntries === undefined ? {} : { maxEntries }) };
}

/** Told where somebody has an answer to keep. */
export function tellOtherBackend(configuration: Configuration, problems: Problems): void {
  const section = configuration.section('cache');
  const backend = section?.value.backend;
  if (!section || backend === undefined || backend === 'sqlite') return;
  const message = `this version does not use ${String(backend)}; answers are kept in files, in the folder cache.path`;
  problems.add('warning', {
    code: 'key-idle',
    place: placeWithin(section, ['cache'], ['backend']),
    message,
    remedy: 'Nothing, where one machine is enough; what other machines have answered is not seen.',
  });
}

function usual(homeFolder: string): string {
  return join(homeFolder, '.ai-agent', 'cache');
}

/** Relative to the file that says it. A path whose variable nobody defines is as good as none. */
function toPath(said: unknown, { file, variables }: Piece, homeFolder: string): string | undefined {
  if (typeof said !== 'string' || said.trim() === '') return undefined;
  const path = said.replace(/\$\{(\w+)\}/g, (whole, name: string) => variables[name] ?? whole);
  if (path.includes('${')) return undefined;
  if (path === '~' || path.startsWith('~/')) return join(homeFolder, path.slice(1));
  return isAbsolute(path) ? path : resolve(dirname(file), path);
}
