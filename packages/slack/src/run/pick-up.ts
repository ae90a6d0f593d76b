// Runs that nobody tells of any more: cut off with their process, or ended while Slack could not be reached. Their threads are told.

import { type Fact, isUnderWay, outcomeOf, roundIdOf, type SessionHead } from '@ai-agent/core';
import { isUnreachable, SlackRefusal } from '../connect/slack-api.ts';
import type { Surroundings } from '../surroundings.ts';
import { deliver, showFailed } from './deliver.ts';
import { type EndingMessages, linkOf, toCutOff, toEnding, toRefusal } from './ending.ts';
import { findStatus } from './find-status.ts';
import { findLeftovers } from './leftovers.ts';
import { type RunNote, sessionOf, type Told } from './run-notes.ts';
import { childrenOf } from './run-view.ts';
import { keyOf } from './threads.ts';

const cutOff = 'The server stopped while I was at work on this. What was done is kept: retry, or write here to go on.';
const neverBegan = 'The server stopped before I began with this: ask or press again.';
const neverWentOn = 'The server stopped before I went on with this: write it here once more.';

/** A process that is gone is known to be soon after: the one before us, or another beside us. */
const everyMs = 10_000;
/** What could not be told is tried again after growing pauses. */
const longestPauseMs = 10 * 60_000;
/** So often a file is tried that cannot be brought. */
const mostTries = 3;

/** At once and then again and again; returns how to call it off. `takeUp` is given what was said and has not begun, by its name in `Unbegun`: it never rejects, and is not waited for. */
export function watchLeft(around: Surroundings, takeUp: (said: string) => void): () => void {
  const { clock } = around.desk;
  let isOver = false;
  let unset = () => {};
  const look = async () => {
    await pickUp(around, () => isOver);
    // Behind those that are told of: what was said to them waited for them.
    for (const said of await around.unbegun.names()) if (!isOver) takeUp(said);
    if (!isOver) unset = clock.after(everyMs, () => void look(), true);
  };
  void look();
  return () => {
    isOver = true;
    unset();
  };
}

/** Never rejects: what goes wrong with one, or takes long, keeps nobody from the others. */
async function pickUp(around: Surroundings, isOver: () => boolean): Promise<void> {
  const { runNotes, lanes, log, desk } = around;
  for (const name of await runNotes.names()) {
    const note = await runNotes.get(name);
    if (isOver()) return;
    // Whoever is at work in its thread sees to it.
    if (!note || lanes.count(keyOf(note.thread)) > 0 || desk.clock.now() < (note.notBeforeMs ?? 0)) continue;
    lanes
      .enter(keyOf(note.thread), () => takeUp(around, name, note))
      .catch((error: unknown) => (isUnreachable(error) ? undefined : log.bug(error)));
  }
}

async function takeUp(around: Surroundings, name: string, note: RunNote): Promise<void> {
  const { desk, runNotes, holds } = around;
  const head = await desk.find(sessionOf(name));
  if (!head) return runNotes.delete(name);
  if (isUnderWay(head)) return;
  // Of a process that is known to be gone nobody waits for a sign. Another one may be about to begin the next round, which says nothing of it.
  const isGone = head.status === 'interrupted' && note.round === head.resumptions;
  const held = await holds.tryTake(note.thread, isGone ? note.owner : undefined);
  if (!held) return;
  try {
    // Another server may have told of it between our look and our claim.
    const last = await runNotes.get(name);
    if (last?.statusTs === note.statusTs) await settleLeft(around, { name, note: last }, head);
  } finally {
    await held.letGo();
  }
}

/** A run of which something is left to tell. */
export interface Left {
  /** Of its note. */
  readonly name: string;
  readonly note: RunNote;
}

/**
 * Tells in its thread, which is ours alone now, what became of a run that nobody tells of any more; of one that never began
 * there is nothing to tell: what was said is answered anew. Throws `SlackRefusal` where Slack cannot be reached: then its
 * note is for later.
 */
export async function settleLeft(around: Surroundings, left: Left, head: SessionHead): Promise<'told' | 'unbegun'> {
  const { runNotes, unbegun, log, api } = around;
  const { name, note } = left;
  const { thread, streamTs, said } = note;
  const isEmpty = await hasDoneNothing(around, note, head);
  if (isEmpty && (await putBack(around, left))) return 'unbegun';
  const statusTs = await statusOf(around, note);
  if (said !== undefined) await unbegun.delete(said);
  try {
    if (streamTs !== undefined) await api.attempt('chat.stopStream', { channel: thread.channel, ts: streamTs });
    const ending = isEmpty ? toUnbegun(note, head) : await endingOf(around, left, head);
    await tellLate(around, { name, note: { ...note, statusTs } }, { head, ending });
  } catch (error) {
    if (isUnreachable(error)) {
      await putOff(around, name);
      throw error;
    }
    // What Slack refuses it refuses the next time too; and nothing is to look as if it were at work.
    if (!(error instanceof SlackRefusal)) log.bug(error);
    if (statusTs !== '') await showFailed(around, thread, statusTs);
  }
  await runNotes.delete(name);
  return 'told';
}

