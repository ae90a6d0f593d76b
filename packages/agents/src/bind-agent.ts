// What an agent reaches outside: its models and its tools, each bound to its set-up, under one overlay of variables.

import type { ToolOffer, ToolOutputSetting } from '@ai-agent/core';
import { type Bound, bindModels } from './bind-models.ts';
import { bindTools } from './bind-tools.ts';
import { findTools } from './find-tools.ts';
import type { Problems } from './problem.ts';
import type { Draft } from './read-draft.ts';
import { toToolOutput } from './tool-output.ts';
import type { Choice, World } from './world.ts';

export interface BoundAgent extends Pick<Bound, 'models' | 'envOverlay'> {
  readonly tools: readonly ToolOffer[];
  /** How long results are kept and read again, when somebody says so. */
  readonly toolOutput: ToolOutputSetting | undefined;
  /** What it runs on because the file names no model. */
  readonly choice: Choice | undefined;
  /** All that its models and tools are set up with. Variables stand in it by name. */
  readonly setUps: readonly unknown[];
}

export async function bindAgent(
  draft: Draft,
  { world, problems }: { readonly world: World; readonly problems: Problems },
): Promise<BoundAgent> {
  const { effective, configuration } = draft;
  const setUps: unknown[] = [];
  const choice = effective.said('models') ? undefined : await world.chooseModel((name) => configuration.lookUp(name));
  const said = world.purpose === 'help' ? undefined : effective.said('tools');
  const toolSets = said && (await world.toolSets());
  const found = said && toolSets ? findTools(said, { agent: draft.label, configuration, toolSets, problems }) : [];
  const output = toToolOutput(effective.said('toolOutput'), configuration, problems);
  const { models, readers, envOverlay, beside } = bindModels({
    ...modelsOf(draft, choice),
    agent: draft.label,
    readers: output?.models,
    beside: found.map(({ entry }) => entry),
    configuration,
    providers: world.providers,
    problems,
    mayLackVariables: world.purpose === 'help' || world.purpose === 'tools',
    setUp: effective.toSetUp(),
    onModel(named) {
      setUps.push(['model', named.provider, named.model, named.config]);
      world.onModel?.(named);
    },
  });
  const toolOutput = output && withReaders(output.setting, readers);
  if (!said || !toolSets) return { models, envOverlay, choice, toolOutput, tools: [], setUps };
  const renamed = found.map((one, i) => ({ ...one, entry: beside[i] ?? one.entry }));
  const onTools: World['onTools'] = (named) => {
    // Programs run in a folder, and paths begin there: elsewhere they answer otherwise.
    const at = named.section === 'mcpServers' && named.config.command !== undefined ? world.cwd : null;
    setUps.push([named.section, named.name, named.config, named.folder, at]);
    world.onTools?.(named);
  };
  const shared = {
    agent: draft.label,
    configuration,
    toolSets,
    env: envOverlay,
    place: said.place,
    onTools,
    world,
    problems,
  };
  return { models, envOverlay, choice, toolOutput, tools: bindTools(renamed, shared), setUps };
}

/** Nothing when it says nothing: that is how core has it. */
function withReaders(setting: ToolOutputSetting, models: Bound['readers']): ToolOutputSetting | undefined {
  const all = models.length > 0 ? { ...setting, models } : setting;
  return Object.keys(all).length > 0 ? all : undefined;
}

function modelsOf({ file, effective }: Draft, choice: Choice | undefined) {
  const said = effective.said('models');
  return {
    refs: choice ? [choice.model] : (said?.value as readonly string[]),
    place: said?.place ?? { file },
  };
}
