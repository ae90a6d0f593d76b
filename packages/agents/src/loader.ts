// Loads files and what they name, children before parents, each file once. Rings are found on the way.

import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { checkSetUps } from './check-set-ups.ts';
import { ConfigFiles } from './config/config-file.ts';
import { type Configuration, openConfiguration } from './config/configuration.ts';
import { findAgentFiles, isOneFile } from './discover.ts';
import { type LoadedAgent, loadAgent } from './load-agent.ts';
import type { Said } from './options/read-options.ts';
import { type Place, Problems, toShort } from './problem.ts';
import { type Draft, readDraft } from './read-draft.ts';
import type { World } from './world.ts';

export class Loader {
  readonly problems = new Problems();
  readonly #world: World;
  /** By real path. */
  readonly #drafts = new Map<string, Draft | undefined>();
  /** By real path, and what it has of its caller. */
  readonly #loaded = new Map<string, LoadedAgent | undefined>();
  /** Of a folder. */
  readonly #configurations = new Map<string, Configuration>();
  readonly #configFiles: ConfigFiles;
  /** Those that were found to lack a description, so that it is said once. */
  readonly #nameless = new Set<string>();
  /** Those that were named, whoever else names them. */
  #tops: ReadonlySet<string> = new Set();
  #topFolders: readonly string[] = [];

  constructor(world: World) {
    this.#world = world;
    this.#configFiles = new ConfigFiles(this.problems);
  }

