// Loads files and what they name, children before parents, each file once. Rings are found on the way.

import { basename, dirname } from 'node:path';
import { AgentError, isTooDeep, levelsOf, mostLevels, toSafeName } from '@ai-agent/core';
import { commonFolder } from './agent-identity.ts';
import { checkSetUps } from './check-set-ups.ts';
import { ConfigFiles } from './config/config-file.ts';
import { type Configuration, openConfiguration } from './config/configuration.ts';
import { warnOverridden } from './config/overridden-keys.ts';
import { loadAgent } from './load-agent.ts';
import type { LoadedAgent, Member } from './loaded-agent.ts';
import { findFiles, findNamed } from './named-agents.ts';
import type { Said } from './options/read-options.ts';
import { type Place, Problems, toError, toShort } from './problem.ts';
import { type Draft, readDraft } from './read-draft.ts';
import { fromItsFirst, ringInWords, type Step } from './ring.ts';
import { roles } from './role.ts';
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
  /** Files whose missing description is already reported. */
  readonly #withoutDescription = new Set<string>();
  /** Those that were named, whoever else names them. */
  #tops: ReadonlySet<string> = new Set();
  #topFolders: readonly string[] = [];
  #teamFolder: string | undefined;
  #wanted: readonly Wanted[] = [];

  /** The team folder defaults to the deepest folder that contains all files. */
  constructor(world: World, teamFolder?: string) {
    this.#teamFolder = teamFolder;
    this.#world = world;
    this.#configFiles = new ConfigFiles(this.problems);
  }

  get files(): readonly string[] {
    return [...this.#drafts.keys()];
  }

  get wanted(): readonly Pick<Wanted, 'entry' | 'folder'>[] {
    return this.#wanted;
  }

  async loadAll(entries: readonly string[]): Promise<readonly LoadedAgent[]> {
    const { cwd } = this.#world;
    const wanted =
      entries.length > 0
        ? entries.map((entry) => ({ entry, folder: cwd, place: { file: entry } }))
        : await this.#configured();
    this.#wanted = wanted;
    const files = wanted.flatMap(({ entry, folder, place }) =>
      findFiles(entry, folder, { place, problems: this.problems }),
    );
    const tops = [...new Set(files)];
    this.#tops = new Set(tops);
    this.#topFolders = [...new Set(tops.map((file) => dirname(file)))];
    this.#teamFolder ??= commonFolder(this.#topFolders);
    for (const file of tops) await this.#load({ file, role: 'agents' }, []);
    const isServed = this.#world.isServed || entries.length === 0;
    for (const file of tops) this.#checkDescriptionOfTop(file, isServed);
    for (const file of tops) this.#checkDepth(file);
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

  async #load(step: Step, chain: readonly Step[], namedBy?: Draft): Promise<LoadedAgent | undefined> {
    const { file } = step;
    const inherited = namedBy && handedOn(namedBy);
    const key = inherited ? JSON.stringify([file, inherited.get('cache')?.value]) : file;
    if (this.#loaded.has(key)) return this.#loaded.get(key);
    const configuration = await this.#configurationOf(dirname(file));
    const isTop = this.#tops.has(file);
    const draft = readDraft(file, { world: this.#world, configuration, problems: this.problems, isTop, inherited });
    this.#drafts.set(file, draft);
    const loaded = draft ? await this.#loadWithTeam(draft, [...chain, step]) : undefined;
    this.#loaded.set(key, loaded);
    return loaded;
  }

  async #loadWithTeam(draft: Draft, chain: readonly Step[]): Promise<LoadedAgent | undefined> {
    const team: Member[] = [];
    for (const { role, file } of findNamed(draft, { cwd: this.#world.cwd, problems: this.problems }))
      team.push({
        role,
        loaded: file === undefined ? undefined : await this.#loadMember({ role, file }, draft, chain),
      });
    const { configuration } = draft;
    const { nearestConfigFolder: nearest } = configuration;
    const above = nearest === undefined ? [] : [nearest];
    const roots = [...new Set([...this.#topFolders, ...above, ...configuration.includeRoots()])];
    const teamFolder = this.#teamFolder ?? '';
    const loadFile = (file: string) => loadAnother(file, this.#world, teamFolder);
    const context = { world: this.#world, problems: this.problems, teamFolder };
    return loadAgent(draft, { ...context, roots, team, loadFile });
  }

  async #loadMember(step: Step, namedBy: Draft, chain: readonly Step[]): Promise<LoadedAgent | undefined> {
    const { file, role } = step;
    const ring = chain.findIndex((one) => one.file === file);
    if (ring >= 0) {
      this.#tellRing(fromItsFirst([...chain.slice(ring), step]));
      return undefined;
    }
    const loaded = await this.#load(step, chain, namedBy);
    if (!roles[role].needsDescription) return loaded;
    if (this.#lacksDescription(file))
      this.#reportMissingDescription(file, 'error', `${basename(namedBy.file)} has it as ${roles[role].noun}`);
    return this.#withoutDescription.has(file) ? undefined : loaded;
  }

  /** Where it is closed. */
  #tellRing(ring: readonly Step[]): void {
    const [closing, first] = ring.slice(-2);
    if (!closing || !first) return;
    const place = this.#drafts.get(closing.file)?.effective.said(first.role)?.place ?? { file: closing.file };
    this.problems.error('agent-file-cycle', place, ringInWords(ring, this.#world.cwd));
  }

  /** A served agent is chosen by its description, as a sub-agent is. */
  #checkDescriptionOfTop(file: string, isServed: boolean): void {
    // A wrong value is not a missing one.
    if (!this.#drafts.get(file)?.isSound || !this.#lacksDescription(file)) return;
    if (isServed) this.#reportMissingDescription(file, 'error', 'clients of a server choose an agent by it');
    else if (this.#world.purpose === 'check')
      this.#reportMissingDescription(file, 'warning', 'without it, the agent cannot be a sub-agent or be served');
  }

  #lacksDescription(file: string): boolean {
    const draft = this.#drafts.get(file);
    if (!draft || this.#withoutDescription.has(file)) return false;
    return String(draft.effective.said('description')?.value ?? '').trim() === '';
  }

  #reportMissingDescription(file: string, severity: 'error' | 'warning', why: string): void {
    this.#withoutDescription.add(file);
    const message = `is missing; ${why}; add the line \`description: "<what it does, and when to ask it>"\``;
    this.problems.add(severity, { code: 'description-missing', place: { file, line: 1, key: 'description' }, message });
  }

  #checkDepth(file: string): void {
    const agent = this.#loaded.get(file)?.agent;
    if (!agent || !isTooDeep(agent)) return;
    const levels = levelsOf(agent);
    const message = `is missing; its sub-agents go ${levels} levels deep, and without it a tree has at most ${mostLevels}`;
    const remedy = `Set maxDepth: ${levels} in this file, or let it call fewer levels.`;
    this.problems.add('error', { code: 'agent-invalid', place: { file, key: 'maxDepth' }, message, remedy });
  }

  /** Two that are exposed under one name. A check also looks into folders, where that may be meant. */
  #checkNames(tops: readonly string[]): void {
    const owners = new Map<string, { readonly file: string; readonly label: string }>();
    const isCheck = this.#world.purpose === 'check';
    for (const file of tops) {
      const label = this.#drafts.get(file)?.label;
      if (label === undefined) continue;
      // Tools have safe names alone: those of `a.b` and `a_b` are one.
      const other = owners.get(toSafeName(label));
      owners.set(toSafeName(label), { file, label });
      if (other === undefined) continue;
      const alike =
        other.label === label
          ? `is called ${label} too`
          : `is called ${other.label}, which is ${toSafeName(label)} as a tool, as ${label} is`;
      const message = `${toShort(other.file, this.#world.cwd)} ${alike}; to serve both, or to make both tools of one agent, rename one file or set its toolName`;
      this.problems.add(isCheck ? 'warning' : 'error', { code: 'name-taken', place: { file }, message });
    }
  }

  async #configurationOf(agentFolder: string): Promise<Configuration> {
    const known = this.#configurations.get(agentFolder);
    if (known) return known;
    const { env: environment, ...places } = this.#world;
    const configuration = openConfiguration({ ...places, agentFolder, environment }, this.#configFiles);
    configuration.check(this.problems);
    if (this.#world.purpose === 'check') {
      await checkSetUps(configuration, this.#world, this.problems);
      warnOverridden(configuration, this.#world, this.problems);
    }
    this.#configurations.set(agentFolder, configuration);
    return configuration;
  }
}

interface Wanted {
  readonly entry: string;
  readonly folder: string;
  readonly place: Place;
}

/** For a run beside the one that was asked for: what was said of that one is not said of it. */
async function loadAnother(
  file: string,
  { flags: _flags, isServed: _isServed, ...world }: World,
  teamFolder: string,
): Promise<LoadedAgent> {
  const loader = new Loader({ ...world, purpose: 'run' }, teamFolder);
  const [loaded] = await loader.loadAll([file]);
  if (loader.problems.errorCount > 0) throw toError(loader.problems.all);
  if (!loaded) throw new AgentError('file-missing', `There is no agent at ${file}.`);
  return loaded;
}

/** The only option that agents have of their callers. */
function handedOn({ effective }: Draft): Said | undefined {
  const cache = effective.said('cache');
  return cache && cache.value !== 'off' ? new Map([['cache', cache]]) : undefined;
}
