// Who reads a long result for another: an agent of ours, on the models of the one that calls or on those named for it.

import type { Agent } from '../agent.ts';
import { defaultSettings } from '../defaults.ts';
import { AgentError } from '../errors.ts';
import { runInsideWith } from '../inside-session.ts';
import type { MakeSession } from '../session-config.ts';
import type { Tool, ToolContext, WorkingCaller } from '../tool.ts';
import { toolOutputName } from '../tool-names.ts';

export interface Reading {
  readonly text: string;
  /** What is looked for, in words. */
  readonly extract: string;
  readonly context: ToolContext;
  readonly make: MakeSession;
}

export interface Reader {
  readonly instructions: string;
  /** @default 2: an empty reply is sent back once */
  readonly maxTurns?: number;
  readonly tools?: readonly Tool[];
}

/** The answer; throws when there is none. What it says when a limit cut it is still an answer. */
export async function askReader({ context, make }: Reading, reader: Reader, prompt: string): Promise<Answer> {
  const result = await runInsideWith(make, toAgent(context.caller, reader), prompt, { context });
  if (result.failure) throw new AgentError('tool-failed', result.failure.message, { class: result.failure.class });
  const limit = result.session?.limit;
  if (result.text.trim() !== '') return { text: result.text, ...(limit === undefined ? {} : { limit }) };
  throw new AgentError('tool-failed', 'It said nothing.');
}

export interface Answer {
  readonly text: string;
  /** What cut it. */
  readonly limit?: string;
}

export function modelsOf({ models, toolOutput }: WorkingCaller): WorkingCaller['models'] {
  return toolOutput?.models ?? models;
}

function toAgent(caller: WorkingCaller, { instructions, maxTurns = 2, tools = [] }: Reader): Agent {
  const { maxToolCallsPerTurn, maxParallel, maxRetries, llmTimeoutMs, toolTimeoutMs, maxToolOutputBytes } =
    caller.limits;
  const { contextWindowTokens, contextBufferTokens } = caller.limits;
  const calls = { maxToolCallsPerTurn, maxParallel, toolTimeoutMs, maxToolOutputBytes };
  return {
    name: toolOutputName,
    description: 'Reads a long result for the agent that calls.',
    instructions,
    model: modelsOf(caller),
    tools,
    settings: settingsFor(caller),
    limits: { maxTurns, maxRetries, llmTimeoutMs, contextWindowTokens, contextBufferTokens, ...calls },
    // Nothing is kept of what was kept already.
    toolOutput: { enabled: false },
  };
}

/** Models of its own get what every model gets; those of the caller what it sends them, without what ends its answers. */
function settingsFor({ settings, toolOutput }: WorkingCaller): NonNullable<Agent['settings']> {
  if (toolOutput?.models) return {};
  const { stopSequences: _stopSequences, ...kept } = settings;
  // What the caller took away is not sent here either.
  const unset = Object.keys(defaultSettings).map((key) => [key, null] as const);
  return { ...Object.fromEntries(unset), ...kept };
}
