// The library as embedders use it: core's session, with the real world already handed in.

import {
  type Agent,
  type AIAgentSessionConfig as CoreConfig,
  AIAgentSession as CoreSession,
  isObject,
  type JsonObject,
  type Outcome,
  type Ports,
} from '@ai-agent/core';
import { defaultPorts } from './platform.ts';

export interface AIAgentSessionConfig extends Omit<CoreConfig, 'ports'> {
  /** What you hand in replaces ours; the rest is this process: its clock, random ids, and offline/demo. */
  readonly ports?: Partial<Ports>;
}

export class AIAgentSession extends CoreSession {
  constructor(config: AIAgentSessionConfig) {
    super(withPorts(config));
  }
}

/** What is no object goes on as it is: core says what is wrong with it. */
function withPorts(config: AIAgentSessionConfig): CoreConfig {
  const ports = config?.ports;
  if (!isObject(config) || (ports !== undefined && !isObject(ports))) return config as CoreConfig;
  return { ...config, ports: { ...defaultPorts(), ...ports } } as CoreConfig;
}

/** Sugar: one prompt to one agent, and its outcome. */
export async function ask(
  agent: Agent,
  prompt: string | JsonObject,
  options: Omit<AIAgentSessionConfig, 'agent'> = {},
): Promise<Outcome> {
  return new AIAgentSession({ ...options, agent }).run(prompt).outcome;
}
