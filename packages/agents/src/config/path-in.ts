// A path that a section of the configuration names.

import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { Piece } from './entry.ts';
import { fillVariables, variablesIn } from './variables.ts';

/** Relative to the file that says it. A path whose variable nobody defines is as good as none. */
export function pathIn({ file, variables }: Piece, said: unknown, homeFolder: string | undefined): string | undefined {
  const text = typeof said === 'number' ? String(said) : said;
  if (typeof text !== 'string' || text.trim() === '') return undefined;
  if (variablesIn(text).some((name) => !Object.hasOwn(variables, name))) return undefined;
  const path = fillVariables(text, variables);
  if (path === '~' || path.startsWith('~/'))
    return homeFolder === undefined ? undefined : join(homeFolder, path.slice(1));
  return isAbsolute(path) ? path : resolve(dirname(file), path);
}
