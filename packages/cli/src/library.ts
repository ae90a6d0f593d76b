// The library as embedders use it: core's session, with the real world already handed in.

import {
  type Agent,
  type AIAgentSessionConfig as CoreConfig,
  AIAgentSession as CoreSession,
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
  constructor({ ports, ...config }: AIAgentSessionConfig) {
    super({ ...config, ports: { ...defaultPorts(), ...ports } });
  }
}

/** Sugar: one prompt to one agent, and its outcome. */
export async function ask(
  agent: Agent,
  prompt: string | JsonObject,
  options: Omit<AIAgentSessionConfig, 'agent'> = {},
): Promise<Outcome> {
  return new AIAgentSession({ ...options, agent }).run(prompt).outcome;
}
