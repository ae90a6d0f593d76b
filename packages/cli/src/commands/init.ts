// `ai-agent init [folder]`: writes a team to start from, and says what to type next.

import { lstatSync, mkdirSync, type Stats, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { toShort } from '@ai-agent/agents';
import { messageOf, oneLine } from '@ai-agent/core';
import { flagValue, type Words } from '../arguments.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';
import { firstPrompt, mainFile, type NewFile, newFiles } from './init-files.ts';
import { loadAgents } from './load.ts';
import { misuse } from './misuse.ts';
import { toQuoted, toShellWord } from './shell-word.ts';

export async function run(words: Words, terminal: Terminal): Promise<number> {
  const [named = '.', another] = words.words.map(({ text }) => text);
  if (another !== undefined || named.trim() === '')
    return misuse(terminal, 'Name one folder, or none.', { help: 'ai-agent init --help' });
  const { cwd } = terminal.input;
  const place = { folder: resolve(cwd, named), cwd };
  const written = write(place, flagValue(words, '--force') !== undefined);
  if ('trouble' in written) {
    terminal.stderr.write(`failed (config): ${oneLine(written.trouble)}\nWhat to do: ${written.remedy}\n`);
    return exitCodes.byClass.config;
  }
  terminal.stdout.write(`${toWritten(written, place)}\n\n${await toModel(place)}\n\n${toNext(place)}\n`);
  return exitCodes.ok;
}

interface Place {
  readonly folder: string;
  readonly cwd: string;
}

interface Trouble {
  readonly trouble: string;
  readonly remedy: string;
}

/** Nothing is written before it is known that nothing is in the way. */
function write({ folder, cwd }: Place, isForced: boolean): readonly NewFile[] | Trouble {
  try {
    if (!(statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? true))
      return { trouble: `${toShort(folder, cwd)} is no folder.`, remedy: 'Name a folder, or a new name for one.' };
    const there = new Map(newFiles.map(({ name }) => [name, statOf(join(folder, name))]));
    const inTheWay = newFiles.filter(({ name }) => there.get(name) && !(isForced && there.get(name)?.isFile()));
    if (inTheWay.length > 0) {
      const paths = inTheWay.map(({ name }) => toShort(join(folder, name), cwd));
      return alreadyThere(paths, isForced);
    }
    makeFolder(folder);
    // Keys cannot be written again.
    const wanted = newFiles.filter(({ name, isPrivate }) => !(isPrivate && there.get(name)));
    for (const { name, text, isPrivate } of wanted)
      writeFileSync(join(folder, name), text, { flag: isForced ? 'w' : 'wx', mode: isPrivate ? 0o600 : 0o666 });
    return wanted;
  } catch (error) {
    const trouble = `${toShort(folder, cwd)} cannot be written: ${messageOf(error)}`;
    return { trouble, remedy: 'Name a folder that you may write to.' };
  }
}

/** Of a link itself: one that leads nowhere is in the way too. */
function statOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

/** With those above it. What Node does by itself never ends where the system refuses in an unusual way, as in /proc. */
function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })) return;
  makeFolder(dirname(folder));
  mkdirSync(folder);
}

function alreadyThere(paths: readonly string[], isForced: boolean): Trouble {
  return {
    trouble: `${paths.join(', ')} ${paths.length === 1 ? 'is' : 'are'} in the way. Nothing was written.`,
    remedy: isForced
      ? 'Move what is no plain file out of the way, or name another folder.'
      : 'Name another folder, or say --force to overwrite.',
  };
}

function toWritten(files: readonly NewFile[], { folder, cwd }: Place): string {
  const rows = files.map(({ name, about }) => [toShort(join(folder, name), cwd), about] as const);
  const width = Math.max(...rows.map(([path]) => path.length)) + 2;
  return `Written:\n${rows.map(([path, about]) => `  ${path.padEnd(width)}${about}`).join('\n')}`;
}

/** What a run would choose now; keys that are found elsewhere count too. */
async function toModel({ folder, cwd }: Place): Promise<string> {
  const entries = [join(folder, mainFile)];
  const { registry } = await loadAgents({ entries, flags: [], overrides: [], configFile: undefined, purpose: 'run' });
  const [loaded] = registry.agents;
  if (!loaded) return `It cannot run as it is set up around here; ${command()} check says why.`;
  const { choice, effective } = loaded;
  if (!choice) return `It runs on ${String(effective.said('models')?.value)}, as your configuration says.`;
  const runsOn = `No file names a model: it runs on ${choice.model}, because ${choice.why}.`;
  if (choice.model !== 'offline/demo') return runsOn;
  return `${runsOn}\nPut a key into ${toShort(join(folder, '.ai-agent.env'), cwd)}, and it runs on a real one.`;
}

/** From where we are; each can be pasted. */
function toNext({ folder, cwd }: Place): string {
  const main = toShellWord(toShort(join(folder, mainFile), cwd));
  return `Next:
  ${command()} ${main} ${toQuoted(firstPrompt)}
  ${command()} tools ${main}
  ${command()} check ${folder === cwd ? '.' : toShellWord(toShort(folder, cwd))}`;
}

/** As it was called: what npx runs need not be in the PATH. */
function command(): string {
  return process.env.npm_command === 'exec' ? 'npx ai-agent' : 'ai-agent';
}
