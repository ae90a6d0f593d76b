// An agent as a tool: its work is a session one level down, and nobody above can tell.

import type { Scope } from './abort.ts';
import { type Agent, checkAgent } from './agent.ts';
import { toAgentInput } from './agent-input.ts';
import { AgentError } from './errors.ts';
import type { JsonObject, JsonSchema } from './json.ts';
import type { OutputContract } from './model.ts';
import type { Outcome } from './outcome.ts';
import type { EnvOverlay } from './ports.ts';
import { AIAgentSession, type SessionCall } from './session.ts';
import { head } from './text.ts';
import { type Caller, type SessionTool, type ToolOutput, thrownResult, toToolResult } from './tool.ts';
import { agentToolName } from './tool-names.ts';
import type { SessionResult, ToolResult } from './tool-result.ts';

/** A tool that runs a session of the embedder's making for every call. */
export interface AgentTool {
  readonly name: string;
  readonly description: string;
  /** Of the arguments. @default text, or data, or anything */
  readonly inputSchema?: JsonSchema;
  /** A new session for this call, with whatever state of its own. */
  createSession(args: JsonObject, parent: ParentContext): AIAgentSession | Promise<AIAgentSession>;
  /** What the session is asked. @default the text, the JSON, or all arguments as JSON */
  toPrompt?(args: JsonObject): string;
  /** What the caller's model gets. @default the report */
  mapResult?(outcome: Outcome): ToolOutput | Promise<ToolOutput>;
}

/** What a session below may know of its caller. Read-only. */
export interface ParentContext {
  readonly originId: string;
  readonly sessionId: string;
  readonly agentName: string;
  readonly callPath: string;
  readonly depth: number;
  readonly signal: AbortSignal;
}

export interface AsToolOptions {
  /** The variables its sessions may see. Nothing is inherited from the caller. @default {} */
  readonly envOverlay?: EnvOverlay;
}

/** Any agent as a tool of any other: a fresh session for every call. */
export function asTool(agent: Agent, { envOverlay = {} }: AsToolOptions = {}): SessionTool {
  checkAgent(agent);
  if (!agent.description)
    throw new AgentError('agent-invalid', `agent ${agent.name}: description is missing; callers choose it by that`);
  const label = agent.toolName ?? agent.name;
  const input = toAgentInput(agent.input ?? { format: 'text' }, { offersFormat: true });
  return {
    name: agentToolName(label),
    description: agent.description,
    inputSchema: input.schema,
    identity: { namespace: 'agent', tool: label },
    operation: 'session',
    titleFrom: input.titleFrom,
    startSession(call, caller) {
      return runBelow({ call, caller }, () => {
        const { prompt, format } = input.read(call.args);
        const output = outputAsked(agent, format);
        return { session: new AIAgentSession({ agent, envOverlay, ...(output ? { output } : {}) }), prompt };
      });
    },
  };
}

/** The same for a session that the embedder makes. */
export function agentTool(definition: AgentTool): SessionTool {
  const { inputSchema: schema } = definition;
  // The session is of the embedder's making, its output contract too: callers are not offered a choice.
  const input = toAgentInput(schema ? { format: 'json', schema } : { format: 'text' }, { offersFormat: false });
  return {
    name: agentToolName(definition.name),
    description: definition.description,
    inputSchema: input.schema,
    identity: { namespace: 'agent', tool: definition.name },
    operation: 'session',
    titleFrom: input.titleFrom,
    startSession(call, caller) {
      const make = async () => {
        const { args, prompt } = input.read(call.args);
        const session = await definition.createSession(args, toParentContext(caller));
        return { session, prompt: definition.toPrompt?.(args) ?? prompt };
      };
      return runBelow({ call, caller }, make, definition.mapResult);
    },
  };
}

/** One call: makes the session, runs it below its caller, and turns its outcome into a result. */
async function runBelow(
  below: SessionCall,
  makeSession: () => Promise<Made> | Made,
  mapResult: AgentTool['mapResult'] = toOutput,
): Promise<ToolResult> {
  const { scope } = below.caller;
  try {
    const { session, prompt } = await scope.race(Promise.resolve(makeSession()));
    const outcome = await session.run(prompt, below).outcome;
    // A cancelled caller must not go on; a session that was cancelled by itself is only a failed call.
    scope.throwIfAborted();
    return { ...(await mapped(scope, () => mapResult(outcome))), session: toRecord(session, outcome) };
  } catch (error) {
    scope.throwIfAborted();
    return thrownResult(error);
  }
}

/** A mapper that throws has failed the call; what its session used stays on the record. */
async function mapped(scope: Scope, map: () => ToolOutput | Promise<ToolOutput>): Promise<ToolResult> {
  try {
    return toToolResult(await scope.race((async () => map())()));
  } catch (error) {
    scope.throwIfAborted();
    return thrownResult(error);
  }
}

interface Made {
  readonly session: AIAgentSession;
  readonly prompt: string;
}

function toRecord(session: AIAgentSession, outcome: Outcome): SessionResult {
  const { sessionId: id, status, usage, startedAt, endedAt } = outcome;
  const limit = status === 'partial' ? { limit: outcome.limit } : {};
  return { id, agentName: session.config.agent.name, status, usage, latencyMs: endedAt - startedAt, ...limit };
}

/** What the caller's model gets of an outcome. Nothing that was produced is lost, and no ending is dressed up. */
function toOutput(outcome: Outcome): ToolOutput {
  if (outcome.status === 'failed' || outcome.status === 'cancelled') {
    return { type: 'failure', failure: outcome.failure, text: outcome.text };
  }
  const summary = head(outcome.text.trim().split('\n', 1)[0] ?? '', 160);
  if (outcome.report === undefined) return { type: 'text', value: outcome.text, summary };
  return { type: 'json', value: outcome.report, summary };
}

/** A caller may ask for another form; an agent that has a JSON contract keeps its own schema. */
function outputAsked(agent: Agent, format: OutputContract['format'] | undefined): OutputContract | undefined {
  if (format === undefined || format === (agent.output?.format ?? 'text')) return undefined;
  return { format };
}

function toParentContext({ place, scope }: Caller): ParentContext {
  const { originId, id, depth, ancestry } = place;
  return {
    originId,
    sessionId: id,
    agentName: ancestry.at(-1) ?? '',
    callPath: ancestry.join(':'),
    depth,
    signal: scope.signal,
  };
}
