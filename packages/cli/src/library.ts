// The library as embedders use it: core's session, with the real world already handed in.

import {
  type Agent,
  type AIAgentSessionConfig as CoreConfig,
  AIAgentSession as CoreSession,
  isObject,
  type JsonObject,
  type Outcome,
  type Ports,
  type SessionRun,
} from '@ai-agent/core';
import { checkKeeping, type Keeping, runKept } from './kept-library.ts';
import { defaultPorts } from './platform.ts';

export interface AIAgentSessionConfig extends Omit<CoreConfig, 'ports'>, Keeping {
  /** What you hand in replaces ours; the rest is this process: its clock, random ids, and offline/demo. */
  readonly ports?: Partial<Ports>;
}

type Run = CoreSession['run'];

export class AIAgentSession extends CoreSession {
  readonly #keeping: Keeping;
  #isUsed = false;

  constructor(config: AIAgentSessionConfig) {
    super(withPorts(config));
    checkKeeping(config, config.agent.name);
    this.#keeping = keepingOf(config);
  }

  override run(...[prompt, below]: Parameters<Run>): SessionRun {
    const { store } = this.#keeping;
    // One that runs below another is written down with that.
    if (!store || below) return super.run(prompt, below);
    if (this.#isUsed) return super.run(prompt);
    this.#isUsed = true;
    const config = this.config as CoreConfig & { readonly ports: Ports };
    const make = (kept: CoreConfig) => new CoreSession(kept);
    return runKept({ config, keeping: { ...this.#keeping, store }, prompt, make });
  }
}

/** What is no object goes on as it is: core says what is wrong with it. */
function withPorts(config: AIAgentSessionConfig): CoreConfig {
  const ports = config?.ports;
  if (!isObject(config) || (ports !== undefined && !isObject(ports))) return config as CoreConfig;
  const { store: _store, session: _session, user: _user, onUnkept: _onUnkept, ...rest } = config;
  return { ...rest, ports: { ...defaultPorts(), ...ports } } as CoreConfig;
}

function keepingOf({ store, session, user, onUnkept }: AIAgentSessionConfig): Keeping {
  return {
    ...(store ? { store } : {}),
    ...(session === undefined ? {} : { session }),
    ...(user === undefined ? {} : { user }),
    ...(onUnkept ? { onUnkept } : {}),
  };
}

/** Sugar: one prompt to one agent, and its outcome. */
export async function ask(
  agent: Agent,
  prompt: string | JsonObject,
  options: Omit<AIAgentSessionConfig, 'agent'> = {},
): Promise<Outcome> {
  return new AIAgentSession({ ...options, agent }).run(prompt).outcome;
}
