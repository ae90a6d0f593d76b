// An agent as a tool: its work is a session one level down, and nobody above can tell.

import { type Agent, checkAgent, levelsOf, mayAsk, sharesWorkspace } from './agent.ts';
import { type AgentInput, anyText, toAgentInput } from './agent-input.ts';
import { idOf } from './agent-key.ts';
import { checkEnvOverlay } from './check-config.ts';
import { checkFields, checkKeys, type FieldType, isWholeFrom, wrongField } from './complaint.ts';
import { defaultLimits } from './defaults.ts';
import type { EnvOverlay } from './env.ts';
import { AgentError } from './errors.ts';
import { inTime, inWords } from './in-time.ts';
import { isObject, type JsonObject, type JsonSchema } from './json.ts';
import type { OutputContract } from './model.ts';
import type { Outcome } from './outcome.ts';
import { resultOf } from './partners.ts';
import { toDependency } from './response-cache.ts';
import { runBelow } from './run-below.ts';
import { AIAgentSession } from './session.ts';
import type { Caller, SessionTool, ToolOutput } from './tool.ts';
import { agentToolName } from './tool-names.ts';

/** A tool that runs a session of the embedder's making for every call. */
export interface AgentTool {
  readonly name: string;
  readonly description: string;
  /** Of the arguments. @default text, or data, or anything */
  readonly inputSchema?: JsonSchema;
  /** Time at work for one call; then the session ends with what it has. @default what its budgets leave */
  readonly timeoutMs?: number;
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

/** Any agent as a tool of any other: a session for every call, held as the agent says. */
export function asTool(agent: Agent, options: AsToolOptions = {}): SessionTool {
  checkAgent(agent);
  checkOptions('asTool', agent, options);
  const { envOverlay = {} } = options;
  if (!agent.description)
    throw new AgentError('agent-invalid', `agent ${agent.name}: description is missing; callers choose it by that`);
  const label = agent.toolName ?? agent.name;
  const input = inputOf(agent);
  const tool: SessionTool = {
    name: agentToolName(label),
    description: agent.description,
    inputSchema: input.schema,
    identity: { namespace: 'agent', tool: label },
    operation: 'session',
    titleFrom: input.titleFrom,
    agentName: agent.name,
    agentId: idOf(agent),
    levels: 1 + levelsOf(agent),
    sharesWorkspace: sharesWorkspace(agent),
    mayAsk: mayAsk(agent),
    isKept: agent.hold === 'kept',
    dependsOn: () => toDependency(agent, envOverlay),
    startSession(call, caller) {
      const pool = typeof agent.hold === 'object' ? { pool: caller.run.poolOf(tool, agent.hold.pool) } : {};
      return runBelow({ call, caller, ...pool }, ({ args, history = [] }) => {
        const { prompt, ...output } = readCall(agent, args, input);
        return { session: new AIAgentSession({ agent, envOverlay, history, ...output }), prompt };
      });
    },
  };
  return tool;
}

function inputOf(agent: Agent): AgentInput {
  return toAgentInput(agent.input ?? { format: 'text' }, {
    offers: ['reason', 'format', ...(agent.ask === undefined ? [] : (['resume'] as const))],
    words: anyText(agent.usage),
  });
}

/** Prompt of a call with these arguments, and an output contract if the caller names another format. */
export function readCall(
  agent: Agent,
  args: JsonObject,
  input = inputOf(agent),
): { readonly prompt: string; readonly output?: OutputContract } {
  const { prompt, format } = input.read(args);
  const output = outputAsked(agent, format);
  return { prompt, ...(output ? { output } : {}) };
}

/** The same for a session that the embedder makes. */
export function agentTool(definition: AgentTool): SessionTool {
  checkDefinition(definition);
  const { inputSchema: schema, timeoutMs } = definition;
  // The session is of the embedder's making, its output contract too: callers are not offered a choice.
  const input = toAgentInput(schema ? { format: 'json', schema } : { format: 'text' }, { offers: ['reason'] });
  return {
    name: agentToolName(definition.name),
    description: definition.description,
    inputSchema: input.schema,
    identity: { namespace: 'agent', tool: definition.name },
    operation: 'session',
    titleFrom: input.titleFrom,
    startSession(call, caller) {
      const budget = timeoutMs === undefined ? {} : { budget: { timeMs: timeoutMs } };
      const make = async ({ args: all }: { readonly args: JsonObject }) => {
        const { args, prompt } = input.read(all);
        const session = await createInTime(definition, caller, args);
        return { session, prompt: definition.toPrompt?.(args) ?? prompt };
      };
      return runBelow({ call, caller, ...budget }, make, definition.mapResult);
    },
  };
}

/** Making a session is part of the call, and has no more time than that. */
async function createInTime(definition: AgentTool, caller: Caller, args: JsonObject): Promise<AIAgentSession> {
  const { name, timeoutMs: durationMs = defaultLimits.toolTimeoutMs } = definition;
  const { scope, run } = caller;
  const late = () =>
    new AgentError('tool-timeout', `The session of ${name} was not made within ${inWords(durationMs)}.`);
  return inTime({ clock: run.ports.clock, durationMs, scope, late, endsOn: 'stop' }, async () =>
    definition.createSession(args, toParentContext(caller)),
  );
}

export function checkOptions(maker: string, { name }: Agent, options: unknown): void {
  const owner = {
    name: `${maker} of ${name}`,
    remedy: `Correct the options of ${maker}; the message names the field.`,
  };
  if (!isObject(options)) throw wrongField(owner, 'the second argument', options, 'an object of options');
  checkKeys(owner, options, ['envOverlay']);
  checkEnvOverlay(owner, options.envOverlay);
}

const agentToolTypes: Readonly<Record<keyof AgentTool, FieldType>> = {
  name: 'text',
  description: 'text',
  inputSchema: 'object',
  timeoutMs: 'number',
  createSession: 'function',
  toPrompt: 'function',
  mapResult: 'function',
};

function checkDefinition(definition: unknown): void {
  const given = isObject(definition) ? definition : {};
  const { name, description, createSession, timeoutMs } = given;
  const owner = {
    name: `agentTool ${String(name)}`,
    remedy: 'Correct what agentTool was given; the message names the field.',
  };
  if (given !== definition) throw wrongField(owner, 'the definition', definition, 'an object');
  checkFields(owner, given, agentToolTypes);
  if (!name) throw wrongField(owner, 'name', name, 'text');
  if (!description) throw wrongField(owner, 'description', description, 'text; callers choose it by that');
  if (!createSession) throw wrongField(owner, 'createSession', createSession, 'a function');
  if (timeoutMs !== undefined && !isWholeFrom(1, timeoutMs))
    throw wrongField(owner, 'timeoutMs', timeoutMs, 'a whole number from 1');
}

/** A caller may ask for another form; an agent that has a JSON contract keeps its own schema. */
function outputAsked(agent: Agent, format: unknown): OutputContract | undefined {
  if (!isFormat(format) || format === (resultOf(agent)?.format ?? 'text')) return undefined;
  return { format };
}

function isFormat(value: unknown): value is OutputContract['format'] {
  return value === 'text' || value === 'markdown' || value === 'json';
}

function toParentContext({ place, scope }: Caller): ParentContext {
  const { originId, id, depth, ancestry } = place;
  return {
    originId,
    sessionId: id,
    agentName: ancestry.at(-1) ?? '',
    callPath: ancestry.join(':'),
    depth,
    get signal() {
      return scope.signal;
    },
  };
}
