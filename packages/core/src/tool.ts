// What a tool is: a name, a schema, and work. It has no kind, and nobody asks where it comes from.

import type { Scope } from './abort.ts';
import { checkFields, type FieldType, type Owner, wrongField } from './complaint.ts';
import type { Limits } from './defaults.ts';
import type { EnvOverlay } from './env.ts';
import { AgentError, type Failure, type FailureClass, toFailure } from './errors.ts';
import type { Inside } from './inside.ts';
import { isObject, type Json, type JsonSchema } from './json.ts';
import type { FilePart, Message } from './message.ts';
import type { Middleware } from './middleware.ts';
import type { ModelRef, ModelSettings } from './model.ts';
import type { ToolCall } from './operation.ts';
import type { ToolOutputSetting } from './output-setting.ts';
import type { PartnerRole, Place } from './place.ts';
import type { Question } from './question.ts';
import type { ToolCaching } from './result-cache.ts';
import type { Run } from './run.ts';
import { checkSchema } from './schema.ts';
import type { Texts } from './texts.ts';
import type { ToolQueue } from './tool-queue.ts';
import type { ToolResult } from './tool-result.ts';
import type { Trace } from './trace.ts';

export interface ToolDefinition {
  readonly name: string;
  readonly description?: string;
  /** Appended to the system prompt of every agent that has this tool. */
  readonly instructions?: string;
  /** JSON Schema of the arguments; its root is an object. */
  readonly inputSchema: JsonSchema;
  // biome-ignore lint/suspicious/noExplicitAny: arguments were validated against inputSchema; defineTool gives them a type.
  execute(args: any, context: ToolContext): ToolOutput | Promise<ToolOutput>;
  /** A label for logs and ledgers; by default the name. */
  readonly identity?: { readonly namespace: string; readonly tool: string };
  /** Time of one call, from when it begins. @default the agent's toolTimeoutMs */
  readonly timeoutMs?: number;
  /** Whether it only looks. For people and for layers. @default false */
  readonly readOnly?: boolean;
  /** Whether calling it twice is the same as once. For people and for layers. @default false */
  readonly idempotent?: boolean;
  /** Whether a person has to approve each call. @default false */
  readonly needsApproval?: boolean;
  /** The row in front of it, shared with whoever else calls it. Waiting there is nobody's time. @default none */
  readonly queue?: ToolQueue;
  /** For how long an answer is given again to the same arguments. Failures never are. @default not at all */
  readonly cache?: ToolCaching;
  /** Whether models are told of it only when a layer offers it. @default false */
  readonly isHidden?: boolean;
  /** Whether a call is a question, which somebody answers instead of the tool. @default false */
  readonly isQuestion?: boolean;
  /** Whether the session is over with a call of it: then it is offered in the last turn too. @default false */
  readonly endsSession?: boolean;
  /** Whether whoever asked runs it: see `clientTool`. @default false */
  readonly isClientTool?: boolean;
}

/** A tool whose work is a session one level down. Made by `asTool` and `agentTool`. */
export interface SessionTool extends Omit<ToolDefinition, 'execute'> {
  readonly operation: 'session';
  /** The argument that becomes the title of a call. */
  readonly titleFrom: string;
  /** The agent that runs, when it is always the same. */
  readonly agentName?: string;
  /** Its id. @default its name */
  readonly agentId?: string;
  /** Levels of sessions that its agent's own tools may need, itself included. */
  readonly levels?: number;
  /** Whether its agent, or one below it, shares the workspace of the run. @default false */
  readonly sharesWorkspace?: boolean;
  /** Whether it, or somebody below it, may ask before it goes on. @default false */
  readonly mayAsk?: boolean;
  /** Whether each call goes on with the conversation of the one before. @default false */
  readonly isKept?: boolean;
  /** All that its sessions depend on beside a call, for whoever keeps answers; nothing when it cannot be told. May hold secrets. */
  dependsOn?(): string | undefined;
  /** What its agent is to the one that calls, when it works on the same request. @default a sub-agent */
  readonly partner?: PartnerRole;
  /** Runs the session to its end; never rejects because it went badly. */
  startSession(call: ToolCall, caller: Caller): Promise<ToolResult>;
}

export type Tool = ToolDefinition | SessionTool;

