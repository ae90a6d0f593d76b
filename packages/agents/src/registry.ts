// The agents of one process: found, loaded children first, checked as a whole. Running one is a session's business.

import { asTool, type SessionTool } from '@ai-agent/core';
import type { LoadedAgent } from './loaded-agent.ts';
import { Loader } from './loader.ts';
import { type Problem, toError, withoutRepeats } from './problem.ts';
import type { World } from './world.ts';

export class SubagentRegistry {
  /** Those named at the top, in their order. Their sub-agents are not exposed. */
  readonly agents: readonly LoadedAgent[];
  /** Every file that was looked into, sub-agents included. */
  readonly files: readonly string[];
  /** The same with everything else that was looked for: configurations, what a prompt includes; also what is not there. */
  readonly sought: readonly string[];
  /** Files, folders or globs that were asked for, each from its folder. */
  readonly wanted: Loader['wanted'];
  /** Of all files at once, each told once. */
  readonly problems: readonly Problem[];

  private constructor(agents: readonly LoadedAgent[], { files, problems, wanted }: Loader) {
    this.agents = agents;
    this.files = files;
    this.sought = [...problems.sought];
    this.wanted = wanted;
    this.problems = withoutRepeats(problems.all);
  }

  /** Files, folders or globs; without any, those that the configuration names. Never throws for what a file says. */
  static async load(entries: readonly string[], world: World): Promise<SubagentRegistry> {
    const loader = new Loader(world);
    const agents = await loader.loadAll(entries);
    return new SubagentRegistry(agents, loader);
  }

  get hasErrors(): boolean {
    return this.problems.some(({ severity }) => severity === 'error');
  }

  /** By its name; throws what is wrong with the files when something is. */
  get(name: string): LoadedAgent | undefined {
    if (this.hasErrors) throw toError(this.problems);
    return this.agents.find((one) => one.name === name) ?? this.agents.find(({ agent }) => agent.name === name);
  }

  /** The same agents as tools of another one. */
  tools(): readonly SessionTool[] {
    if (this.hasErrors) throw toError(this.problems);
    return this.agents.map(({ agent, session: { envOverlay } }) => asTool(agent, { envOverlay }));
  }
}
