// What the flags of a run come to, checked before anything is loaded.

import type { Agent, Outcome } from '@ai-agent/core';
import { flagValue, type Misuse, type Words } from '../../arguments.ts';
import type { Detail } from '../../render/plain-lines.ts';
import { misusedStore } from '../../store-choice.ts';
import { type Going, readGoing } from './going.ts';
import { type FormatHeld, holdFormat, readFormat } from './output-format.ts';
import type { Print } from './run-request.ts';

export interface RunSettings {
  readonly print: Print;
  readonly detail: Detail;
  readonly hasTree: boolean;
  readonly isDryRun: boolean;
  /** The session that is gone on with. @default a new one */
  readonly going?: Going;
  /** What `--format` asks of this agent. */
  holdFormat(agent: Agent): FormatHeld | Misuse;
  /** Keeps the conversations of a run, when that was asked for. */
  readonly save?: (outcome: Outcome) => Promise<{ readonly said: string; readonly isSaved: boolean }>;
}

export async function readSettings(words: Words, cwd: string): Promise<RunSettings | Misuse> {
  const isGiven = (...names: readonly string[]) => flagValue(words, ...names) !== undefined;
  const [one, other] = ['--json', '--events', '--dry-run'].filter((flag) => isGiven(flag));
  if (one && other) return { problem: `Choose one of ${one} and ${other}.` };
  const telling = readTelling(words);
  if ('problem' in telling) return telling;
  const read = readFormat(flagValue(words, '--format'));
  if ('problem' in read) return read;
  const misused = misusedStore(words);
  if (misused) return misused;
  const going = readGoing(words);
  if (going && 'problem' in going) return going;
  const saving = await toSaving(flagValue(words, '--save-all'), cwd, !isGiven('--dry-run'));
  if ('problem' in saving) return saving;
  return {
    print: isGiven('--json') ? 'json' : isGiven('--events') ? 'events' : 'answer',
    ...telling,
    isDryRun: isGiven('--dry-run'),
    holdFormat: (agent) => holdFormat(agent, read.format),
    ...saving,
    ...(going ? { going } : {}),
  };
}

/** How much is told of a run. */
export function readTelling(words: Words): Pick<RunSettings, 'detail' | 'hasTree'> | Misuse {
  const isGiven = (...names: readonly string[]) => flagValue(words, ...names) !== undefined;
  const [isQuiet, isVerbose] = [isGiven('--quiet', '-q'), isGiven('--verbose', '-v')];
  if (isQuiet && isVerbose) return { problem: 'Choose one of --quiet and --verbose.' };
  return { detail: isQuiet ? 'errors' : isVerbose ? 'all' : 'usual', hasTree: isGiven('--show-tree') };
}

/** A folder that cannot be written is told now, while nothing has been paid for. */
async function toSaving(
  folder: string | undefined,
  cwd: string,
  isSaved: boolean,
): Promise<Pick<RunSettings, 'save'> | Misuse> {
  if (folder === undefined || !isSaved) return {};
  const { saveConversations, whyNotSaved } = await import('./save-conversations.ts');
  const problem = await whyNotSaved(folder, cwd);
  return problem === undefined ? { save: (outcome) => saveConversations(outcome, { folder, cwd }) } : { problem };
}
