// The configuration of the agents of one folder: what its layers come to, for whoever asks by name.

import { resolve } from 'node:path';
import type { Field, Located } from '../located.ts';
import { toNames } from '../options/kinds.ts';
import type { Problems } from '../problem.ts';
import type { ConfigFiles } from './config-file.ts';
import { type Entry, type EntrySection, type Piece, toPiece } from './entry.ts';
import { type ConfigPlaces, configFolders, findLayers, type Layer } from './layers.ts';
import { allOf, mergeQueues, type Queue, type Sourced } from './merge-layers.ts';

export interface ConfigurationOptions extends ConfigPlaces {
  /** Of the process: asked last, and only for what is named. */
  readonly environment: Environment;
}

export type Environment = Readonly<Record<string, string | undefined>>;

export function openConfiguration(options: ConfigurationOptions, files: ConfigFiles): Configuration {
  const { cwd, agentFolder, environment } = options;
  const folder = resolve(cwd, agentFolder);
  const [nearestConfigFolder, next] = configFolders(folder);
  const folderAbove = nearestConfigFolder === folder ? next : nearestConfigFolder;
  const layers = findLayers({ ...options, folderAbove }, files);
  return new Configuration({ layers, cwd, environment, nearestConfigFolder });
}

interface Parts {
  /** Highest first. */
  readonly layers: readonly Layer[];
  readonly cwd: string;
  readonly environment: Environment;
  readonly nearestConfigFolder: string | undefined;
}

export type SectionName =
  | 'accounting'
  | 'api'
  | 'cache'
  | 'embed'
  | 'persistence'
  | 'pricing'
  | 'slack'
  | 'store'
  | 'telemetry'
  | 'toolOutput';

/** Files, folders and globs, relative to `folder`. */
export interface AgentList extends Sourced {
  readonly entries: readonly string[];
}

export class Configuration {
  readonly layers: readonly Layer[];
  /** The first folder with `.ai-agent.json` from the agent's upwards, whatever the layers are. */
  readonly nearestConfigFolder: string | undefined;
  readonly #cwd: string;
  readonly #environment: Environment;

  constructor({ layers, cwd, environment, nearestConfigFolder }: Parts) {
    this.layers = layers;
    this.nearestConfigFolder = nearestConfigFolder;
    this.#cwd = cwd;
    this.#environment = environment;
  }

  /** The whole of the highest layer that defines it and has its variables; else of the highest, with what is missing. */
  entry(section: EntrySection, name: string): Entry | undefined {
    let highest: Entry | undefined;
    for (const layer of this.layers) {
      const field = layer.root.fields?.get(section)?.at.fields?.get(name);
      if (!field?.at.fields) continue;
      const entry = { section, name, ...this.#toPiece(layer, [section, name], field) };
      if (entry.missing.length === 0) return entry;
      highest ??= entry;
    }
    return highest;
  }

  /** Every name that a layer defines. */
  names(section: EntrySection): readonly string[] {
    return [...new Set(allOf(this.layers, section).flatMap(({ at }) => [...(at.fields?.keys() ?? [])]))];
  }

  /**
   * True if settings of this section may be missing because a file or the section in it could not be read.
   * The error is already reported, so missing settings are not reported again.
   */
  isBroken(section: EntrySection | SectionName | 'includeRoots'): boolean {
    const part = section === 'includeRoots' ? 'items' : 'fields';
    return this.layers.some(({ isBroken, root: { fields } }) => {
      const found = fields?.get(section)?.at;
      return isBroken || !fields || (found && !found[part]);
    });
  }

  /** True if settings of this entry of a section may be missing for such a reason. */
  isEntryBroken(section: EntrySection, name: string): boolean {
    const found = this.layers.map(({ root }) => root.fields?.get(section)?.at.fields?.get(name)?.at);
    return this.isBroken(section) || found.some((entry) => entry && !entry.fields);
  }

  /** True if an env file has a line that could not be read. Its error is already reported, so missing variables are not. */
  get lacksVariables(): boolean {
    return this.layers.some((layer) => layer.lacksVariables);
  }

  /** A variable that no entry names, for a provider that needs no entry. */
  lookUp(variable: string): string | undefined {
    for (const { variables } of this.layers) {
      const value = toGiven(variables.get(variable));
      if (value !== undefined) return value;
    }
    return this.#inEnvironment(variable);
  }

  /** The whole section of the first layer that has it. */
  section(name: SectionName): Piece | undefined {
    for (const layer of this.layers) {
      const field = layer.root.fields?.get(name);
      if (field?.at.fields) return this.#toPiece(layer, [name], field);
    }
    return undefined;
  }

  /** Of each layer, highest first. */
  defaults(): readonly Sourced[] {
    return allOf(this.layers, 'defaults');
  }

  queues(): ReadonlyMap<string, Queue> {
    return mergeQueues(this.layers);
  }

  /** Of the first layer that has the key. */
  agents(): AgentList | undefined {
    const [first] = allOf(this.layers, 'agents');
    return first && { ...first, entries: toTexts(first.at).flatMap(toNames) };
  }

  /** Absolute, of all layers. */
  includeRoots(): readonly string[] {
    const roots = allOf(this.layers, 'includeRoots').flatMap(({ at, folder }) =>
      toTexts(at).map((root) => resolve(folder, root)),
    );
    return [...new Set(roots)];
  }

  /** Tells what is wrong with every file of its layers; of each file once in a load. */
  check(problems: Problems): void {
    for (const layer of this.layers) layer.check(problems);
  }

  #toPiece(layer: Layer, path: readonly string[], field: Field): Piece {
    const resolve = (variable: string) =>
      toGiven(layer.variables.get(variable)) ??
      this.#inEnvironment(variable) ??
      (variable === 'MCP_ROOT' ? this.#cwd : undefined);
    return toPiece({ file: layer.file, envFile: layer.envFile, path, field, resolve });
  }

  #inEnvironment(variable: string): string | undefined {
    return Object.hasOwn(this.#environment, variable) ? toGiven(this.#environment[variable]) : undefined;
  }
}

/** What is empty is missing. */
function toGiven(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === '' ? undefined : value;
}

/** What is not text was told by the check. */
function toTexts({ value, items }: Located): readonly string[] {
  return (items ? items.map((item) => item.value) : [value]).filter((one) => typeof one === 'string');
}
