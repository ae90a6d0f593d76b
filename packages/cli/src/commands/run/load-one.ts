// The one agent that a run or a talk is with: loaded with everything that it names, or it is said what stands in the way.

import type { LoadedAgent, NamedTools } from '@ai-agent/agents';
import { flagValue, flagValues, type Words } from '../../arguments.ts';
import type { Terminal } from '../../terminal.ts';
import { type Loading, loadAgents, refuse } from '../load.ts';
import { misuse } from '../misuse.ts';
import type { OutsideOfRun } from './outside-of-run.ts';
import type { Traces } from './traces.ts';

export interface ToLoad {
  /** What people called it. */
  readonly file: string;
  readonly words: Words;
  readonly outside: OutsideOfRun;
  readonly traces: Traces | undefined;
  /** What to read where there is more to know. */
  readonly help: string;
}

export interface OneLoaded extends Omit<Loading, 'registry'> {
  readonly loaded: LoadedAgent;
  /** Servers and the like that it names. */
  readonly tools: readonly NamedTools[];
}

/** Its exit code, where nothing can come of it. */
export async function loadOne(toLoad: ToLoad, terminal: Terminal): Promise<OneLoaded | { readonly code: number }> {
  const { file, words, outside, traces, help } = toLoad;
  const isJson = flagValue(words, '--json') !== undefined;
  const tools: NamedTools[] = [];
  const { registry, ...loading } = await loadAgents({
    entries: [file],
    flags: words.flags,
    overrides: flagValues(words, '--override'),
    configFile: flagValue(words, '--config'),
    purpose: 'run',
    models: traces?.models,
    outside: outside.toOptions(traces?.onTraffic),
    watched: outside.watched,
    onTools: (named) => tools.push(named),
  });
  const { problems, leave } = loading;
  const [loaded, other] = registry.agents;
  if (!loaded || problems.some(({ severity }) => severity === 'error')) {
    leave();
    return { code: refuse(problems, { entries: [file], isJson }, terminal) };
  }
  if (other) {
    leave();
    return { code: misuse(terminal, `${file} holds several agents; name the file of one.`, { help, isJson }) };
  }
  return { ...loading, loaded, tools };
}
