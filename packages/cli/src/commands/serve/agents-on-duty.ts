// The agents that are served now: loaded when the server starts, and again when their files change.

import { type LoadedAgent, type Problem, toLine, toShort } from '@ai-agent/agents';
import { messageOf } from '@ai-agent/core';
import type { ServedAgent } from '@ai-agent/server';
import type { Found } from '../find-agents.ts';
import { isMissingEntry } from '../load.ts';
import { Generation, type SharedPorts } from './generation.ts';
import type { ServerLog } from './server-log.ts';
import { type Watched, watchFiles } from './watch-files.ts';

export interface DutyOptions {
  readonly load: () => Promise<Found>;
  readonly shared: SharedPorts;
  readonly log: ServerLog;
  readonly cwd: string;
  /** What else is to be said of a later load. @default nothing */
  readonly tellAlso?: (found: Found) => readonly string[];
}

export class AgentsOnDuty {
  readonly #options: DutyOptions;
  /** Of loads that were replaced: those whose runs have not ended. */
  readonly #leaving = new Set<Generation>();
  #now: Generation;
  /** Also when the last load came to nothing: what it looked for is what will be mended. */
  #watched: Watched;
  #unwatch = () => {};
  #onOthers = () => {};

  constructor(found: Found, options: DutyOptions) {
    this.#options = options;
    this.#now = new Generation(found, options.shared);
    this.#watched = found.registry;
  }

  get agents(): readonly ServedAgent[] {
    return this.#now.agents;
  }

  /** Told when other agents are served than before. */
  watch(onOthers: () => void): void {
    this.#onOthers = onOthers;
    const onChange = (files: readonly string[]) => this.#reload(files);
    this.#unwatch = watchFiles({ watched: () => this.#watched, onChange });
  }

  unwatch(): void {
    this.#unwatch();
  }

  /** Ends the servers of all loads, whoever still uses them. */
  async close(): Promise<void> {
    this.unwatch();
    await Promise.allSettled([this.#now, ...this.#leaving].map((generation) => generation.close()));
  }

  /** Never rejects: what is served goes on. */
  async #reload(files: readonly string[]): Promise<void> {
    const { load, log, cwd } = this.#options;
    const named = files.slice(0, 3).map((file) => toShort(file, cwd));
    const what = [...named, ...(files.length > 3 ? [`${files.length - 3} more`] : [])].join(', ');
    try {
      const found = await load();
      const wrong = this.#wrongWith(found);
      this.#watched = found.registry;
      if (wrong.length === 0) return await this.#replace(found, what);
      await found.close();
      log.fail(`${what} changed, and cannot be served; the agents from before still are.`);
      for (const sentence of wrong) log.fail(sentence);
    } catch (error) {
      log.fail(`${what} changed, and could not be loaded: ${messageOf(error)}`);
    }
  }

  #wrongWith(found: Found): readonly string[] {
    const { cwd } = this.#options;
    const isWrong = (one: Problem) => one.severity === 'error' && !isGone(one, found);
    return found.problems.filter(isWrong).map((problem) => `${toLine(problem, cwd)} ${problem.remedy}`);
  }

  async #replace(found: Found, what: string): Promise<void> {
    const before = this.#now;
    const { log, shared, tellAlso } = this.#options;
    const changes = await changesBetween(before.found.registry.agents, found.registry.agents);
    this.#now = new Generation(found, shared);
    this.#leaving.add(before);
    before
      .retire()
      .catch(log.bug)
      .finally(() => this.#leaving.delete(before));
    const told = changes.length === 0 ? 'no agent is another one by it' : changes.join(', ');
    log.say(`${what} changed: ${told}. What runs goes on as it began.`);
    if (this.agents.length === 0) log.fail('No agent is left to serve: requests are 404 until there is one again.');
    if (changes.length > 0) this.#onOthers();
    for (const more of tellAlso?.(found) ?? []) log.say(more);
  }
}

/** A file that somebody named, here or in a configuration: it is served no longer, as one of a folder is not. */
function isGone(problem: Problem, { entries, registry }: Found): boolean {
  const { code, file, key } = problem;
  const isConfigured = code === 'file-missing' && key === 'agents' && !registry.files.includes(file);
  return isConfigured || isMissingEntry(problem, entries);
}

async function changesBetween(
  before: readonly LoadedAgent[],
  after: readonly LoadedAgent[],
): Promise<readonly string[]> {
  const versions = new Map(await Promise.all(before.map(async (one) => [one.name, await one.version()] as const)));
  const added = after.filter(({ name }) => !versions.has(name)).map(({ name }) => `${name} is new`);
  const names = new Set(after.map(({ name }) => name));
  const removed = before.filter(({ name }) => !names.has(name)).map(({ name }) => `${name} is gone`);
  const compared = await Promise.all(
    after.map(async (one) => {
      const known = versions.get(one.name);
      return known !== undefined && known !== (await one.version()) ? [`${one.name} is as its files say now`] : [];
    }),
  );
  return [...compared.flat(), ...added, ...removed];
}
