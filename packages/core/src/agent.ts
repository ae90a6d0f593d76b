// What an agent is: a name, a prompt, a model, tools and contracts. Plain data; running it is a session's business.

import { checkLimit, checkSetting } from './agent-settings.ts';
import { type Budget, checkBudget } from './budget.ts';
import { checkMiddleware } from './check-middleware.ts';
import {
  checkFields,
  checkKeys,
  complaint,
  type FieldType,
  isWholeFrom,
  type Owner,
  show,
  wrongField,
} from './complaint.ts';
import { defaultLimits, defaultSettings, type Limits, mostLevels } from './defaults.ts';
import type { EnvOverlay } from './env.ts';
import { AgentError } from './errors.ts';
import { isObject, type JsonSchema } from './json.ts';
import type { Middleware } from './middleware.ts';
import type { ModelRef, ModelSettings, OutputContract } from './model.ts';
import { checkToolOutput, type ToolOutputSetting } from './output-setting.ts';
import { checkPartners, type Partner, partnersOf, type Router } from './partners.ts';
import { checkPermissions, type Permissions } from './permissions.ts';
import { checkPlugins, type ReportCompletionOf, type ReportPluginOf } from './report-plugin.ts';
import type { ResponseCaching } from './result-cache.ts';
import { checkSchema } from './schema.ts';
import { checkTexts, type Texts } from './texts.ts';
import { checkOffers, type ToolOffer } from './tool.ts';

export interface Agent {
  /** Letters, digits, dots, dashes and underscores. */
  readonly name: string;
  /**
   * Identity for the ledger and the cycle check: 1 to 64 letters, digits, dots, dashes or underscores. Two agents of one name in
   * one tree need different ids. An agent from a file has a hash of its path. @default its name
   */
  readonly id?: string;
  /** Path below the folder of its team, without extension: `research/kid`. Shown where two agents have one name. @default its name */
  readonly path?: string;
  /** A hash of the folder of its team. Tells agents of two teams apart whose files have equal paths. @default none */
  readonly team?: string;
  /** What it does, for people and for the models that may call it. Required when it is used as a tool. */
  readonly description?: string;
  /** An example of what to ask it; callers see it beside the text they may send. */
  readonly usage?: string;
  /** The system prompt, or a function that renders it when a session opens. */
  readonly instructions: string | ((context: PromptContext) => string);
  /** One, or a list in the order they are tried. */
  readonly model: ModelRef | readonly ModelRef[];
  /** Functions, sub-agents (`asTool(agent)`), sources: all the same here. */
  readonly tools?: readonly ToolOffer[];
  /** What callers must send. @default { format: 'text' } */
  readonly input?: InputContract;
  /** What the final report is. @default { format: 'text' } */
  readonly output?: OutputContract;
  readonly limits?: Partial<Limits>;
  /**
   * Limits of its surroundings, for each that `limits` does not set. A `toolTimeoutMs` here does not apply to sub-agents.
   * @default the built-in ones
   */
  readonly limitDefaults?: Partial<Limits>;
  /** What it may use together with everything below it; under a caller, only to narrow. */
  readonly budget?: Budget;
  /** Whom it may ask back: whoever called it, which may be a model, or a person alone. @default it is not told that it may */
  readonly ask?: 'caller' | 'person';
  /** How calls of it as a tool are held: each fresh; one conversation; or fresh on prepared tools and models. @default 'fresh' */
  readonly hold?: Hold;
  /** For the model; null takes a default away, so that it is not sent. @default temperature 0.2, maxOutputTokens 16384 */
  readonly settings?: { readonly [K in keyof ModelSettings]?: ModelSettings[K] | null };
  /** Soft advice on planning, said to the model when it has tools; the hard bounds are limits. @default none */
  readonly hints?: Hints;
  readonly middleware?: readonly Middleware[];
  /** Which tools it may call, by the names its model sees. What is denied or asked for holds below too. @default all of them */
  readonly permissions?: Permissions;
  /** Whether it shares a small store with the other agents of its run that do. @default false */
  readonly workspace?: boolean;
  /** Whether a completed answer is given again to the same question, and for how long. @default it is not */
  readonly cache?: ResponseCaching;
  /** Agents that are asked the same before it, all at once: what they say stands before its prompt. Made with `asPartner`. */
  readonly advisors?: readonly Partner[];
  /** Agents that it may hand the request over to, and that then answer in its place. */
  readonly router?: Router;
  /** Agents that are given its answer, one after the other: the answer of the last is the answer. */
  readonly handoff?: readonly Partner[];
  /** How results are kept and read again that are too long for its conversation. @default kept, and read by its own models */
  readonly toolOutput?: ToolOutputSetting;
  /** Whether its model may send many calls as one, `agent__batch`. @default false */
  readonly batch?: boolean;
  /**
   * Whether its model is offered to tell how far it is, with `agent__task_status`; never without other tools. False takes the
   * tool away altogether. @default when its instructions name it
   */
  readonly progress?: boolean;
  /** Whether a conversation that nears the end of its window is summed up and gone on with, rather than ended. @default true */
  readonly compaction?: boolean;
  /** The name other agents call it by. @default its name */
  readonly toolName?: string;
  /** Replaces sentences of ours in this agent's conversations. */
  readonly texts?: Partial<Texts>;
  /** Each wants metadata beside the final report, and is told when a session has ended. @default none */
  readonly plugins?: readonly ReportPlugin[];
}

