// A draft and its loaded sub-agents to an agent that can run.

import {
  type Agent,
  agentToolName,
  asTool,
  defaultLimits,
  defineAgent,
  type EnvOverlay,
  isAgentError,
  messageOf,
  type OutputContract,
  type PriceResolver,
  type PromptContext,
  type SessionTool,
} from '@ai-agent/core';
import { bindAgent } from './bind-agent.ts';
import { tellOtherBackend } from './config/cache-folder.ts';
import type { Configuration } from './config/configuration.ts';
import { toContract } from './contract.ts';
import type { Effective } from './options/effective.ts';
import { checkMoney, pricesIn, toOneBook } from './prices.ts';
import { type Problems, toShort } from './problem.ts';
import { type Prompt, preparePrompt } from './prompt/prepare-prompt.ts';
import { fillPrompt, toVariables } from './prompt/variables.ts';
import type { Draft } from './read-draft.ts';
import { toVersioned, type Versioned } from './version.ts';
import type { Choice, World } from './world.ts';

export interface LoadedAgent extends Versioned {
  /** Its real path. */
  readonly file: string;
  /** What it is called outside: its toolName, or the name of its file. */
  readonly name: string;
  readonly agent: Agent;
  /** What a session of it is given beside the agent: `ask(agent, prompt, session)`. */
  readonly session: SessionOptions;
  readonly usage?: string;
  /** A prompt for it with the date and the like filled in. */
  readonly fillPrompt: (text: string, now: number) => string;
  /** What its configuration says of prices, then those of its sub-agents: one book for the whole team. */
  readonly priceBooks: readonly PriceResolver[];
  readonly effective: Effective;
  readonly configuration: Configuration;
  readonly children: readonly LoadedAgent[];
  /** What it runs on because the file names no model. */
  readonly choice?: Choice;
}

export interface SessionOptions {
  /** The variables that its own set-ups name, and no others. */
  readonly envOverlay: EnvOverlay;
  /** Prices, when its configuration has some. */
  readonly ports?: { readonly prices: PriceResolver };
}

export interface LoadContext {
  readonly world: World;
  readonly problems: Problems;
  /** Where its includes and schemas may come from. */
  readonly roots: readonly string[];
  /** Undefined for one that could not be loaded; its problems are told. */
  readonly children: readonly (LoadedAgent | undefined)[];
}

/** Undefined when something is wrong; all of it was told. */
export async function loadAgent(draft: Draft, context: LoadContext): Promise<LoadedAgent | undefined> {
  const { problems, roots, world } = context;
  const { file, effective, configuration } = draft;
  const errors = problems.errorCount;
  const contracts = { file, roots, problems };
  const input = toContract(effective.said('input'), contracts);
  const output = toContract(effective.said('output'), contracts);
  const prompt = await preparePrompt({ file, ...draft.body }, { roots, problems });
  const { models, envOverlay, choice, tools: outside, setUps } = await bindAgent(draft, context);
  warn(draft, context);
  if (typeof effective.said('cache')?.value === 'number') tellOtherBackend(configuration, problems);
  const children = context.children.filter((child) => child !== undefined);
  const tools = [...toTools(draft, children, context), ...outside];
  if (!prompt || models.length === 0) return undefined;
  const usage = effective.said('usage')?.value as string | undefined;
  const fields: Record<string, unknown> = {
    ...effective.toFields(),
    ...(input ? { input } : {}),
    ...(output ? { output } : {}),
  };
  const version = toVersioned({
    ...{ name: draft.name, prompt, effective, contracts: [input, output], setUps, env: envOverlay },
    ...{ host: world.host, contents: [], below: children },
  });
  const definition = {
    ...fields,
    ...(fields.cache ? { cache: { ...fields.cache, version: await version() } } : {}),
    ...(usage ? { usage } : {}),
    name: draft.name,
    model: models,
    tools,
  } as unknown as Agent;
  const agent = define({ ...definition, instructions: toInstructions(prompt, definition, world) }, draft, problems);
  const priceBooks = [
    ...new Set([...pricesIn(configuration, context), ...children.flatMap((child) => child.priceBooks)]),
  ];
  const prices = toOneBook(priceBooks);
  const session = { envOverlay, ...(prices ? { ports: { prices } } : {}) };
  if (agent) await checkMoney({ agent, session, children }, effective.said('budget.costUsd'), context);
  const isSound = draft.isSound && children.length === context.children.length && problems.errorCount === errors;
  if (!agent || !isSound) return undefined;
  return {
    file,
    name: draft.label,
    agent,
    session,
    priceBooks,
    effective,
    configuration,
    children,
    version,
    fillPrompt: (text, now) =>
      fillPrompt(text, variablesOf(definition, { now, output: definition.output ?? plainText }, world)),
    ...(usage ? { usage } : {}),
    ...(choice ? { choice } : {}),
  };
}

/** Worth knowing, and no reason not to run. */
function warn({ file, effective, body, isSound }: Draft, { problems, world }: LoadContext): void {
  if (body.text.trim() === '') problems.warn('prompt-empty', { file }, 'there is no prompt below the frontmatter');
  // What was said wrongly is not missing.
  if (world.purpose !== 'check' || !isSound) return;
  if (String(effective.said('usage')?.value ?? '').trim() === '')
    problems.warn('usage-missing', { file, key: 'usage' }, 'is missing; callers see no example');
  if (!effective.said('output'))
    problems.warn('output-missing', { file, key: 'output' }, 'is missing; the report is plain text');
}

function toTools(
  { file }: Draft,
  children: readonly LoadedAgent[],
  { problems, world }: LoadContext,
): readonly SessionTool[] {
  const owners = new Map<string, string>();
  return children.flatMap((child) => {
    const name = agentToolName(child.name);
    const other = owners.get(name);
    owners.set(name, child.file);
    if (other !== undefined) {
      problems.error(
        'name-taken',
        { file, key: 'agents' },
        `${toShort(other, world.cwd)} and ${toShort(child.file, world.cwd)} are both called ${child.name}`,
      );
      return [];
    }
    return [asTool(child.agent, { envOverlay: child.session.envOverlay })];
  });
}

function toInstructions(prompt: Prompt, agent: Agent, world: World): Agent['instructions'] {
  return (context) => prompt.render(variablesOf(agent, context, world));
}

function variablesOf(agent: Agent, { now, output }: Pick<PromptContext, 'now' | 'output'>, { host }: World) {
  const limits = { ...defaultLimits, ...agent.limits };
  return toVariables({ now, limits, output, host });
}

const plainText: OutputContract = { format: 'text' };

/** Core has the last word on what an agent is. */
function define(agent: Agent, { file, effective }: Draft, problems: Problems): Agent | undefined {
  try {
    return defineAgent(agent);
  } catch (error) {
    const code = isAgentError(error) ? error.code : 'agent-invalid';
    const message = messageOf(error);
    // Its words begin with the field.
    const [key = ''] = /^(?:input|output)(?=\.)/.exec(message) ?? [];
    problems.error(code, effective.said(key)?.place ?? { file }, message);
    return undefined;
  }
}