/** Whether it waited for a place when its process went. */
async function hasDoneNothing({ desk }: Surroundings, { round }: RunNote, head: SessionHead): Promise<boolean> {
  if (head.status !== 'interrupted' || round !== head.resumptions) return false;
  return (await factsOfRound(desk, head)).length === 0;
}

/** The thread is as it was. Whether what was said is noted, as if nobody had heard it yet. */
async function putBack({ threads, unbegun, runNotes }: Surroundings, { name, note }: Left): Promise<boolean> {
  const { thread, before, said } = note;
  if ((await threads.get(thread))?.session === sessionOf(name)) await threads.restore(thread, before);
  if (said === undefined || !(await unbegun.get(said))) return false;
  await unbegun.leave(said);
  await runNotes.delete(name);
  return true;
}

/** An answer was taken with its question: that cannot be pressed again. */
function toUnbegun({ before }: RunNote, { id }: SessionHead): EndingMessages {
  return toRefusal({ message: before?.session === id ? neverWentOn : neverBegan });
}

async function factsOfRound(desk: Surroundings['desk'], head: SessionHead): Promise<readonly Fact[]> {
  return (await desk.facts(head)).filter(({ trace }) => trace.originId === roundIdOf(head));
}

/** Empty where nothing shows it at work. */
async function statusOf(around: Surroundings, { thread, statusTs, afterTs }: RunNote): Promise<string> {
  if (statusTs !== '' || afterTs === undefined) return statusTs;
  return (await findStatus(around, thread, afterTs)) ?? '';
}

/** How far it came stands in it meanwhile. */
async function putOff({ runNotes, desk }: Surroundings, name: string): Promise<void> {
  const note = await runNotes.get(name);
  if (!note) return;
  const { tries = 0 } = note;
  const pauseMs = Math.min(longestPauseMs, everyMs * 2 ** tries);
  await runNotes.put(name, { ...note, tries: tries + 1, notBeforeMs: desk.clock.now() + pauseMs });
}

/** What it came to. */
async function tellLate(around: Surroundings, { name, note }: Left, { head, ending }: Late): Promise<void> {
  const { threads, runNotes } = around;
  const { thread, statusTs, streamTs, told, tries = 0, round } = note;
  const onTold = (more: Told) => runNotes.put(name, { ...note, told: more });
  const known = await threads.get(thread);
  // What stands behind the messages of a run that is not the last there may be of another.
  const isOurs = known?.session === head.id && name === head.id && !note.isOlder;
  const leftovers = isOurs ? await findLeftovers(around, thread, statusTs) : [];
  const isLastTry = tries >= mostTries;
  // Of what was cut off, what people have read is all there is.
  const keepsStream = name === head.id && head.status === 'interrupted';
  const shown = { thread, statusTs, streamTs, isNews: true, told, onTold, leftovers, isLastTry, keepsStream };
  const askedTs = await deliver(around, shown, ending);
  if (head.question && round === head.resumptions && known?.session === head.id)
    await threads.put(thread, { ...known, askedTs });
}

interface Late {
  readonly head: SessionHead;
  readonly ending: EndingMessages;
}

async function endingOf(around: Surroundings, { name, note }: Left, last: SessionHead): Promise<EndingMessages> {
  const { desk, settings } = around;
  // Its session has gone on since: how that stands says nothing of this round.
  const isEarlier = name !== last.id;
  const head = isEarlier ? { ...last, resumptions: note.round } : last;
  if (!isEarlier && head.status === 'interrupted') return toCutOff(cutOff, { head, asker: note.asker });
  // Its session stands as it stood before: this round of it was never begun.
  if (note.round !== head.resumptions) return toRefusal({ message: neverBegan });
  const outcome = outcomeOf(await factsOfRound(desk, head));
  if (!outcome) return toRefusal(head.failure ?? { message: cutOff });
  const children = outcome.tree ? childrenOf(outcome.tree, 0).length : 0;
  return toEnding(outcome, { head, asker: note.asker, children, link: linkOf(settings, head) });
}