export type ReportPlugin = ReportPluginOf<Agent>;
export type ReportCompletion = ReportCompletionOf<Agent>;

export type Hold = 'fresh' | 'kept' | { readonly pool: number };

export interface InputContract {
  readonly format: 'text' | 'json';
  readonly schema?: JsonSchema;
}

export interface Hints {
  /** How many tools to call side by side, from 1. */
  readonly parallel?: number;
}

export interface PromptContext {
  /** When the session opened, in milliseconds since 1970. */
  readonly now: number;
  readonly env: EnvOverlay;
  /** What the report of this session has to be. */
  readonly output: OutputContract;
}

/** Checks a definition early, before anything costs money, and gives it back. */
export function defineAgent(agent: Agent): Agent {
  checkAgent(agent);
  return agent;
}

// Only remembers which definitions were found right; a definition that changes afterwards is not ours to watch.
const checked = new WeakSet<Agent>();

export function checkAgent(agent: Agent): void {
  if (checked.has(agent)) return;
  if (!isObject(agent)) throw invalid('an agent is an object with a name, instructions and a model');
  const owner = { name: `agent ${agent.name}` };
  checkKeys(owner, agent, agentKeys);
  checkNames(agent);
  if (typeof agent.instructions !== 'string' && typeof agent.instructions !== 'function') {
    throw complaint(owner, 'instructions must be a string or a function that gives one');
  }
  const { settings, limits, limitDefaults } = agent;
  checkFields(owner, pick(agent, fieldTypes), fieldTypes);
  checkModels(owner, toModelRefs(agent));
  checkToolOutput(owner, agent.toolOutput);
  if (agent.toolOutput?.models) checkModels(owner, agent.toolOutput.models, 'toolOutput.models');
  checkOffers(owner, agent.tools);
  for (const given of [limits, limitDefaults])
    for (const [key, value] of Object.entries(given ?? {})) checkLimit(owner, key, value);
  for (const [key, value] of Object.entries(settings ?? {})) checkSetting(owner, key, value);
  checkBudget(owner, agent.budget);
  checkHold(agent);
  checkHints(owner, agent.hints);
  checkPermissions(owner, agent.permissions);
  checkCache(owner, agent.cache);
  checkPartners(owner, agent);
  checkContract(owner, 'input', agent.input, ['text', 'json']);
  checkContract(owner, 'output', agent.output, outputFormats);
  checkMiddleware(owner, agent.middleware);
  checkTexts(owner, agent.texts);
  checkPlugins(owner, agent.plugins);
  checked.add(agent);
}

