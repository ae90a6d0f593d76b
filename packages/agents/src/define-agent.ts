// The definition of an agent: what was said of it and what that was bound to, as core has it.

import {
  type Agent,
  defaultLimits,
  defineAgent,
  isAgentError,
  messageOf,
  type OutputContract,
  type PromptContext,
  type ReportPlugin,
} from '@ai-agent/core';
import { toIdentity } from './agent-identity.ts';
import type { BoundAgent } from './bind-agent.ts';
import type { BoundTeam } from './bind-team.ts';
import { builtInFields } from './built-in-tools.ts';
import type { Contract } from './contract.ts';
import type { Effective } from './options/effective.ts';
import type { Problems } from './problem.ts';
import type { Prompt } from './prompt/prepare-prompt.ts';
import { toVariables, type Variables } from './prompt/variables.ts';
import type { Draft } from './read-draft.ts';
import type { Versioned } from './version.ts';
import type { World } from './world.ts';

export interface AgentParts extends Versioned {
  readonly prompt: Prompt;
  readonly input: Contract | undefined;
  readonly output: Contract | undefined;
  readonly bound: BoundAgent;
  readonly plugins: readonly ReportPlugin[];
  readonly team: BoundTeam;
}

export interface DefineContext {
  readonly teamFolder: string;
  readonly world: World;
  readonly problems: Problems;
}

/** Core has the last word on what an agent is: undefined when it refuses this one, which was told. */
export async function defineLoaded(
  draft: Draft,
  parts: AgentParts,
  { world, problems, teamFolder }: DefineContext,
): Promise<Agent | undefined> {
  const fields = { ...(await toFields(draft, parts)), ...toIdentity(draft, teamFolder) };
  const instructions: Agent['instructions'] = (context) => parts.prompt.render(variablesOf(fields, context, world));
  try {
    return defineAgent({ ...fields, instructions });
  } catch (error) {
    const code = isAgentError(error) ? error.code : 'agent-invalid';
    const message = messageOf(error);
    // Its words begin with the field.
    const [key = ''] = /^(?:input|output)(?=\.)/.exec(message) ?? [];
    problems.error(code, draft.effective.said(key)?.place ?? { file: draft.file }, message);
    return undefined;
  }
}

async function toFields({ name, effective }: Draft, parts: AgentParts): Promise<Omit<Agent, 'instructions'>> {
  const { input, output, bound, plugins, team } = parts;
  const { tools: ofTeam, ...partners } = team;
  const said = effective.toFields();
  const usage = usageOf(effective);
  const fields = {
    ...said,
    ...builtInFields(effective),
    ...(input ? { input } : {}),
    ...(output ? { output } : {}),
    ...(said.cache ? { cache: { ...said.cache, version: await parts.version() } } : {}),
    ...(usage ? { usage } : {}),
    ...(plugins.length > 0 ? { plugins } : {}),
    ...(bound.toolOutput ? { toolOutput: bound.toolOutput } : {}),
    name,
    model: bound.models,
    tools: [...ofTeam, ...bound.tools],
    ...partners,
  };
  return fields as unknown as Omit<Agent, 'instructions'>;
}

export function usageOf(effective: Effective): string | undefined {
  return effective.said('usage')?.value as string | undefined;
}

/** What a prompt of such an agent may say of itself and of its surroundings. */
export function variablesOf(
  agent: Pick<Agent, 'limits' | 'output'>,
  { now, output = agent.output ?? plainText }: Pick<PromptContext, 'now'> & Partial<Pick<PromptContext, 'output'>>,
  { host }: World,
): Variables {
  return toVariables({ now, limits: { ...defaultLimits, ...agent.limits }, output, host });
}

const plainText: OutputContract = { format: 'text' };
