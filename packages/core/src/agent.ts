// What an agent is: a name, a prompt, a model, tools and contracts. Plain data; running it is a session's business.

import { type Budget, checkBudget } from './budget.ts';
import { defaultLimits, defaultSettings, type Limits, leastLimits } from './defaults.ts';
import { AgentError } from './errors.ts';
import { isObject, type JsonSchema } from './json.ts';
import type { Middleware } from './middleware.ts';
import type { ModelRef, ModelSettings, OutputContract } from './model.ts';
import type { EnvOverlay } from './ports.ts';
import { checkSchema } from './schema.ts';
import type { Texts } from './texts.ts';
import type { ToolOffer } from './tool.ts';

export interface Agent {
  /** Letters, digits, dots, dashes and underscores. */
  readonly name: string;
  /** What it does, for people and for the models that may call it. Required when it is used as a tool. */
  readonly description?: string;
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
  /** What it may use together with everything below it; under a caller, only to narrow. */
  readonly budget?: Budget;
  /** Whom it may ask back: whoever called it, which may be a model, or a person alone. @default it is not told that it may */
  readonly ask?: 'caller' | 'person';
  /** How calls of it as a tool are held: each fresh; one conversation; or fresh on prepared tools and models. @default 'fresh' */
  readonly hold?: Hold;
  /** For the model; null takes a default away, so that it is not sent. @default temperature 0.2, maxOutputTokens 16384 */
  readonly settings?: { readonly [K in keyof ModelSettings]?: ModelSettings[K] | null };
  readonly middleware?: readonly Middleware[];
  /** The name other agents call it by. @default its name */
  readonly toolName?: string;
  /** Replaces sentences of ours in this agent's conversations. */
  readonly texts?: Partial<Texts>;
}

export type Hold = 'fresh' | 'kept' | { readonly pool: number };

export interface InputContract {
  readonly format: 'text' | 'json';
  readonly schema?: JsonSchema;
}

export interface PromptContext {
  /** When the session opened, in milliseconds since 1970. */
  readonly now: number;
  readonly env: EnvOverlay;
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
  const unknown = Object.keys(agent).find((key) => !agentKeys.includes(key));
  if (unknown) throw invalid(`agent ${agent.name}: ${unknown} is not known; known are ${agentKeys.join(', ')}`);
  if (typeof agent.name !== 'string' || !/^[\w.-]{1,128}$/.test(agent.name)) {
    throw invalid(`name ${JSON.stringify(agent.name)} must be 1 to 128 letters, digits, dots, dashes or underscores`);
  }
  if (typeof agent.instructions !== 'string' && typeof agent.instructions !== 'function') {
    throw invalid(`agent ${agent.name}: instructions must be a string or a function that gives one`);
  }
  const models = toModelRefs(agent);
  if (models.length === 0 || models.some((model) => !model))
    throw invalid(`agent ${agent.name}: model is missing; name one as provider/model`);
  for (const [key, value] of Object.entries(agent.limits ?? {})) checkLimit(agent.name, key, value);
  checkBudget(`agent ${agent.name}`, agent.budget);
  checkHold(agent);
  checkContract(agent.name, 'input', agent.input, ['text', 'json']);
  checkContract(agent.name, 'output', agent.output, ['text', 'markdown', 'json']);
  checked.add(agent);
}

const agentKeys: readonly string[] = [
  'name',
  'description',
  'instructions',
  'model',
  'tools',
  'input',
  'output',
  'limits',
  'budget',
  'ask',
  'hold',
  'settings',
  'middleware',
  'toolName',
  'texts',
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
  const levels = (agent.tools ?? []).map((tool) => ('levels' in tool ? (tool.levels ?? 0) : 0));
  const limits = { ...defaultLimits, maxDepth: Math.max(defaultLimits.maxDepth, ...levels), ...agent.limits };
  const both = { settings: Object.freeze(Object.fromEntries(settings)), limits: Object.freeze(limits) };
  resolved.set(agent, both);
  return both;
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

function checkLimit(name: string, key: string, value: unknown): void {
  if (!(key in defaultLimits))
    throw invalid(`agent ${name}: limits.${key} is not known; known are ${Object.keys(defaultLimits).join(', ')}`);
  const least = leastLimits[key as keyof Limits];
  if (!Number.isInteger(value) || (value as number) < least) {
    throw invalid(`agent ${name}: limits.${key} is ${JSON.stringify(value)} and must be a whole number from ${least}`);
  }
}

interface Contract {
  readonly format: string;
  readonly schema?: JsonSchema;
}

function checkContract(name: string, key: string, contract: Contract | undefined, formats: readonly string[]): void {
  if (!contract) return;
  if (!formats.includes(contract.format)) {
    throw invalid(
      `agent ${name}: ${key}.format is ${JSON.stringify(contract.format)} and must be one of ${formats.join(', ')}`,
    );
  }
  if (!contract.schema) return;
  if (contract.format !== 'json') throw invalid(`agent ${name}: ${key}.schema needs ${key}.format json`);
  checkSchema(contract.schema, `${key}.schema of agent ${name}`);
}

function invalid(message: string): AgentError {
  return new AgentError('agent-invalid', message);
}
