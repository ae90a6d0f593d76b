// Which earlier session a run goes on with, as its flags say.

import { oneLine } from '@ai-agent/core';
import { flagValue, type Misuse, type Words } from '../../arguments.ts';

/** By its id, or the last one. */
export type Going = { readonly session: string } | { readonly isLast: true };

export function readGoing(words: Words): Going | Misuse | undefined {
  const session = flagValue(words, '--session');
  const isLast = flagValue(words, '--continue') !== undefined;
  if (session !== undefined && isLast) return { problem: 'Choose one of --session and --continue.' };
  const going = isLast ? ({ isLast } as const) : session === undefined ? undefined : { session };
  if (going && flagValue(words, '--no-store') !== undefined)
    return { problem: `${isLast ? '--continue' : '--session'} needs the store in which the session is.` };
  return going;
}

/** What one should know of a session that began with another file of the same agent; nothing otherwise. */
export function toOtherFile(source: string | undefined, file: string): string | undefined {
  if (source === undefined || source === file) return undefined;
  return oneLine(`This session began with ${source}; it goes on with ${file}.`);
}
