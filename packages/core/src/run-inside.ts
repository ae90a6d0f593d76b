// A session that a tool runs during its work: below the call in every record, and on the books of its tree.

import type { Agent } from './agent.ts';
import { type RunInsideOptions, runInsideWith } from './inside-session.ts';
import { AIAgentSession } from './session.ts';
import type { ToolResult } from './tool-result.ts';

/**
 * What it came to. A session that goes badly is a failed result, one that asks somebody too: nobody goes on with it.
 * Rejects when the call itself was ended. `context.caller.models` are the models of the agent that calls.
 */
export function runInside(agent: Agent, prompt: string, options: RunInsideOptions): Promise<ToolResult> {
  return runInsideWith((config) => new AIAgentSession(config), agent, prompt, options);
}
