// Where the configuration of an agent comes from: layers of files, the highest first.

import { lstatSync } from 'node:fs';
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
  /** True for server settings: the current folder has precedence over the agents' folders. @default false */
  readonly isServer?: boolean;
}

export interface SoughtPlaces extends ConfigPlaces {
  /** The nearest above the agent's folder, as `configFolders` finds it. */
  readonly folderAbove?: string | undefined;
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
  const { configFile, cwd, agentFolder, folderAbove, homeFolder, systemFolder, isServer = false } = places;
  const named = configFile === undefined ? undefined : resolve(cwd, configFile);
  const current = { label: 'current folder', ...inFolder(cwd) };
  return [
    ...(named === undefined
      ? []
      : [{ label: '--config', file: named, envFile: join(dirname(named), '.ai-agent.env'), required: true }]),
    ...(isServer ? [current] : []),
    { label: "agent's folder", ...inFolder(resolve(cwd, agentFolder)) },
    ...(folderAbove === undefined ? [] : [{ label: "above the agent's folder", ...inFolder(folderAbove) }]),
    current,
    ...(homeFolder === undefined
      ? []
      : [{ label: 'home', ...inFolder(join(homeFolder, '.ai-agent'), 'ai-agent.json') }]),
    ...(systemFolder === undefined ? [] : [{ label: 'system', ...inFolder(systemFolder, 'ai-agent.json') }]),
  ];
}

const configName = '.ai-agent.json';
const envName = '.ai-agent.env';

export function inFolder(folder: string, name = configName): Sought {
  return { file: join(folder, name), envFile: join(folder, name.replace(/json$/, 'env')) };
}

/** Two layers are one when their folders are, and their files in it are called the same. */
function toKey({ file, envFile }: Sought): string {
  return JSON.stringify([toRealPath(dirname(file)), basename(file), basename(envFile)]);
}

/**
 * Every folder that has a configuration, from this one upwards. Above the agent's folder, only files of trusted owners are read:
 * this user, root, or the owner of the agent's folder, who decides what the agent is anyway. In a folder that everybody may
 * write to, such as /tmp, anybody could leave one.
 */
export function* configFolders(folder: string, ownerOf = ownerOnDisk): Iterable<string> {
  const trusted = [0, process.geteuid?.(), ownerOf(folder)];
  for (let here = folder; ; here = dirname(here)) {
    const owner = ownerOf(join(here, configName));
    const owners = [owner, ownerOf(join(here, envName)) ?? owner];
    if (owner !== undefined && (here === folder || owners.every((one) => trusted.includes(one)))) yield here;
    if (here === dirname(here)) return;
  }
}

/** Owner of a file; for a link the owner of the link itself. Always 0 on Windows, which has no numeric owners. */
function ownerOnDisk(path: string): number | undefined {
  try {
    return lstatSync(path).uid;
  } catch {
    return undefined;
  }
}
