// What a run has put into its thread without knowing it, because Slack's word of it was lost or the process was: parts of the answer, files, a stream.

import { isObject } from '@ai-agent/core';
import type { SlackMessage } from '../blocks/to-messages.ts';
import { isSameText } from '../connect/find-posted.ts';
import type { Surroundings } from '../surroundings.ts';
import { actionsIn, readOurs } from './our-messages.ts';
import type { Thread } from './threads.ts';

export interface Leftover {
  readonly ts: string;
  readonly text: string;
  /** What is being written has none. */
  readonly hasButtons: boolean;
  /** Names of files that it has. */
  readonly files: readonly string[];
}

type Around = Pick<Surroundings, 'api' | 'identity'>;

/** What stands there too much is worth that. */
const removingMs = 10_000;

/** Behind the message that showed the run at work: nobody else works in a thread at the same time. */
export async function findLeftovers(around: Around, thread: Thread, statusTs: string): Promise<readonly Leftover[]> {
  if (statusTs === '') return [];
  const ours = await readOurs(around, thread, statusTs);
  return ours.map(({ ts, text, blocks, files }) => ({
    ts,
    text: String(text ?? ''),
    hasButtons: actionsIn(blocks).length > 0,
    files: namesOf(files),
  }));
}

/** The one that is this already, and not only says the same. */
export function findSaid(
  leftovers: readonly Leftover[],
  { text, blocks }: SlackMessage,
  told: readonly string[],
): string | undefined {
  return leftovers.find(
    (one) =>
      !told.includes(one.ts) &&
      one.files.length === 0 &&
      one.hasButtons === actionsIn(blocks).length > 0 &&
      isSameText(one.text, text),
  )?.ts;
}

/** What is left of words that were being written: the whole answer stands elsewhere. Never rejects. */
export async function removeFragments({ api }: Around, { channel }: Thread, fragments: readonly string[]) {
  for (const ts of fragments) {
    await api.attempt('chat.stopStream', { channel, ts });
    await api.call('chat.delete', { channel, ts }, { withinMs: removingMs }).catch(() => undefined);
  }
}

function namesOf(files: unknown): readonly string[] {
  if (!Array.isArray(files)) return [];
  return files.filter(isObject).flatMap(({ name, title }) => [name, title].filter((one) => typeof one === 'string'));
}
