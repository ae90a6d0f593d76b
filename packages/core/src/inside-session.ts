// How a session is run during the work of a tool, by whoever may make one.

import type { Agent } from './agent.ts';
import type { EnvOverlay } from './env.ts';
import type { FilePart, Message } from './message.ts';
import { runBelow } from './run-below.ts';
import type { MakeSession } from './session-config.ts';
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

export function runInsideWith(
  make: MakeSession,
  agent: Agent,
  prompt: string,
  options: RunInsideOptions,
): Promise<ToolResult> {
  const { context, history, attachments, envOverlay = context.env } = options;
  const { caller } = context;
  const more = { ...(history ? { history } : {}), ...(attachments ? { attachments } : {}) };
  return runBelow({ call: { ...caller.inside.call, args: {} }, caller }, () => ({
    session: make({ agent, envOverlay, ...more }),
    prompt,
  }));
}
