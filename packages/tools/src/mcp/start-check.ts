// Static check of a server that is started on this machine: its folder, its command, and the script that it runs. Starts nothing.

import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { basename, delimiter, resolve } from 'node:path';
import type { StartProblem } from '../set-up.ts';
import type { Surroundings } from '../surroundings.ts';
import type { ServerConfig } from './server-config.ts';

type Machine = Pick<Surroundings, 'cwd' | 'serverEnv'>;

/** The reason why starting this server would fail, as `spawn` finds it. Undefined if there is none, or for a remote server. */
export function findStartProblem(server: ServerConfig, machine: Machine): StartProblem | undefined {
  const { name, type, command, cwd = machine.cwd, args } = server;
  if (type !== 'stdio') return undefined;
  if (!statOf(cwd)?.isDirectory()) {
    const message = `its folder ${JSON.stringify(cwd)} ${existsSync(cwd) ? 'is not a folder' : 'does not exist'}`;
    return { message, remedy: `Correct cwd of mcpServers.${name}, or make the folder.` };
  }
  const env = { ...machine.serverEnv, ...server.env };
  const found = findProgram(command, cwd, env);
  if (found === 'not executable')
    return {
      message: `the command ${JSON.stringify(command)} may not be run`,
      remedy: `Correct command of mcpServers.${name}: a program that this user may run.`,
    };
  if (found === 'missing') {
    const where = hasFolder(command) ? JSON.stringify(cwd) : 'its PATH';
    return {
      message: `the command ${JSON.stringify(command)} was not found in ${where}`,
      remedy: `Install it, or correct command of mcpServers.${name}. A server gets the PATH of this process, unless its env has another.${onWindows}`,
    };
  }
  const [script = ''] = args;
  if (!isScript(command, script) || existsSync(resolve(cwd, script))) return undefined;
  return {
    message: `the file ${JSON.stringify(script)} was not found in ${JSON.stringify(cwd)}`,
    remedy: `Correct args of mcpServers.${name}, or its cwd: paths in args begin there.`,
  };
}

const isWindows = process.platform === 'win32';

const onWindows = isWindows
  ? ' A .cmd file, such as npx, is started by command cmd with args /c, npx and the rest.'
  : '';

function hasFolder(command: string): boolean {
  return isWindows ? /[\\/]/.test(command) : command.includes('/');
}

/** Skips files that are not executable, as `execvp` does. */
function findProgram(
  command: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
): 'found' | 'not executable' | 'missing' {
  const [, path = '/usr/bin:/bin'] = Object.entries(env).find(([name]) => isPath(name)) ?? [];
  const inPath = isWindows ? [cwd, ...path.split(delimiter)] : path.split(delimiter);
  const files = (hasFolder(command) ? [''] : inPath).flatMap((folder) =>
    (isWindows ? ['', '.com', '.exe'] : ['']).map((end) => resolve(cwd, folder, `${command}${end}`)),
  );
  const there = files.filter((file) => statOf(file));
  if (there.length === 0) return 'missing';
  return there.some((file) => statOf(file)?.isFile() && isExecutable(file)) ? 'found' : 'not executable';
}

function isPath(name: string): boolean {
  return isWindows ? name.toUpperCase() === 'PATH' : name === 'PATH';
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Undefined if the file is missing or this user may not look at it. */
function statOf(path: string) {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** Without bash and sh, which also search PATH for a script. */
const interpreters = /^(?:node|bun|deno|tsx|python[\d.]*|ruby|perl|php|zsh)(?:\.exe)?$/i;
const scripts = /\.(?:[cm]?[jt]s|py|rb|pl|php|sh)$/i;

/** Reads the first argument alone: after a flag, an argument may be the value of the flag. */
function isScript(command: string, argument: string): boolean {
  return interpreters.test(basename(command)) && scripts.test(argument) && !/^-|:\/\//.test(argument);
}