/** The session that calls, as the one below needs it. */
export interface Caller {
  readonly run: Run;
  readonly place: Place;
  readonly scope: Scope;
  readonly inherited: Inherited;
  /** The conversation of the call before, for a child that is kept; what was said before the request, for a partner. */
  readonly history?: readonly Message[];
  /** What came with the request, for a partner. */
  readonly attachments?: readonly FilePart[];
  /** The call whose work the session is run in, when it is not the work itself. */
  readonly inside?: Inside;
}

/** The session that calls, for a tool that runs sessions during its work. */
export interface WorkingCaller extends Caller {
  readonly inside: Inside;
  /** What the calling agent thinks with, in the order they are tried. */
  readonly models: readonly ModelRef[];
  /** What its models are sent with each request. */
  readonly settings: ModelSettings;
  readonly limits: Limits;
  /** What is said in its conversations. */
  readonly texts: Texts;
  /** How it has long results read again; missing when it says nothing of that. */
  readonly toolOutput?: ToolOutputSetting | undefined;
}

/** What sessions below get too. */
export interface Inherited {
  readonly middleware: readonly Middleware[];
  readonly texts: Partial<Texts>;
  /** Whether somebody above counts money: then every price must be known. */
  readonly isMoneyCounted: boolean;
}

export interface ToolContext {
  /** Aborted when the call is cancelled: hand it on to whatever the tool waits for. */
  readonly signal: AbortSignal;
  readonly trace: Trace;
  /** The session's own variables. */
  readonly env: EnvOverlay;
  /** The most that reaches the model; what is longer is cut and kept. */
  readonly maxOutputBytes: number;
  /** Tells live watchers how far the work is; may be lost. */
  progress(text: string): void;
  /** A result of this tree that was too long, by its handle. */
  readOutput(handle: string): Promise<string | undefined>;
  /**
   * Asks the person who answers for this run, in the middle of the work. Nothing when nobody is there. The time of waiting is
   * nobody's. Rejects when no answer comes that fits.
   */
  ask(question: ToolQuestion): Promise<Json | undefined>;
  /** For a tool that has to run sessions during its work: see `runInside`. */
  readonly caller: WorkingCaller;
}

export type ToolQuestion = Pick<Question, 'text' | 'choices' | 'schema'>;

export type ToolOutput = string | TextOutput | JsonOutput | FailureOutput;

export interface TextOutput {
  readonly type: 'text';
  readonly value: string;
  readonly summary?: string;
  /** Pictures and the like, for models that take them. */
  readonly files?: readonly FilePart[];
}

export interface JsonOutput {
  readonly type: 'json';
  readonly value: unknown;
  readonly summary?: string;
  readonly files?: readonly FilePart[];
}

/** Made by `fail`. */
export interface FailureOutput {
  readonly type: 'failure';
  readonly failure: Failure;
  /** What was produced before it went wrong. */
  readonly text?: string;
}

/** Tools that are not known before a session opens. */
export interface ToolSource {
  list(context: SourceContext): Promise<readonly Tool[]> | readonly Tool[];
  close?(): Promise<void> | void;
}

export interface SourceContext {
  readonly env: EnvOverlay;
  readonly signal: AbortSignal;
  /** Whether a person answers for the run while it goes on: see `ToolContext.ask`. */
  readonly isAttended: boolean;
  /** Takes a secret that the source came to know: nothing of the tree shows it from now on. */
  readonly hide: (secret: string) => void;
}

/** Makes a source of its own for each session, which closes it. A plain ToolSource is shared, and its owner closes it. */
export type ToolSourceFactory = (context: SourceContext) => ToolSource;

export type ToolOffer = Tool | ToolSource | ToolSourceFactory;

/** Checks a definition early, and types its arguments; the tool itself is plain data. */
export function defineTool<Args = Record<string, unknown>>(
  tool: Omit<ToolDefinition, 'execute'> & {
    execute(args: Args, context: ToolContext): ToolOutput | Promise<ToolOutput>;
  },
): ToolDefinition {
  checkTool(tool);
  return tool;
}

/** What an agent or a session is given as tools. The tools themselves are checked when they are all there. */
export function checkOffers(owner: Owner, offers: unknown): void {
  if (offers === undefined) return;
  if (!Array.isArray(offers)) throw wrongField(owner, 'tools', offers, 'a list of tools');
  const wrong = offers.findIndex((offer) => !isObject(offer) && typeof offer !== 'function');
  if (wrong >= 0) throw wrongField(owner, `tools[${wrong}]`, offers[wrong], 'a tool, or a source of tools');
}

