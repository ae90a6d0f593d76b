// Keys of a server that somebody wrote and that would not hold: a server that is open because they were overlooked does not start.

import { isObject } from '@ai-agent/core';
import type { Located } from '../located.ts';
import type { Problem, Problems } from '../problem.ts';
import { type ConfigFiles, toRealPath } from './config-file.ts';
import type { Configuration } from './configuration.ts';
import { configFolders, inFolder } from './layers.ts';

export const keyWords = ['keys', 'bearerKeys'] as const;

/** Sections are taken whole: one without keys in front of one with keys would open the door. */
export function tellHidden({ layers }: Pick<Configuration, 'layers'>, problems: Problems): void {
  const all = layers.flatMap(({ file, root }) => {
    const field = root.fields?.get('api');
    return field ? [{ file, field, hasKeys: hasKeys(root) }] : [];
  });
  const [first, ...rest] = all;
  const hidden = rest.find((one) => one.hasKeys);
  if (!first || first.hasKeys || !hidden) return;
  const place = { file: first.file, key: 'api', ...(first.field.line === undefined ? {} : { line: first.field.line }) };
  problems.error('key-conflict', place, `has no keys, and hides those of ${hidden.file}; write keys here too`);
}

export interface Around {
  /** The current one, and those of the agents. */
  readonly folders: readonly string[];
  readonly configurations: readonly Pick<Configuration, 'layers'>[];
  readonly files: ConfigFiles;
}

/** Of the configurations above a folder only the nearest is read. Asked where no key was found. */
export function tellUnread({ folders, configurations, files }: Around, problems: Problems): void {
  const read = new Set(configurations.flatMap(({ layers }) => layers.map(({ file }) => toRealPath(file))));
  const above = new Set(folders.flatMap((folder) => [...configFolders(folder)]));
  for (const folder of above) {
    const sought = inFolder(folder);
    if (read.has(toRealPath(sought.file))) continue;
    const root = files.read(sought)?.root;
    if (!root || !hasKeys(root)) continue;
    const line = root.fields?.get('api')?.line;
    problems.add('error', {
      code: 'key-conflict',
      place: { file: sought.file, key: 'api', ...(line === undefined ? {} : { line }) },
      message: 'has keys that would not hold: this file is not read, because a nearer one is or no agent lies below it',
      remedy: `Write api with its keys into .ai-agent.json of the folder that you start the server in, or say --config ${sought.file}.`,
    });
  }
}

function hasKeys(root: Located): boolean {
  const section = root.fields?.get('api')?.at.value;
  return isObject(section) && keyWords.some((word) => word in section);
}

/** What is a warning elsewhere, and here may be what closes the door. */
export function toDoubt(problem: Problem, hasFoundKeys: boolean): Problem {
  const { code, key = '', message } = problem;
  // A file that cannot be read may be the one with the keys.
  if (code === 'config-invalid' && !hasFoundKeys) return { ...problem, severity: 'error' };
  if (code !== 'key-unknown') return problem;
  const isNear = /^[api]{2,4}s?$/i.test(key) || (!hasFoundKeys && / did you mean api\?$/.test(message));
  if (isNear) return { ...problem, severity: 'error', message: 'is not known; did you mean api?' };
  if (!/^(?:api|bearer)?[-_]?k[ey]+s?$/i.test(key)) return problem;
  return { ...problem, severity: 'error', message: 'is not known here; keys of a server stand in api' };
}
