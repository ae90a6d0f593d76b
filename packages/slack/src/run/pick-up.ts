// Runs that nobody tells of any more: cut off with their process, or ended while Slack could not be reached. Their threads are told.

import { isUnderWay, outcomeOf, roundIdOf, type SessionHead } from '@ai-agent/core';
import { isUnreachable, SlackRefusal } from '../connect/slack-api.ts';
import type { Surroundings } from '../surroundings.ts';
import { deliver, showFailed } from './deliver.ts';
import { type EndingMessages, linkOf, toCutOff, toEnding, toRefusal } from './ending.ts';
import { findStatus } from './find-status.ts';
import { findLeftovers } from './leftovers.ts';
import type { RunNote, Told } from './run-notes.ts';
import { childrenOf } from './run-view.ts';
import { keyOf } from './threads.ts';

const cutOff = 'The server stopped while I was at work on this. What was done is kept: retry, or write here to go on.';
const neverBegan = 'The server stopped before I began with this: ask or press again.';

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
  for (const session of await runNotes.sessions()) {
    const note = await runNotes.get(session);
    if (isOver()) return;
    // Whoever is at work in its thread sees to it.
    if (!note || lanes.count(keyOf(note.thread)) > 0 || desk.clock.now() < (note.notBeforeMs ?? 0)) continue;
    lanes
      .enter(keyOf(note.thread), () => takeUp(around, session, note))
      .catch((error: unknown) => (isUnreachable(error) ? undefined : log.bug(error)));
  }
}

async function takeUp(around: Surroundings, session: string, note: RunNote): Promise<void> {
  const { desk, runNotes, holds } = around;
  const head = await desk.find(session);
  if (!head) return runNotes.delete(session);
  if (isUnderWay(head)) return;
  // Of a process that is known to be gone nobody waits for a sign.
  const held = await holds.tryTake(note.thread, head.status === 'interrupted' ? note.owner : undefined);
  if (!held) return;
  try {
    // Another server may have told of it between our look and our claim.
    const last = await runNotes.get(session);
    if (last?.statusTs === note.statusTs) await settleLeft(around, last, head);
  } finally {
    await held.letGo();
  }
}

/** Tells in its thread, which is ours alone now, what became of a run that nobody tells of any more. Throws `SlackRefusal` where Slack cannot be reached: then its note is for later. */
export async function settleLeft(around: Surroundings, note: RunNote, head: SessionHead): Promise<void> {
  const { runNotes, unbegun, log, api } = around;
  const { thread, streamTs, said } = note;
  const statusTs = await statusOf(around, note);
  if (said !== undefined) await unbegun.delete(said);
  try {
    if (streamTs !== undefined) await api.attempt('chat.stopStream', { channel: thread.channel, ts: streamTs });
    await tellLate(around, { ...note, statusTs }, head);
  } catch (error) {
    if (isUnreachable(error)) {
      await putOff(around, head.id);
      throw error;
    }
    // What Slack refuses it refuses the next time too; and nothing is to look as if it were at work.
    if (!(error instanceof SlackRefusal)) log.bug(error);
    if (statusTs !== '') await showFailed(around, thread, statusTs);
  }
  await runNotes.delete(head.id);
}

/** Empty where nothing shows it at work. */
async function statusOf(around: Surroundings, { thread, statusTs, afterTs }: RunNote): Promise<string> {
  if (statusTs !== '' || afterTs === undefined) return statusTs;
  return (await findStatus(around, thread, afterTs)) ?? '';
}

/** How far it came stands in it meanwhile. */
async function putOff({ runNotes, desk }: Surroundings, session: string): Promise<void> {
  const note = await runNotes.get(session);
  if (!note) return;
  const { tries = 0 } = note;
  const pauseMs = Math.min(longestPauseMs, everyMs * 2 ** tries);
  await runNotes.put(session, { ...note, tries: tries + 1, notBeforeMs: desk.clock.now() + pauseMs });
}

/** What it came to. */
async function tellLate(around: Surroundings, note: RunNote, head: SessionHead): Promise<void> {
  const { threads, runNotes } = around;
  const { thread, statusTs, streamTs, told, tries = 0, round } = note;
  const onTold = (more: Told) => runNotes.put(head.id, { ...note, told: more });
  const known = await threads.get(thread);
  // What stands behind the messages of a run that is not the last there may be of another.
  const isOurs = known?.session === head.id && !note.isOlder;
  const leftovers = isOurs ? await findLeftovers(around, thread, statusTs) : [];
  const isLastTry = tries >= mostTries;
  const shown = { thread, statusTs, streamTs, isNews: true, told, onTold, leftovers, isLastTry };
  const askedTs = await deliver(around, shown, await endingOf(around, note, head));
  if (head.question && round === head.resumptions && known?.session === head.id)
    await threads.put(thread, { ...known, askedTs });
}

async function endingOf(around: Surroundings, note: RunNote, head: SessionHead): Promise<EndingMessages> {
  const { desk, settings } = around;
  if (head.status === 'interrupted') return toCutOff(cutOff, { head, asker: note.asker });
  // Its session stands as it stood before: this round of it was never begun.
  if (note.round !== head.resumptions) return toRefusal({ message: neverBegan });
  const facts = (await desk.facts(head)).filter(({ trace }) => trace.originId === roundIdOf(head));
  const outcome = outcomeOf(facts);
  if (!outcome) return toRefusal(head.failure ?? { message: cutOff });
  const children = outcome.tree ? childrenOf(outcome.tree, 0).length : 0;
  return toEnding(outcome, { head, asker: note.asker, children, link: linkOf(settings, head) });
}
