// A question that was answered: it stays where it stands, with the answer in the place of its buttons.

import { isObject, oneLine, type Question } from '@ai-agent/core';
import type { types } from '@slack/bolt';
import { escapeMrkdwn, toPlain } from '../blocks/safe-text.ts';
import { toMessages } from '../blocks/to-messages.ts';
import { toNote } from '../run/ending.ts';
import type { Thread } from '../run/threads.ts';
import type { Surroundings } from '../surroundings.ts';
import { type About, readAbout } from './buttons.ts';
import { hintId } from './question-blocks.ts';

type Blocks = readonly Readonly<Record<string, unknown>>[];

export interface Settled {
  readonly thread: Thread;
  /** The message that asks. */
  readonly messageTs: string;
  /** What stands there. @default Slack is asked for it */
  readonly blocks?: Blocks | undefined;
  /** What it asks, where nothing stands there. */
  readonly question?: Question | undefined;
  /** Who answered, and what. */
  readonly words: string;
}

/** Never rejects: whoever presses a button that was left is told that it is answered. */
export async function settle({ api, log }: Pick<Surroundings, 'api' | 'log'>, settled: Settled): Promise<void> {
  const { thread, messageTs, question } = settled;
  // Before it is cut: half a secret has no shape of one.
  const words = api.strike(settled.words);
  try {
    const standing = settled.blocks ?? (await readBlocks({ api }, settled)) ?? [];
    const kept = standing.filter(({ type, block_id }) => type !== 'actions' && block_id !== hintId);
    const asked = question === undefined ? [] : blocksOf(question);
    const shown = kept.length > 0 ? (kept as unknown as readonly types.KnownBlock[]) : asked;
    await api.call('chat.update', {
      channel: thread.channel,
      ts: messageTs,
      text: escapeMrkdwn(toPlain(words, 200)),
      blocks: [...shown.slice(0, 49), toNote(words)],
      unfurl_links: false,
      unfurl_media: false,
    });
  } catch (error) {
    log.detail(`A question that was answered kept its buttons: ${oneLine(String(error))}`);
  }
}

/** One that nobody waits for any more, and that still has its buttons: whoever answered it was gone before it could take them away. Never rejects. */
export async function disarm(around: Pick<Surroundings, 'api' | 'log'>, left: Left, words: string): Promise<void> {
  const blocks = await readBlocks(around, left);
  const { session, round } = left.about;
  const abouts = aboutsIn(blocks ?? []);
  // What stands there may ask something else by now.
  const isIt = abouts.length > 0 && abouts.every((one) => one.session === session && one.round === round);
  if (isIt) await settle(around, { ...left, blocks, words });
}

type Where = Pick<Settled, 'thread' | 'messageTs'>;

interface Left extends Where {
  readonly about: About;
}

/** What its buttons and lists are about. */
function aboutsIn(blocks: Blocks): readonly About[] {
  return blocks
    .filter(({ type }) => type === 'actions')
    .flatMap(({ block_id, elements }) => [
      block_id,
      ...(Array.isArray(elements) ? elements.filter(isObject).map(({ value }) => value) : []),
    ])
    .flatMap((value) => readAbout(value) ?? []);
}

/** What stands there now; undefined when Slack does not say. */
export async function readBlocks({ api }: Pick<Surroundings, 'api'>, where: Where): Promise<Blocks | undefined> {
  const { thread, messageTs } = where;
  const only = { oldest: messageTs, latest: messageTs, inclusive: true, limit: 2 };
  const answer = await api.attempt('conversations.replies', { channel: thread.channel, ts: thread.ts, ...only });
  const messages: readonly unknown[] = Array.isArray(answer?.messages) ? answer.messages : [];
  const found = messages.filter(isObject).find(({ ts }) => ts === messageTs);
  return Array.isArray(found?.blocks) ? (found.blocks as unknown as Blocks) : undefined;
}

function blocksOf({ text }: Question): readonly types.KnownBlock[] {
  return toMessages(text).messages[0]?.blocks ?? [];
}
