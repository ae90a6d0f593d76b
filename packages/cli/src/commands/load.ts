// Loads agent files for a command, and says what is wrong with them.

import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  meantFile,
  type NamedModel,
  type NamedTools,
  type Problem,
  Problems,
  readDefaultFlags,
  readFlags,
  readOverrides,
  SubagentRegistry,
  toEnvLines,
  toError,
  toLine,
  toShort,
  type World,
} from '@ai-agent/agents';
import { oneLine, toFailedDocument, toFailure } from '@ai-agent/core';
import type { Models } from '@ai-agent/models';
import type { Toolset } from '@ai-agent/tools';
import { processPlaces, toWorld } from '../assemble.ts';
import { exitCodes } from '../exit-codes.ts';
import type { OutsideOptions } from '../outside.ts';
import { toJson } from '../render/to-json.ts';
import type { Terminal } from '../terminal.ts';
import type { WatchedTools } from './watched-tools.ts';

export interface LoadRequest {
  readonly entries: readonly string[];
  /** Options as flags, of the top agent or of all that say nothing; other flags are left alone. */
  readonly flags: readonly (readonly [flag: string, value: string])[];
  readonly overrides: readonly string[];
  readonly configFile: string | undefined;
  readonly purpose: NonNullable<World['purpose']>;
  /** True if the agents are served. @default false */
  readonly isServed?: boolean;
  /** Whether plugins are imported. @default true */
  readonly mayImport?: boolean;
  /** Told every model that an agent could run on; a server on this machine is then looked for too. @default nobody */
  readonly onModel?: (model: NamedModel) => void;
  /** Told every server and the like that an agent names. @default nobody */
  readonly onTools?: (tools: NamedTools) => void;
  /** Who opens models. @default those of this process */
  readonly models?: Pick<Models, 'open'> | undefined;
  /** What servers are given, and who hears them. @default nobody looks on, and no page is opened */
  readonly outside?: Omit<OutsideOptions, 'cwd' | 'homeFolder'>;
  /** Sees who is asked for tools, and what comes of it. @default nobody */
  readonly watched?: WatchedTools;
  /** Of a process that loads again and again: it is guarded once. @default of this load alone */
  readonly guard?: Guard;
}

/** Against what plugins may do to a command. */
export interface Guard {
  isOn: boolean;
  /** Values that are struck from what is said of them. */
  readonly secrets: Set<string>;
  /** Told what plugins left to fail. @default stderr is */
  readonly tell?: (line: string) => void;
}

export interface Loading {
  readonly registry: SubagentRegistry;
  /** Those that the agents share. */
  readonly toolset: () => Promise<Toolset>;
  /** Ends every server that was started for one of the agents. */
  readonly close: () => Promise<void>;
  /** For when nothing comes of them: what plugins have opened as they were loaded does not keep the process. */
  readonly leave: () => void;
  /** Also of what was said on the command line. */
  readonly problems: readonly Problem[];
}

export async function loadAgents(request: LoadRequest): Promise<Loading> {
  const { entries, flags, overrides, configFile, purpose, isServed, mayImport, onModel, onTools, models, watched } =
    request;
  const said = new Problems();
  const places = processPlaces();
  let toolset: Promise<Toolset> | undefined;
  const toolSets = () => {
    toolset ??= import('../outside.ts').then(({ openOutside }) => {
      const opened = openOutside({ ...request.outside, ...places });
      return watched ? watched.watch(opened) : opened;
    });
    return toolset;
  };
  const { guard = { isOn: false, secrets: new Set() } } = request;
  const hide = ({ env }: Pick<NamedModel, 'env'>) => {
    for (const value of Object.values(env)) guard.secrets.add(value);
  };
  const { importModule, ...world } = toWorld({
    ...places,
    toolSets,
    flags: readFlags(flags, said),
    overrides: readOverrides(overrides, said),
    defaults: readDefaultFlags(flags, said),
    purpose,
    models,
    ...(isServed === undefined ? {} : { isServed }),
    ...(mayImport === undefined ? {} : { mayImport }),
    ...(configFile === undefined ? {} : { configFile }),
    onModel(named) {
      hide(named);
      onModel?.(named);
    },
    onTools(named) {
      hide(named);
      onTools?.(named);
    },
    mayProbe: purpose === 'run' || onModel !== undefined,
  });
  const registry = await SubagentRegistry.load(entries, {
    ...world,
    async importModule(path) {
      const { guardAgainstPlugins } = await import('./plugin-guard.ts');
      if (!guard.isOn) guardAgainstPlugins(() => [...guard.secrets, ...(watched?.secrets ?? [])], guard.tell);
      guard.isOn = true;
      return importModule(path);
    },
  });
  const told = registry.problems.map((problem) => {
    const known = withFlag(problem, configFile, places.cwd);
    return isMissingEntry(known, entries) ? withWhatWasMeant(known, places.cwd) : known;
  });
  const close = async () => (await toolset)?.close();
  const leave = () => {
    if (guard.isOn) setTimeout(() => process.exit(), leavesInMs).unref();
  };
  return { registry, problems: [...said.all, ...told], toolset: toolSets, close, leave };
}

