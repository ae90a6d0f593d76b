// A session that a tool runs during its work: below the call in every record, and on the books of its tree.

import type { Agent } from './agent.ts';
import type { EnvOverlay } from './env.ts';
import type { FilePart, Message } from './message.ts';
import { runBelow } from './run-below.ts';
import { AIAgentSession } from './session.ts';
import type { ToolContext } from './tool.ts';
import type { ToolResult } from './tool-result.ts';

export interface RunInsideOptions {
  /** Of the call that runs it. */
  readonly context: Pick<ToolContext, 'caller' | 'env'>;
  /** An earlier conversation to go on with. */
  readonly history?: readonly Message[];
  /** Pictures and files that go with the prompt. */
  readonly attachments?: readonly FilePart[];
  /** The variables that it may see. @default those of the session that calls */
  readonly envOverlay?: EnvOverlay;
}

/**
 * What it came to. A session that goes badly is a failed result, one that asks somebody too: nobody goes on with it.
 * Rejects when the call itself was ended. `context.caller.models` are the models of the agent that calls.
 */
export function runInside(agent: Agent, prompt: string, options: RunInsideOptions): Promise<ToolResult> {
  const { context, history, attachments, envOverlay = context.env } = options;
  const { caller } = context;
  const more = { ...(history ? { history } : {}), ...(attachments ? { attachments } : {}) };
  return runBelow({ call: { ...caller.inside.call, args: {} }, caller }, () => ({
    session: new AIAgentSession({ agent, envOverlay, ...more }),
    prompt,
  }));
}
