// The agents of one process: found, loaded children first, checked as a whole. A run of one is a new session.

import { join } from 'node:path';
import {
  AgentError,
  type AIAgentSessionConfig,
  ask,
  asTool,
  isObject,
  type JsonObject,
  type Outcome,
  type Ports,
  readCall,
  type SessionTool,
} from '@ai-agent/core';
import type { LoadedAgent } from './loaded-agent.ts';
import { Loader } from './loader.ts';
import { mergeMissing } from './missing-variables.ts';
import { type Problem, toError, withoutRepeats } from './problem.ts';
import type { World } from './world.ts';

/** Options of a session that `run` starts; its agent and the variables come from the registry. */
export interface RegistryRunOptions extends Omit<AIAgentSessionConfig, 'agent' | 'envOverlay' | 'ports'> {
  readonly ports?: Partial<Ports>;
}

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
  readonly #ask: typeof ask;

  private constructor(
    agents: readonly LoadedAgent[],
    { files, problems, wanted }: Loader,
    { cwd, ask: askAgent = ask }: World,
  ) {
    this.#ask = askAgent;
    this.agents = agents;
    this.files = files;
    this.sought = [...problems.sought];
    this.wanted = wanted;
    this.problems = mergeMissing(withoutRepeats(problems.all), join(cwd, '.ai-agent.env'));
  }

  /** Files, folders or globs; without any, those that the configuration names. Never throws for what a file says. */
  static async load(entries: readonly string[], world: World): Promise<SubagentRegistry> {
    const loader = new Loader(world);
    const agents = await loader.loadAll(entries);
    return new SubagentRegistry(agents, loader, world);
  }

  get hasErrors(): boolean {
    return this.problems.some(({ severity }) => severity === 'error');
  }

  /** By its name; throws what is wrong with the files when something is. */
  get(name: string): LoadedAgent | undefined {
    if (this.hasErrors) throw toError(this.problems);
    return this.#find(name);
  }

  /** True if an agent of this name was loaded without errors. Never throws. */
  has(name: string): boolean {
    return this.#find(name) !== undefined;
  }

  /**
   * Runs an agent in a new session. `args` are the arguments of a tool call, or the prompt as text. Rejects for an unknown name,
   * and when something is wrong with the files. A failed run resolves with a failed outcome.
   */
  async run(name: string, args: JsonObject | string, options: RegistryRunOptions = {}): Promise<Outcome> {
    const loaded = this.get(name);
    if (!loaded) throw this.#unknown(name);
    const { agent, session } = loaded;
    if (typeof args !== 'string') checkArguments(args);
    const { prompt, ...output } = typeof args === 'string' ? { prompt: args } : readCall(agent, args);
    // Ports that are missing here come from the caller of `ask`.
    const ports = { ...session.ports, ...options.ports } as Ports;
    return this.#ask(agent, prompt, { ...output, ...options, envOverlay: session.envOverlay, ports });
  }

  #find(name: string): LoadedAgent | undefined {
    return this.agents.find((one) => one.name === name) ?? this.agents.find(({ agent }) => agent.name === name);
  }

  #unknown(name: string): AgentError {
    const names = this.agents.map((one) => one.name);
    const known = names.length === 0 ? 'The registry is empty.' : `Known agents: ${names.join(', ')}.`;
    return new AgentError('agent-unknown', `There is no agent ${name} in this registry. ${known}`, {
      remedy: 'Use a known name, or load the file of the agent.',
    });
  }

  /** The same agents as tools of another one. */
  tools(): readonly SessionTool[] {
    if (this.hasErrors) throw toError(this.problems);
    return this.agents.map(({ agent, session: { envOverlay } }) => asTool(agent, { envOverlay }));
  }
}

/** A tool call has the handle of a question in its arguments; a run has it in its options. */
function checkArguments(args: unknown): void {
  if (!isObject(args))
    throw new AgentError('session-input-invalid', 'The arguments of a registry run must be an object or a text.', {
      remedy: "Pass the arguments of a tool call, such as { text: 'Hello' }, or the prompt itself.",
    });
  if (typeof args.resume !== 'string') return;
  throw new AgentError('session-input-invalid', 'The arguments of a registry run cannot have resume.', {
    remedy: 'Set options.resume to the handle, and pass the answer as args.',
  });
}
