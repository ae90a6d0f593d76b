// The agents that a command is about: those that were named, else those of the configuration, else those of this folder.

import { flagValue, flagValues, type Words } from '../arguments.ts';
import { type Loading, type LoadRequest, loadAgents } from './load.ts';

export interface Found extends Loading {
  /** What was looked for. */
  readonly entries: readonly string[];
}

/** What for, and who wants to know of the models and tools on the way. */
export type Search = Pick<
  LoadRequest,
  'purpose' | 'isServed' | 'mayImport' | 'onModel' | 'onTools' | 'outside' | 'guard'
> &
  Partial<Pick<LoadRequest, 'flags'>>;

export async function findAgents(words: Words, search: Search): Promise<Found> {
  const named = words.words.map(({ text }) => text);
  const first = await loadAgents(toRequest(named, words, search));
  if (!isNothingNamed(first)) return { ...first, entries: named };
  const entries = ['.'];
  return { ...(await loadAgents(toRequest(entries, words, search))), entries };
}

/** As the flags of a command say. */
export function toRequest(entries: readonly string[], words: Words, search: Search): LoadRequest {
  const configFile = flagValue(words, '--config');
  return { entries, flags: [], overrides: flagValues(words, '--override'), configFile, ...search };
}

/** Neither on the command line nor in the configuration. */
function isNothingNamed({ registry, problems }: Loading): boolean {
  return registry.files.length === 0 && !problems.some(({ code }) => code === 'file-missing');
}