// Only remembers whose fields were found right.
const checked = new WeakSet<Tool>();

/** Throws `agent-invalid` or `schema-invalid`. */
export function checkTool(tool: Tool): void {
  const problem = problemOf(tool);
  if (problem)
    throw new AgentError('agent-invalid', `The tool ${JSON.stringify(tool?.name)} ${problem}.`, { remedy: toolRemedy });
  if (!checked.has(tool)) {
    const owner = { name: `tool ${tool.name}`, remedy: toolRemedy };
    checkFields(owner, tool, fieldTypes);
    if (tool.identity) checkFields(owner, tool.identity, { namespace: 'text', tool: 'text' }, 'identity.');
    checkGuards(owner, tool);
    if ('startSession' in tool && tool.operation !== 'session')
      throw wrongField(owner, 'operation', tool.operation, '"session"');
    checked.add(tool);
  }
  // What a client brings is compiled nowhere: it is much, new with every request, and judged by who runs it.
  if (!tool.isClientTool) checkSchema(tool.inputSchema, `inputSchema of tool ${tool.name}`);
}

function checkGuards(owner: Owner, { queue, cache }: Tool): void {
  if (queue && typeof queue.enter !== 'function')
    throw wrongField(owner, 'queue.enter', queue.enter, 'a function that waits for the turn of a call');
  if (!cache) return;
  checkFields(owner, cache, { key: 'text', ttlMs: 'number' }, 'cache.');
  if (cache.key === undefined) throw wrongField(owner, 'cache.key', cache.key, 'text');
  if (!(cache.ttlMs > 0)) throw wrongField(owner, 'cache.ttlMs', cache.ttlMs, 'a number of milliseconds above 0');
}

const toolRemedy = 'Correct the definition of this tool; the message names the field.';

const fieldTypes: Readonly<Record<keyof ToolDefinition | keyof SessionTool, FieldType>> = {
  name: 'text',
  description: 'text',
  instructions: 'text',
  inputSchema: 'object',
  execute: 'function',
  identity: 'object',
  timeoutMs: 'number',
  readOnly: 'boolean',
  idempotent: 'boolean',
  needsApproval: 'boolean',
  queue: 'object',
  cache: 'object',
  isHidden: 'boolean',
  isQuestion: 'boolean',
  endsSession: 'boolean',
  isClientTool: 'boolean',
  operation: 'text',
  titleFrom: 'text',
  agentName: 'text',
  agentId: 'text',
  levels: 'number',
  sharesWorkspace: 'boolean',
  mayAsk: 'boolean',
  isKept: 'boolean',
  dependsOn: 'function',
  partner: 'text',
  startSession: 'function',
};

function problemOf(tool: Tool): string | undefined {
  if (!isObject(tool)) return 'is not a tool';
  if (typeof tool.name !== 'string' || tool.name === '') return 'has no name';
  if ('instructions' in tool && 'model' in tool) return 'is an agent: wrap it in asTool(…)';
  if (typeof ('startSession' in tool ? tool.startSession : tool.execute) !== 'function')
    return 'has no execute function';
  if (!isObject(tool.inputSchema)) return 'has no inputSchema';
  if (tool.timeoutMs !== undefined && !(Number.isInteger(tool.timeoutMs) && tool.timeoutMs > 0))
    return 'needs a timeoutMs that is a whole number from 1';
  const { type = 'object' } = tool.inputSchema;
  return type === 'object' ? undefined : `needs an inputSchema of type object, not ${JSON.stringify(type)}`;
}

export interface FailOptions {
  /** @default 'tool' */
  readonly class?: FailureClass;
  readonly remedy?: string;
  readonly retryable?: boolean;
  /** What was produced before it went wrong; the model gets it too. */
  readonly text?: string;
}

/** The answer of a tool that could not do it: say what was wrong, and what would be right. */
export function fail(message: string, options: FailOptions = {}): FailureOutput {
  const { text, ...errorOptions } = options;
  const failure = toFailure(new AgentError('tool-failed', message, errorOptions));
  return { type: 'failure', failure, ...(text === undefined ? {} : { text }) };
}