function checkNames({ name, ...ids }: Agent): void {
  if (typeof name !== 'string' || !/^[\w.-]{1,128}$/.test(name))
    throw invalid(`name ${show(name)} must be 1 to 128 letters, digits, dots, dashes or underscores`);
  for (const key of ['id', 'team'] as const) {
    const value = ids[key];
    if (value !== undefined && !(typeof value === 'string' && /^[\w.-]{1,64}$/.test(value)))
      throw invalid(`${key} ${show(value)} of ${name} must be 1 to 64 letters, digits, dots, dashes or underscores`);
  }
}

function pick(agent: Agent, fields: Readonly<Record<string, FieldType>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.keys(fields).map((field) => [field, agent[field as keyof Agent]]));
}

const fieldTypes = {
  path: 'text',
  description: 'text',
  usage: 'text',
  toolName: 'text',
  settings: 'object',
  limits: 'object',
  limitDefaults: 'object',
  workspace: 'boolean',
  batch: 'boolean',
  progress: 'boolean',
  compaction: 'boolean',
} as const;

const agentKeys: readonly string[] = [
  'name',
  'id',
  'path',
  'team',
  'description',
  'usage',
  'instructions',
  'model',
  'tools',
  'input',
  'output',
  'limits',
  'limitDefaults',
  'budget',
  'ask',
  'hold',
  'settings',
  'hints',
  'middleware',
  'permissions',
  'workspace',
  'cache',
  'advisors',
  'router',
  'handoff',
  'toolOutput',
  'batch',
  'progress',
  'compaction',
  'toolName',
  'texts',
  'plugins',
] satisfies (keyof Agent)[];

export function settingsOf(agent: Agent): ModelSettings {
  return resolve(agent).settings;
}

export function limitsOf(agent: Agent): Limits {
  return resolve(agent).limits;
}

// Thousands of sessions have the same agent: what it comes to with the defaults is worked out once.
const resolved = new WeakMap<Agent, { readonly settings: ModelSettings; readonly limits: Limits }>();

function resolve(agent: Agent) {
  const known = resolved.get(agent);
  if (known) return known;
  const settings = Object.entries({ ...defaultSettings, ...agent.settings }).filter(
    ([, value]) => value !== null && value !== undefined,
  );
  // As deep as its own tools go, unless it says otherwise.
  const maxDepth = Math.max(defaultLimits.maxDepth, levelsOf(agent));
  const limits = { ...defaultLimits, maxDepth, ...agent.limitDefaults, ...agent.limits };
  const both = { settings: Object.freeze(Object.fromEntries(settings)), limits: Object.freeze(limits) };
  resolved.set(agent, both);
  return both;
}

/** How deep the agent's own tools and partners may go. */
export function levelsOf(agent: Agent): number {
  const ofTools = (agent.tools ?? []).map((tool) => ('levels' in tool ? (tool.levels ?? 0) : 0));
  return Math.max(0, ...ofTools, ...partnersOf(agent).map(([, { levels }]) => levels));
}

/** True if the tree below this root has more levels than the default allows, and `maxDepth` is not set. */
export function isTooDeep(agent: Agent): boolean {
  return agent.limits?.maxDepth === undefined && levelsOf(agent) > mostLevels;
}

/** Throws `agent-invalid` for a root that is too deep. */
export function checkDepth(agent: Agent): void {
  if (!isTooDeep(agent)) return;
  const levels = levelsOf(agent);
  const message = `agent ${agent.name}: its sub-agents go ${levels} levels deep, and without limits.maxDepth a tree has at most ${mostLevels}`;
  throw new AgentError('agent-invalid', message, {
    remedy: `Set limits.maxDepth (maxDepth in an agent file) to ${levels}, or let it call fewer levels.`,
  });
}

