// An agent as a server knows it: its name outside, and what a session of it is given.

import type { Agent, AIAgentSessionConfig, Ports } from '@ai-agent/core';

/** What `loadAgent` gives fits. */
export interface ServedAgent {
  /** What it is called outside: in paths, and as the name of a model or a tool. */
  readonly name: string;
  readonly agent: Agent;
  /** What a session of it is given beside the agent. @default nothing */
  readonly session?: ServedSettings;
  /** Its file on this machine: whoever goes on with its sessions without a server loads that. Clients are never told. @default nobody knows */
  readonly source?: string;
  /** An example of what to ask. */
  readonly usage?: string | undefined;
  /** A prompt for it with the date and the like filled in. @default the prompt as it is */
  readonly fillPrompt?: (text: string, now: number) => string;
  /** The frontmatter of its file with every option and what holds, for who makes another. @default it has none */
  readonly template?: () => string;
  /** Called when a session of it begins; what it gives is called when that has ended. @default nobody is told */
  readonly hold?: () => () => void;
}

export interface ServedSettings extends Pick<AIAgentSessionConfig, 'envOverlay'> {
  /** In the place of the server's. */
  readonly ports?: Partial<Ports>;
}

/** Names under `/v1` that are no agents. */
export const reservedNames: readonly string[] = ['sessions', 'models', 'chat', 'completions', 'responses', 'messages'];
