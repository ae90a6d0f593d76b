// Puts what a run came to into its thread: where its words were written, else in the place of what showed it at work.

import { oneLine } from '@ai-agent/core';
import { nothingToSay } from '../act/trouble.ts';
import type { SlackMessage } from '../blocks/to-messages.ts';
import { isUnfit, isUnreachable, SlackRefusal } from '../connect/slack-api.ts';
import { upload } from '../connect/upload.ts';
import type { Surroundings } from '../surroundings.ts';
import { type AddedFile, type EndingMessages, toNote, toStandIn } from './ending.ts';
import { findSaid, type Leftover, removeFragments } from './leftovers.ts';
import type { Told } from './run-notes.ts';
import type { Thread } from './threads.ts';

type Around = Pick<Surroundings, 'api' | 'log' | 'identity'>;

/** Where a run is shown. */
export interface Shown {
  readonly thread: Thread;
  readonly statusTs: string;
  readonly streamTs: string | undefined;
  /** Whether it is to be a new message: Slack tells nobody of an edit, and who asked has turned to something else. */
  readonly isNews: boolean;
  /** What of it is there already. */
  readonly told: Told | undefined;
  /** What is there without being noted. @default nothing */
  readonly leftovers?: readonly Leftover[] | undefined;
  /** Whether its words as they came stay: nothing stands in their place. @default they go */
  readonly keepsStream?: boolean | undefined;
  /** Whether a file that cannot be brought is given up. @default it is added later */
  readonly isLastTry?: boolean | undefined;
  /** Whoever goes on with it, should we not, has to know how far it came. */
  onTold(told: Told): Promise<void>;
}

/** Gives the last message of it. Throws `SlackRefusal` where nothing can be said there. */
export async function deliver(around: Around, shown: Shown, ending: EndingMessages): Promise<string | undefined> {
  const { thread } = shown;
  let told = shown.told ?? { messages: [], files: 0, hasStandIn: false };
  const note = async (more: Partial<Told>) => {
    told = { ...told, ...more };
    await shown.onTold(told);
  };
  if (told.messages.length > 0) await tidyUp(around, shown, told);
  for (const message of ending.messages.slice(told.messages.length)) {
    const isFirst = told.messages.length === 0;
    const say = (one: SlackMessage) => (isFirst ? place(around, shown, one) : post(around, thread, one));
    let { hasStandIn } = told;
    const there = findSaid(shown.leftovers ?? [], message, told.messages);
    const saying = there === undefined ? say(message) : Promise.resolve(there);
    const ts = await saying.catch((error: unknown) => {
      if (!isUnfit(error)) throw error;
      hasStandIn = true;
      around.log.fail(`An answer is in a file, because it is no message: ${oneLine(String(error))}`);
      return say(toStandIn(message));
    });
    await note({ messages: [...told.messages, ts], hasStandIn });
    if (isFirst) await tidyUp(around, shown, told);
  }
  const files = told.hasStandIn ? ending.allFiles : ending.files;
  for (const file of files.slice(told.files)) {
    const isThere = shown.leftovers?.some(({ files: names }) => names.includes(file.name));
    if (!isThere) await addFile(around, shown, file);
    await note({ files: told.files + 1 });
  }
  const known = [shown.statusTs, shown.streamTs, ...told.messages];
  const fragments = (shown.leftovers ?? []).filter(({ ts, files: names }) => names.length === 0 && !known.includes(ts));
  await removeFragments(
    around,
    thread,
    fragments.map(({ ts }) => ts),
  );
  return told.messages.at(-1);
}

/** What showed it at work, and its words as they came, go once the answer stands elsewhere. */
async function tidyUp(around: Around, shown: Shown, { messages }: Told): Promise<void> {
  const { thread, statusTs, streamTs, keepsStream } = shown;
  for (const ts of [statusTs, keepsStream ? undefined : streamTs])
    if (ts !== undefined && ts !== '' && !messages.includes(ts)) await remove(around, thread, ts);
}

export async function post({ api }: Around, { channel, ts: thread_ts }: Thread, message: SlackMessage) {
  const { ts } = await api.call('chat.postMessage', { channel, thread_ts, ...toShown(message) });
  return String(ts);
}

/** Nothing is to look as if it were at work when nobody is. Never rejects. */
export async function showFailed({ api }: Around, thread: Thread, ts: string, words = nothingToSay): Promise<void> {
  const edit = toEdit(thread, ts, { text: words, blocks: [toNote(words)] });
  await api.call('chat.update', edit, { withinMs: showingMs }).catch(() => {});
}

/** An edit may have to wait for the one before it. */
const showingMs = 5_000;

/** A message of ours as it is to stand there. */
export function toEdit({ channel }: Thread, ts: string, message: SlackMessage) {
  return { channel, ts, ...toShown(message) };
}

/** Where its words were written, else in the place of what showed it at work; anew where that is news, or cannot be. */
async function place(around: Around, { thread, isNews, statusTs, streamTs }: Shown, message: SlackMessage) {
  if (isNews) return post(around, thread, message);
  const ts = streamTs ?? statusTs;
  try {
    await around.api.call('chat.update', toEdit(thread, ts, message));
    return ts;
  } catch (error) {
    if (!(error instanceof SlackRefusal) || isUnreachable(error) || isUnfit(error)) throw error;
    return post(around, thread, message);
  }
}

/** What some workspaces do not let anybody delete says that it is over, and has no buttons. Throws `SlackRefusal` where Slack cannot be reached. */
async function remove({ api, log }: Around, thread: Thread, ts: string): Promise<void> {
  try {
    await api.call('chat.delete', { channel: thread.channel, ts });
  } catch (error) {
    if (!(error instanceof SlackRefusal) || isUnreachable(error)) throw error;
    log.detail(`A message could not be taken away: ${oneLine(error.message)}`);
    const words = 'The answer is in this thread.';
    await api.call('chat.update', toEdit(thread, ts, { text: words, blocks: [toNote(words)] })).catch(() => {});
  }
}

/** Who reads that it is in a file, and finds none, is told. Throws `SlackRefusal` where Slack cannot be reached: then it is added later. */
async function addFile(around: Around, { thread, isLastTry }: Shown, file: AddedFile): Promise<void> {
  const { api, log } = around;
  const { channel, ts: threadTs } = thread;
  try {
    await upload(api, { channel, threadTs, ...file });
  } catch (error) {
    if (!(error instanceof SlackRefusal) || (isUnreachable(error) && !isLastTry)) throw error;
    log.fail(`The file ${file.name} could not be added: ${oneLine(error.message)}`);
    const why = error.scope === undefined ? error.word : `the app lacks the scope ${error.scope}`;
    const words = `Slack did not take the file ${file.name}: ${why}. All of it is kept in the session.`;
    await post(around, thread, { text: words, blocks: [toNote(words)] });
  }
}

function toShown({ text, blocks }: SlackMessage) {
  return { text, blocks, unfurl_links: false, unfurl_media: false };
}