/** Whether it, or somebody below it, may end with a question: to whoever called it, to a person, or for leave to act. */
export function mayAsk(agent: Agent): boolean {
  const below = [...(agent.tools ?? []), ...partnersOf(agent).map(([, partner]) => partner)];
  if (agent.ask !== undefined || (agent.permissions?.ask ?? []).length > 0) return true;
  return below.some((one) => ('mayAsk' in one && one.mayAsk) || ('needsApproval' in one && one.needsApproval));
}

/** Whether it or one below it shares the workspace of the run: as its own tools, partners and these say. */
export function sharesWorkspace(agent: Agent, moreTools: readonly ToolOffer[] = []): boolean {
  const below = [...(agent.tools ?? []), ...moreTools, ...partnersOf(agent).map(([, partner]) => partner)];
  return agent.workspace === true || below.some((one) => 'sharesWorkspace' in one && one.sharesWorkspace === true);
}

export function toModelRefs({ model }: Pick<Agent, 'model'>): readonly ModelRef[] {
  return Array.isArray(model) ? model : [model as ModelRef];
}

function checkHold({ name, hold, ask }: Agent): void {
  if (ask !== undefined && ask !== 'caller' && ask !== 'person')
    throw invalid(`agent ${name}: ask is ${JSON.stringify(ask)} and must be caller or person`);
  if (hold === undefined || hold === 'fresh' || hold === 'kept') return;
  if (isObject(hold) && Number.isInteger(hold.pool) && (hold.pool as number) > 0) return;
  throw invalid(`agent ${name}: hold is ${JSON.stringify(hold)} and must be fresh, kept, or { pool: a number from 1 }`);
}

function checkHints(owner: Owner, hints: unknown): void {
  if (hints === undefined) return;
  if (!isObject(hints)) throw wrongField(owner, 'hints', hints, 'an object');
  checkKeys(owner, hints, ['parallel'], 'hints.');
  const { parallel } = hints;
  if (parallel !== undefined && !isWholeFrom(1, parallel))
    throw wrongField(owner, 'hints.parallel', parallel, 'a whole number from 1');
}

function checkCache(owner: Owner, cache: unknown): void {
  if (cache === undefined) return;
  if (!isObject(cache)) throw wrongField(owner, 'cache', cache, 'an object with ttlMs');
  checkFields(owner, cache, { ttlMs: 'number', version: 'text' }, 'cache.');
  if (!(Number(cache.ttlMs) > 0))
    throw wrongField(owner, 'cache.ttlMs', cache.ttlMs, 'a number of milliseconds above 0');
}

function checkModels(owner: Owner, models: readonly unknown[], field = 'model'): void {
  if (models.length === 0 || models.some((model) => !model))
    throw complaint(owner, `${field} is missing; name one as provider/model`);
  const wrong = models.find((model) => typeof model !== 'string' && !isModel(model));
  if (wrong)
    throw wrongField(
      owner,
      field,
      wrong,
      'provider/model, or a model, which has a function call or, to be opened, open',
    );
}

function isModel(value: unknown): boolean {
  return isObject(value) && (typeof value.call === 'function' || typeof value.open === 'function');
}

export const outputFormats: readonly string[] = ['text', 'markdown', 'json'];

export function checkContract(owner: Owner, key: string, contract: unknown, formats: readonly string[]): void {
  if (contract === undefined) return;
  if (!isObject(contract)) throw wrongField(owner, key, contract, 'an object with a format');
  checkKeys(owner, contract, ['format', 'schema'], `${key}.`);
  const { format, schema } = contract;
  if (!formats.includes(format as string))
    throw wrongField(owner, `${key}.format`, format, `one of ${formats.join(', ')}`);
  if (schema === undefined) return;
  if (format !== 'json') throw complaint(owner, `${key}.schema needs ${key}.format json`);
  if (!isObject(schema)) throw wrongField(owner, `${key}.schema`, schema, 'a JSON Schema, which is an object');
  checkSchema(schema, `${key}.schema of ${owner.name}`);
}

function invalid(message: string): AgentError {
  return new AgentError('agent-invalid', message);
}
