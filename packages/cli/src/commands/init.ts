// `ai-agent init [folder]`: writes a team to start from, and says what to type next.

import { lstatSync, readFileSync, type Stats, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Problem, toShort } from '@ai-agent/agents';
import { messageOf, oneLine } from '@ai-agent/core';
import { flagValue, type Words } from '../arguments.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';
import { firstPrompt, keyFile, mainFile, type NewFile, newFiles } from './init-files.ts';
import { loadAgents } from './load.ts';
import { makeFolder } from './make-folder.ts';
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
  const parts = [toWritten(written.files, place), ...toKept(written.kept, place), await toModel(place), toNext(place)];
  terminal.stdout.write(`${parts.join('\n\n')}\n`);
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

interface Written {
  readonly files: readonly NewFile[];
  /** Those that were there and stayed as they were. */
  readonly kept: readonly NewFile[];
}

/** Nothing is written before it is known that nothing is in the way. */
function write({ folder, cwd }: Place, isForced: boolean): Written | Trouble {
  try {
    if (!(statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? true))
      return { trouble: `${toShort(folder, cwd)} is no folder.`, remedy: 'Name a folder, or a new name for one.' };
    const there = new Map(newFiles.map(({ name }) => [name, statOf(join(folder, name))]));
    const inTheWay = newFiles.filter((file) => isInTheWay(file, there.get(file.name), isForced));
    if (inTheWay.length > 0) {
      const paths = inTheWay.map(({ name }) => toShort(join(folder, name), cwd));
      return alreadyThere(paths, isForced);
    }
    makeFolder(folder);
    const isKept = ({ name, isKept }: NewFile) => isKept === true && there.get(name) !== undefined;
    const files = newFiles.filter((file) => !isKept(file));
    for (const { name, text, isPrivate } of files)
      writeFileSync(join(folder, name), text, { flag: isForced ? 'w' : 'wx', mode: isPrivate ? 0o600 : 0o666 });
    return { files, kept: newFiles.filter(isKept) };
  } catch (error) {
    const trouble = `${toShort(folder, cwd)} cannot be written: ${messageOf(error)}`;
    return { trouble, remedy: 'Name a folder that you may write to.' };
  }
}

/** Keys of somebody are a sign that a team is here already; what git leaves alone is a sign of nothing. */
function isInTheWay({ isKept, isPrivate }: NewFile, there: Stats | undefined, isForced: boolean): boolean {
  if (!there || (isKept && !isPrivate)) return false;
  return !(isForced && there.isFile());
}

/** Of a link itself: one that leads nowhere is in the way too. */
function statOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

function alreadyThere(paths: readonly string[], isForced: boolean): Trouble {
  return {
    trouble: `${paths.join(', ')} ${paths.length === 1 ? 'is' : 'are'} in the way. Nothing was written.`,
    remedy: isForced
      ? 'Move what is no plain file out of the way, or name another folder.'
      : 'Name another folder, or say --force: what you changed in these files is then overwritten, keys are kept.',
  };
}

function toWritten(files: readonly NewFile[], { folder, cwd }: Place): string {
  const rows = files.map(({ name, about }) => [oneLine(toShort(join(folder, name), cwd)), about] as const);
  const width = Math.max(...rows.map(([path]) => path.length)) + 2;
  return `Written:\n${rows.map(([path, about]) => `  ${path.padEnd(width)}${about}`).join('\n')}`;
}

function toKept(files: readonly NewFile[], { folder, cwd }: Place): readonly string[] {
  const paths = files.map(({ name }) => {
    const isOpen = name === '.gitignore' && !linesOf(join(folder, name)).includes(keyFile);
    return `${oneLine(toShort(join(folder, name), cwd))}${isOpen ? ` (see that it has ${keyFile} in it)` : ''}`;
  });
  return paths.length === 0 ? [] : [`Kept as ${paths.length === 1 ? 'it was' : 'they were'}: ${paths.join(', ')}`];
}

/** Of what cannot be read, none. */
function linesOf(path: string): readonly string[] {
  try {
    return readFileSync(path, 'utf8').split(/\s*\n/);
  } catch {
    return [];
  }
}

/** What a run would choose now; keys that are found elsewhere count too. */
async function toModel({ folder, cwd }: Place): Promise<string> {
  const entries = [join(folder, mainFile)];
  const { registry, problems } = await loadAgents({
    entries,
    flags: [],
    overrides: [],
    configFile: undefined,
    purpose: 'run',
  });
  const [loaded] = registry.agents;
  if (!loaded) return `It cannot run as it is set up in ${filesOf(problems, cwd)}; ${command()} check says why.`;
  const { choice, effective } = loaded;
  const said = effective.said('models');
  if (!choice) return `It runs on ${String(said?.value)}, as ${oneLine(toShort(said?.place.file ?? '', cwd))} says.`;
  const runsOn = `No file names a model: it runs on ${choice.model}, because ${choice.why}.`;
  if (choice.model !== 'offline/demo') return runsOn;
  const keys = oneLine(toShort(join(folder, keyFile), cwd));
  if (linesOf(join(folder, keyFile)).some((line) => /^\s*[^#\s=][^=]*=\s*\S/.test(line)))
    return `${runsOn}\nWhat ${keys} has opens no provider by itself: name one in .ai-agent.json, and it runs on a real model.`;
  return `${runsOn}\nPut a key into ${keys}, and it runs on a real one.`;
}

/** Those with something wrong in them, as somebody here would name them. */
function filesOf(problems: readonly Problem[], cwd: string): string {
  const wrong = problems.filter(({ severity }) => severity === 'error').map(({ file }) => oneLine(toShort(file, cwd)));
  return [...new Set(wrong)].join(' and ');
}

/** From where we are; each can be pasted. */
function toNext({ folder, cwd }: Place): string {
  const main = toShellWord(toShort(join(folder, mainFile), cwd));
  const place = folder === cwd ? '.' : toShellWord(toShort(folder, cwd));
  return `Next:
  ${command()} ${main} ${toQuoted(firstPrompt)}
  ${command()} tools ${main}
  ${command()} check ${place}
  ${command()} serve ${place}`;
}

/** As it was called: what npx runs need not be in the PATH. */
function command(): string {
  return process.env.npm_command === 'exec' ? 'npx ai-agent' : 'ai-agent';
}
