// Where the configuration of an agent comes from: layers of files, the highest first.

import { statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { type ConfigFile, type ConfigFiles, type Sought, toRealPath } from './config-file.ts';

export interface Layer extends ConfigFile {
  /** What people call it: `--config`, `current folder`. */
  readonly label: string;
}

export interface ConfigPlaces {
  /** A file that somebody named; relative to `cwd`. */
  readonly configFile?: string;
  /** Absolute. */
  readonly cwd: string;
  /** The folder of the agent's file. */
  readonly agentFolder: string;
  /** The home of the user: `.ai-agent` in it is read. @default none */
  readonly homeFolder?: string;
  /** The folder with the files of the machine, such as /etc/ai-agent. @default none */
  readonly systemFolder?: string;
}

export interface SoughtPlaces extends ConfigPlaces {
  /** As `findConfigFolder` found it. */
  readonly nearestConfigFolder?: string | undefined;
}

/** Highest first. Only layers of which something is there. */
export function findLayers(places: SoughtPlaces, files: ConfigFiles): readonly Layer[] {
  const layers: Layer[] = [];
  const seen = new Set<string>();
  for (const { label, ...sought } of toSought(places)) {
    const key = toKey(sought);
    if (seen.has(key)) continue;
    seen.add(key);
    const file = files.read(sought);
    if (file) layers.push({ label, ...file });
  }
  return layers;
}

interface LabelledSought extends Sought {
  readonly label: string;
}

function toSought(places: SoughtPlaces): readonly LabelledSought[] {
  const { configFile, cwd, agentFolder, nearestConfigFolder: nearest, homeFolder, systemFolder } = places;
  const named = configFile === undefined ? undefined : resolve(cwd, configFile);
  return [
    ...(named === undefined
      ? []
      : [{ label: '--config', file: named, envFile: join(dirname(named), '.ai-agent.env'), required: true }]),
    { label: 'current folder', ...inFolder(cwd) },
    { label: "agent's folder", ...inFolder(resolve(cwd, agentFolder)) },
    // A team in folders has one configuration, at its top.
    ...(nearest === undefined ? [] : [{ label: "above the agent's folder", ...inFolder(nearest) }]),
    ...(homeFolder === undefined
      ? []
      : [{ label: 'home', ...inFolder(join(homeFolder, '.ai-agent'), 'ai-agent.json') }]),
    ...(systemFolder === undefined ? [] : [{ label: 'system', ...inFolder(systemFolder, 'ai-agent.json') }]),
  ];
}

const configName = '.ai-agent.json';

export function inFolder(folder: string, name = configName): Sought {
  return { file: join(folder, name), envFile: join(folder, name.replace(/json$/, 'env')) };
}

/** Two layers are one when their folders are, and their files in it are called the same. */
function toKey({ file, envFile }: Sought): string {
  return JSON.stringify([toRealPath(dirname(file)), basename(file), basename(envFile)]);
}

/** The first folder that has a configuration, from this one upwards. */
export function findConfigFolder(folder: string, ownerOf = ownerOnDisk): string | undefined {
  const [first] = configFolders(folder, ownerOf);
  return first;
}

/**
 * Every folder that has a configuration, from this one upwards. Above it, only one of the same owner or of the system's
 * counts: in a folder that everybody may write to, anybody could leave one.
 */
export function* configFolders(folder: string, ownerOf = ownerOnDisk): Iterable<string> {
  const own = ownerOf(folder);
  for (let here = folder; ; here = dirname(here)) {
    const owner = ownerOf(join(here, configName));
    if (owner !== undefined && (here === folder || owner === own || owner === 0)) yield here;
    if (here === dirname(here)) return;
  }
}

function ownerOnDisk(path: string): number | undefined {
  try {
    return statSync(path).uid;
  } catch {
    return undefined;
  }
}
