// A draft and its loaded team to an agent that can run.

import { bindAgent } from './bind-agent.ts';
import { bindTeam } from './bind-team.ts';
import { tellOfCache } from './config/cache-folder.ts';
import { tellOfStore } from './config/store-settings.ts';
import { toContract } from './contract.ts';
import { defineLoaded, usageOf, variablesOf } from './define-agent.ts';
import { loadPlugins, type PluginContext } from './load-plugins.ts';
import type { LoadedAgent, Member } from './loaded-agent.ts';
import { checkMoney, pricesIn, toOneBook } from './prices.ts';
import type { Problems } from './problem.ts';
import { preparePrompt } from './prompt/prepare-prompt.ts';
import { fillPrompt } from './prompt/variables.ts';
import type { Draft } from './read-draft.ts';
import { byRole } from './role.ts';
import { toTemplate } from './template.ts';
import { toVersioned } from './version.ts';
import type { World } from './world.ts';

export interface LoadContext {
  readonly world: World;
  readonly problems: Problems;
  /** Where its includes and schemas may come from. */
  readonly roots: readonly string[];
  /** The folder that ids and paths of agents are relative to. */
  readonly teamFolder: string;
  /** Whom its file names. */
  readonly team: readonly Member[];
  /** For the runs that plugins start. */
  readonly loadFile: PluginContext['loadFile'];
}

/** Undefined when something is wrong; all of it was told. */
export async function loadAgent(draft: Draft, context: LoadContext): Promise<LoadedAgent | undefined> {
  const { problems, world } = context;
  const { file, effective, configuration } = draft;
  const errors = problems.errorCount;
  const team = byRole((role) => context.team.flatMap((one) => (one.role === role ? (one.loaded ?? []) : [])));
  const children = [...new Set(Object.values(team).flat())];
  const { prompt, ...parts } = await gatherParts(draft, team, context);
  const { bound, input, output } = parts;
  if (!prompt || bound.models.length === 0) return undefined;
  const { envOverlay, choice, setUps } = bound;
  const version = toVersioned({
    ...{ name: draft.name, prompt, effective, contracts: [input, output], setUps, env: envOverlay },
    ...{ host: world.host, contents: draft.pluginFiles.map(({ text }) => text), below: children },
  });
  const agent = await defineLoaded(draft, { ...parts, prompt, version }, context);
  const own = pricesIn(configuration, context);
  const priceBooks = [...new Set([...own, ...children.flatMap((child) => child.priceBooks)])];
  const prices = toOneBook(priceBooks);
  const session = { envOverlay, ...(prices ? { ports: { prices } } : {}) };
  if (agent && !configuration.isBroken('pricing'))
    await checkMoney({ agent, session, children }, effective.said('budget.costUsd'), context);
  const isSound = draft.isSound && context.team.every(({ loaded }) => loaded) && problems.errorCount === errors;
  if (!agent || !isSound) return undefined;
  const usage = usageOf(effective);
  return {
    ...{ file, name: draft.label, agent, session, priceBooks, effective, configuration, team, children, version },
    fillPrompt: (text, now) => fillPrompt(text, variablesOf(agent, { now }, world)),
    template: () => toTemplate({ effective, agent }),
    ...(usage ? { usage } : {}),
    ...(choice ? { choice } : {}),
  };
}

/** Everything that its file names, each as far as it is right; what is wrong is told in this order. */
async function gatherParts(draft: Draft, team: LoadedAgent['team'], context: LoadContext) {
  const { problems, roots } = context;
  const { file, effective, configuration } = draft;
  const contracts = { file, roots, problems };
  // A broken file may have said where includes and schemas are.
  const areRootsKnown = !configuration.isBroken('includeRoots');
  const input = areRootsKnown ? toContract(effective.said('input'), contracts) : undefined;
  const output = areRootsKnown ? toContract(effective.said('output'), contracts) : undefined;
  const prompt = areRootsKnown ? await preparePrompt({ file, ...draft.body }, { roots, problems }) : undefined;
  const bound = await bindAgent(draft, context);
  const plugins = await loadPlugins(draft, context);
  warn(draft, context);
  if (typeof effective.said('cache')?.value === 'number') tellOfCache(configuration, problems);
  tellOfStore(configuration, problems);
  return { input, output, prompt, bound, plugins, team: bindTeam(team, draft, context) };
}

/** Worth knowing, and no reason not to run. */
function warn({ file, effective, body, isSound }: Draft, { problems, world }: LoadContext): void {
  if (body.text.trim() === '') problems.warn('prompt-empty', { file }, 'there is no prompt below the frontmatter');
  // A wrong value is not a missing one.
  if (world.purpose !== 'check' || !isSound) return;
  if (String(effective.said('usage')?.value ?? '').trim() === '')
    problems.warn(
      'usage-missing',
      { file, key: 'usage' },
      'is missing, so callers see no example; add the line `usage: "<an example of what to ask>"`',
    );
  if (!effective.said('output'))
    problems.warn(
      'output-missing',
      { file, key: 'output' },
      'is missing, so the report is plain text; add the line `output: { format: text }`',
    );
}
