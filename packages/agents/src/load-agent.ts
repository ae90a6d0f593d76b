// A draft and its loaded team to an agent that can run.

import {
  type Agent,
  defaultLimits,
  defineAgent,
  isAgentError,
  messageOf,
  type OutputContract,
  type PromptContext,
} from '@ai-agent/core';
import { bindAgent } from './bind-agent.ts';
import { bindTeam } from './bind-team.ts';
import { builtInFields } from './built-in-tools.ts';
import { tellOtherBackend } from './config/cache-folder.ts';
import { toContract } from './contract.ts';
import { loadPlugins, type PluginContext } from './load-plugins.ts';
import type { LoadedAgent, Member } from './loaded-agent.ts';
import { checkMoney, pricesIn, toOneBook } from './prices.ts';
import type { Problems } from './problem.ts';
import { type Prompt, preparePrompt } from './prompt/prepare-prompt.ts';
import { fillPrompt, toVariables } from './prompt/variables.ts';
import type { Draft } from './read-draft.ts';
import { byRole } from './role.ts';
import { toVersioned } from './version.ts';
import type { World } from './world.ts';

export interface LoadContext {
  readonly world: World;
  readonly problems: Problems;
  /** Where its includes and schemas may come from. */
  readonly roots: readonly string[];
  /** Whom its file names. */
  readonly team: readonly Member[];
  /** For the runs that plugins start. */
  readonly loadFile: PluginContext['loadFile'];
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
  const { models, envOverlay, choice, toolOutput, tools: outside, setUps } = await bindAgent(draft, context);
  const plugins = await loadPlugins(draft, context);
  warn(draft, context);
  if (typeof effective.said('cache')?.value === 'number') tellOtherBackend(configuration, problems);
  const team = byRole((role) => context.team.flatMap((one) => (one.role === role ? (one.loaded ?? []) : [])));
  const children = [...new Set(Object.values(team).flat())];
  const { tools: ofTeam, ...partners } = bindTeam(team, draft, context);
  const tools = [...ofTeam, ...outside];
  if (!prompt || models.length === 0) return undefined;
  const usage = effective.said('usage')?.value as string | undefined;
  const contracted = { ...(input ? { input } : {}), ...(output ? { output } : {}) };
  const fields: Record<string, unknown> = { ...effective.toFields(), ...builtInFields(effective), ...contracted };
  const version = toVersioned({
    ...{ name: draft.name, prompt, effective, contracts: [input, output], setUps, env: envOverlay },
    ...{ host: world.host, contents: draft.pluginFiles.map(({ text }) => text), below: children },
  });
  const definition = {
    ...fields,
    ...(fields.cache ? { cache: { ...fields.cache, version: await version() } } : {}),
    ...(usage ? { usage } : {}),
    ...(plugins.length > 0 ? { plugins } : {}),
    ...(toolOutput ? { toolOutput } : {}),
    name: draft.name,
    model: models,
    tools,
    ...partners,
  } as unknown as Agent;
  const agent = define({ ...definition, instructions: toInstructions(prompt, definition, world) }, draft, problems);
  const priceBooks = [
    ...new Set([...pricesIn(configuration, context), ...children.flatMap((child) => child.priceBooks)]),
  ];
  const prices = toOneBook(priceBooks);
  const session = { envOverlay, ...(prices ? { ports: { prices } } : {}) };
  if (agent) await checkMoney({ agent, session, children }, effective.said('budget.costUsd'), context);
  const isSound = draft.isSound && context.team.every(({ loaded }) => loaded) && problems.errorCount === errors;
  if (!agent || !isSound) return undefined;
  return {
    file,
    name: draft.label,
    agent,
    session,
    priceBooks,
    effective,
    configuration,
    team,
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
