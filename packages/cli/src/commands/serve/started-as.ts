// How this very command is started again by somebody else, who has another folder and perhaps another PATH.

import { realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export interface StartedAs {
  readonly command: string;
  /** Before whatever else it is told. */
  readonly args: readonly string[];
}

/** By its name alone where everybody finds it, else by its whole path. */
export function startedAs(): StartedAs {
  const { argv, env, execPath } = process;
  const [, program = name] = argv;
  if (isFound(program, env.PATH ?? '')) return { command: name, args: [] };
  // What is linked as a command starts by itself; a file of JavaScript does so only here and there.
  return /\.[cm]?[jt]s$/.test(program) ? { command: execPath, args: [program] } : { command: program, args: [] };
}

const name = 'ai-agent';

/** Folders that npm adds for what it runs are in nobody else's PATH. */
function isFound(program: string, path: string): boolean {
  const folders = path
    .split(delimiter)
    .filter((folder) => folder !== '' && !/node_modules[\\/]\.bin[\\/]?$/.test(folder));
  const first = folders.map((folder) => whereIs(join(folder, name))).find((file) => file !== undefined);
  return first !== undefined && first === whereIs(program);
}

/** The file itself, whatever links lead to it; undefined when there is none. */
function whereIs(file: string): string | undefined {
  try {
    return realpathSync(file);
  } catch {
    return undefined;
  }
}
