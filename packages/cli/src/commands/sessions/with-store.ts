// The store that a command reads sessions from: opened for it, and closed when it is done.

import { statSync } from 'node:fs';
import { type ReadStoreSettings, readStoreSettings, toLine } from '@ai-agent/agents';
import { AgentError } from '@ai-agent/core';
import { flagValue, type Misuse, type Words } from '../../arguments.ts';
import { processPlaces, whyNoHome } from '../../assemble.ts';
import { KeptSessions } from '../../kept-sessions.ts';
import { leaveAtOnce } from '../../leave-at-once.ts';
import { chooseStore, isAddress, misusedStore } from '../../store-choice.ts';
import type { Terminal } from '../../terminal.ts';
import { refuse, withFlag } from '../load.ts';

export interface Found {
  /** Missing when there is no such file yet, or an empty one: looking for sessions is no reason to make a store. */
  readonly sessions: KeptSessions | undefined;
  /** For people. */
  readonly place: string;
}

export async function withStore<T>(
  words: Words,
  terminal: Terminal,
  work: (found: Found) => Promise<T>,
): Promise<T | Misuse | number> {
  const { stderr, input } = terminal;
  const misused = misusedStore(words);
  if (misused) return misused;
  const configFile = flagValue(words, '--config');
  const places = { ...processPlaces(), ...(configFile === undefined ? {} : { configFile }) };
  const settings = readStoreSettings(places, input.cwd);
  const problems = settings.problems.map((problem) => withFlag(problem, configFile, input.cwd));
  // How long sessions are kept is said there too: a guess could delete some.
  if (problems.some(({ severity }) => severity === 'error'))
    return refuse(
      problems,
      { entries: [], isJson: flagValue(words, '--json') !== undefined, what: 'the store' },
      terminal,
    );
  for (const problem of problems) stderr.write(`${toLine(problem, input.cwd)}\n`);
  const choice = chooseStore(words, settings, { cwd: input.cwd, homeFolder: places.homeFolder });
  if (!choice) return { problem: `No sessions are kept here: ${whyNone(settings)}. Name a store with --store.` };
  const sessions = new KeptSessions(choice, { onWarning: (sentence) => stderr.write(`warning: ${sentence}\n`) });
  const { place } = sessions;
  if (!isAddress(choice.where) && !isThere(choice.where)) return work({ sessions: undefined, place });
  try {
    return await work({ sessions, place });
  } finally {
    const unkept = await sessions.settled();
    // Nobody can call it off, and it would keep the process.
    if (unkept?.isStuck) setTimeout(() => leaveAtOnce(Number(process.exitCode ?? 0)), 500).unref();
  }
}

function whyNone({ file, missing, isSwitchedOff }: ReadStoreSettings): string {
  if (isSwitchedOff) return `the section store of ${file} switches it off`;
  if (missing.length > 0) return `nobody defines ${missing.join(', ')}, which the section store of ${file} needs`;
  return whyNoHome();
}

/** One that nobody may look at is there: opening it says why that fails. */
function isThere(path: string): boolean {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found !== undefined && !(found.isFile() && found.size === 0);
  } catch {
    return true;
  }
}

/** For what needs a session. */
export function opened({ sessions, place }: Found): KeptSessions {
  if (sessions) return sessions;
  const remedy = 'Run an agent first, or name another place with --store.';
  throw new AgentError('session-unknown', `No session is kept yet: there is no ${place}.`, { remedy });
}
