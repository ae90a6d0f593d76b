// What an agent is: a name, a prompt, a model, tools and contracts. Plain data; running it is a session's business.

import { defaultLimits, defaultSettings, type Limits } from './defaults.ts';
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
  readonly model: ModelRef;
  /** Functions, sub-agents (`asTool(agent)`), sources: all the same here. */
  readonly tools?: readonly ToolOffer[];
  /** What callers must send. @default { format: 'text' } */
  readonly input?: InputContract;
  /** What the final report is. @default { format: 'text' } */
  readonly output?: OutputContract;
  readonly limits?: Partial<Limits>;
  /** For the model; null takes a default away, so that it is not sent. @default temperature 0.2, maxOutputTokens 16384 */
  readonly settings?: { readonly [K in keyof ModelSettings]?: ModelSettings[K] | null };
  readonly middleware?: readonly Middleware[];
  /** The name other agents call it by. @default its name */
  readonly toolName?: string;
  /** Replaces sentences of ours in this agent's conversations. */
  readonly texts?: Partial<Texts>;
}

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
  if (!agent.model) throw invalid(`agent ${agent.name}: model is missing; name one as provider/model`);
  for (const [key, value] of Object.entries(agent.limits ?? {})) checkLimit(agent.name, key, value);
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
  'settings',
  'middleware',
  'toolName',
  'texts',
] satisfies (keyof Agent)[];

export function settingsOf(agent: Agent): ModelSettings {
  const entries = Object.entries({ ...defaultSettings, ...agent.settings }).filter(
    ([, value]) => value !== null && value !== undefined,
  );
  return Object.fromEntries(entries);
}

export function limitsOf(agent: Agent): Limits {
  return { ...defaultLimits, ...agent.limits };
}

function checkLimit(name: string, key: string, value: unknown): void {
  if (!(key in defaultLimits))
    throw invalid(`agent ${name}: limits.${key} is not known; known are ${Object.keys(defaultLimits).join(', ')}`);
  const least = key === 'maxRepairs' ? 0 : 1;
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