/** For the exit code to be known, and the output to be written. */
const leavesInMs = 500;

/** A configuration that a flag names and that is not there was said wrongly on the command line. */
export function withFlag(problem: Problem, configFile: string | undefined, cwd: string): Problem {
  const isMeant = configFile !== undefined && problem.file === resolve(cwd, configFile);
  return isMeant && problem.code === 'file-missing'
    ? { ...problem, file: 'the command line', key: '--config' }
    : problem;
}

/** What is missing inside a file has a line there. */
export function isMissingEntry({ code, file, line, key }: Problem, entries: readonly string[]): boolean {
  return code === 'file-missing' && line === undefined && key === undefined && entries.includes(file);
}

function withWhatWasMeant(problem: Problem, cwd: string): Problem {
  const remedy = 'Correct the path, or create the file.';
  const meant = meantFile(problem.file, cwd);
  if (meant === undefined) return { ...problem, remedy };
  return { ...problem, message: `${problem.message}; did you mean ${meant}?`, remedy };
}

/** Why this cannot be the file of one agent; undefined when it may be. */
export function notOneFile(entry: string, cwd: string): string | undefined {
  if (entry.trim() === '') return 'Which agent? Name its file.';
  const path = resolve(cwd, entry);
  return existsSync(path) && statSync(path).isDirectory()
    ? `${entry} is a folder; name the file of one agent.`
    : undefined;
}

/** What was said wrongly on the command line, or names no file, is misuse; the rest is set-up. */
export function exitCodeFor(problems: readonly Problem[], entries: readonly string[]): number {
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return exitCodes.ok;
  return errors.some((problem) => isMisuse(problem, entries)) ? exitCodes.usage : exitCodes.byClass.config;
}

function isMisuse(problem: Problem, entries: readonly string[]): boolean {
  return ['--override', 'the command line'].includes(problem.file) || isMissingEntry(problem, entries);
}

/** Why a run cannot begin; as a document too, for whoever asked for one. */
export function refuse(problems: readonly Problem[], request: Refusal, { stdout, stderr }: Terminal): number {
  const { entries, isJson, what = 'a run' } = request;
  const code = exitCodeFor(problems, entries);
  const kind = code === exitCodes.usage ? 'usage' : 'config';
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (isJson) {
    const failure = { ...toFailure(toError(errors)), class: kind } as const;
    stdout.write(`${toJson(toFailedDocument(failure, { problems }), stdout)}\n`);
  }
  const cwd = process.cwd();
  for (const problem of problems) stderr.write(`${toLine(problem, cwd)}\n`);
  stderr.write(toMissingText(problems, cwd));
  const remedies = [...new Set(errors.map(({ remedy }) => oneLine(remedy)))];
  const count = errors.length === 1 ? '1 problem' : `${errors.length} problems`;
  stderr.write(`failed (${kind}): ${count} in the way of ${what}.\n`);
  stderr.write(`${remedies.map((remedy) => `What to do: ${remedy}`).join('\n')}\n`);
  return code;
}

/** The missing variables, to paste into the files that are named; nothing when there are none. */
export function toMissingText(problems: readonly Problem[], cwd: string): string {
  const files = [...toEnvLines(problems, join(cwd, '.ai-agent.env'))];
  return files
    .map(([file, lines]) => `Missing variables, as lines for ${toShort(file, cwd)}:\n${lines.join('\n')}\n`)
    .join('');
}

interface Refusal {
  readonly entries: readonly string[];
  readonly isJson: boolean;
  /** What cannot be. @default 'a run' */
  readonly what?: string;
}
