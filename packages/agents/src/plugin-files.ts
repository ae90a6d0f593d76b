// The modules that an agent names as its plugins, as they are on disk.

import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, extname, resolve } from 'node:path';
import type { Value } from './options/read-options.ts';
import { flagRemedy, type Problems } from './problem.ts';
import type { World } from './world.ts';

/** A module as it is on disk: what it says is a part of what its agent is. */
export interface PluginFile {
  /** As its owner wrote it. */
  readonly name: string;
  /** With all links followed. */
  readonly path: string;
  readonly text: string;
}

/** Paths of a file begin in its folder, those of the command line where that was said. */
export function readPluginFiles(
  { file, said }: { readonly file: string; readonly said: Value | undefined },
  { world, problems }: { readonly world: World; readonly problems: Problems },
): readonly PluginFile[] {
  if (!said) return [];
  const folder = said.place.file === file ? dirname(file) : world.cwd;
  return (said.value as readonly string[]).flatMap((name) => {
    if (!extensions.includes(extname(name))) {
      problems.error('plugin-invalid', said.place, `found ${name}; a plugin is a file that ends with ${endings}`);
      return [];
    }
    problems.sought.add(resolve(folder, name));
    try {
      const path = realpathSync(resolve(folder, name));
      if (statSync(path).isFile()) return [{ name, path, text: readFileSync(path, 'utf8') }];
    } catch {
      // Said below.
    }
    const remedy = said.place.file === file ? {} : { remedy: flagRemedy };
    problems.add('error', {
      code: 'file-missing',
      place: said.place,
      message: `there is no plugin at ${name}`,
      ...remedy,
    });
    return [];
  });
}

const extensions = ['.js', '.mjs', '.ts', '.mts'];
const endings = `${extensions.slice(0, -1).join(', ')} or ${extensions.at(-1)}`;