  get files(): readonly string[] {
    return [...this.#drafts.keys()];
  }

  async loadAll(entries: readonly string[]): Promise<readonly LoadedAgent[]> {
    const { cwd } = this.#world;
    const wanted =
      entries.length > 0
        ? entries.map((entry) => ({ entry, folder: cwd, place: { file: entry } }))
        : await this.#configured();
    const files = wanted.flatMap(({ entry, folder, place }) => this.#find(entry, folder, place));
    const tops = [...new Set(files)];
    this.#tops = new Set(tops);
    this.#topFolders = [...new Set(tops.map((file) => dirname(file)))];
    for (const file of tops) await this.#load(file, []);
    this.#checkNames(tops);
    return tops.flatMap((file) => this.#loaded.get(file) ?? []);
  }

  /** What the configuration of this folder says there is. */
  async #configured() {
    const listed = (await this.#configurationOf(this.#world.cwd)).agents();
    if (!listed) return [];
    const { entries, folder, file, line } = listed;
    const place: Place = { file, key: 'agents', ...(line === undefined ? {} : { line }) };
    return entries.map((entry) => ({ entry, folder, place }));
  }

  /** Real paths. */
  #find(entry: string, folder: string, place: Place): readonly string[] {
    const found = findAgentFiles(entry, folder).map(toRealPath);
    if (found.length === 0) {
      const what = /[*?{[]/.test(entry) ? `nothing fits ${entry}` : `there is no agent at ${entry}`;
      this.problems.error('file-missing', place, what);
    }
    return found;
  }

  async #load(file: string, chain: readonly string[], parent?: Draft): Promise<LoadedAgent | undefined> {
    const inherited = parent && handedOn(parent);
    const key = inherited ? JSON.stringify([file, ...inherited]) : file;
    if (this.#loaded.has(key)) return this.#loaded.get(key);
    const configuration = await this.#configurationOf(dirname(file));
    const isTop = this.#tops.has(file);
    const draft = readDraft(file, { world: this.#world, configuration, problems: this.problems, isTop, inherited });
    this.#drafts.set(file, draft);
    const loaded = draft ? await this.#loadWithChildren(draft, [...chain, file]) : undefined;
    this.#loaded.set(key, loaded);
    return loaded;
  }

  async #loadWithChildren(draft: Draft, chain: readonly string[]): Promise<LoadedAgent | undefined> {
    const children: (LoadedAgent | undefined)[] = [];
    for (const file of this.#childrenOf(draft))
      children.push(file === undefined ? undefined : await this.#loadChild(file, draft, chain));
    const { configuration } = draft;
    const { nearestConfigFolder: nearest } = configuration;
    const roots = [...this.#topFolders, ...(nearest === undefined ? [] : [nearest]), ...configuration.includeRoots()];
    return loadAgent(draft, { world: this.#world, problems: this.problems, roots, children });
  }

  async #loadChild(file: string, parent: Draft, chain: readonly string[]): Promise<LoadedAgent | undefined> {
    const ring = chain.indexOf(file);
    if (ring >= 0) {
      this.#tellRing([...chain.slice(ring), file], parent);
      return undefined;
    }
    const child = await this.#load(file, chain, parent);
    this.#checkDescription(file, parent);
    return this.#nameless.has(file) ? undefined : child;
  }

  /** Undefined for what is not there. A folder or a glob may hold the file itself, which is not meant. */
  #childrenOf({ file, effective }: Draft): readonly (string | undefined)[] {
    const said = effective.said('agents');
    if (!said) return [];
    const folder = said.place.file === file ? dirname(file) : this.#world.cwd;
    const files = (said.value as readonly string[]).flatMap((entry): readonly (string | undefined)[] => {
      const found = this.#find(entry, folder, said.place);
      if (found.length === 0) return [undefined];
      return isOneFile(entry, folder) ? found : found.filter((one) => one !== file);
    });
    return [...new Set(files)];
  }

  #tellRing(ring: readonly string[], { file, effective }: Draft): void {
    const names = ring.map((one) => basename(one));
    const isClear = new Set(names).size === new Set(ring).size;
    const shown = isClear ? names : ring.map((one) => toShort(one, this.#world.cwd));
    const place = effective.said('agents')?.place ?? { file };
    this.problems.error('agent-file-cycle', place, `these files form a cycle: ${shown.join(' → ')}`);
  }

  #checkDescription(file: string, caller: Draft): void {
    const draft = this.#drafts.get(file);
    const description = draft?.effective.said('description')?.value;
    if (!draft || this.#nameless.has(file) || String(description ?? '').trim() !== '') return;
    this.#nameless.add(file);
    const place = { file, line: 1, key: 'description' };
    this.problems.error('description-missing', place, `is missing; ${basename(caller.file)} has it as a sub-agent`);
  }

  /** Two that are exposed under one name. A check also looks into folders, where that may be meant. */
  #checkNames(tops: readonly string[]): void {
    const owners = new Map<string, string>();
    const isCheck = this.#world.purpose === 'check';
    for (const file of tops) {
      const label = this.#drafts.get(file)?.label;
      if (label === undefined) continue;
      const other = owners.get(label);
      owners.set(label, file);
      if (other === undefined) continue;
      const message = `${toShort(other, this.#world.cwd)} is called ${label} too; only one of them can be served`;
      this.problems.add(isCheck ? 'warning' : 'error', { code: 'name-taken', place: { file }, message });
    }
  }

  async #configurationOf(agentFolder: string): Promise<Configuration> {
    const known = this.#configurations.get(agentFolder);
    if (known) return known;
    const { env: environment, ...places } = this.#world;
    const configuration = openConfiguration({ ...places, agentFolder, environment }, this.#configFiles);
    configuration.check(this.problems);
    if (this.#world.purpose === 'check') await checkSetUps(configuration, this.#world, this.problems);
    this.#configurations.set(agentFolder, configuration);
    return configuration;
  }
}

/** The only option that agents have of their callers. */
function handedOn({ effective }: Draft): Said | undefined {
  const cache = effective.said('cache');
  return cache && cache.value !== 'off' ? new Map([['cache', cache]]) : undefined;
}

/** A pipe has none that could be opened. */
function toRealPath(file: string): string {
  const path = realpathSync(file);
  return existsSync(path) ? path : file;
}
