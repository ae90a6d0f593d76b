// `ai-agent sessions delete <id…>`, or all that filters name: gone for good, with their facts and questions.

import { isUnderWay, type SessionHead } from '@ai-agent/core';
import { flagValue, type Misuse, type Words } from '../../arguments.ts';
import { exitCodes } from '../../exit-codes.ts';
import { findSession } from '../../find-session.ts';
import type { KeptSessions } from '../../kept-sessions.ts';
import { systemClock } from '../../platform.ts';
import { toJson } from '../../render/to-json.ts';
import { shortId } from '../../short-id.ts';
import type { Terminal } from '../../terminal.ts';
import { confirm } from './confirm.ts';
import { type Filters, isEmpty, readFilters, sessionsOf } from './filters.ts';
import { opened, withStore } from './with-store.ts';

export async function run(words: Words, terminal: Terminal): Promise<number | Misuse> {
  const filters = readFilters(words, systemClock.now());
  if ('problem' in filters) return filters;
  const isAll = flagValue(words, '--all') !== undefined;
  const isFiltered = isAll || !isEmpty(filters);
  if (words.words.length > 0 === isFiltered)
    return {
      problem: isFiltered
        ? 'Name sessions, or say which with --agent, --older-than and the like; not both.'
        : 'Which sessions? Name them, say which with --agent, --older-than and the like, or --all.',
    };
  return withStore(words, terminal, async (found) => {
    const sessions = opened(found);
    const meant = await gather(sessions, words, filters);
    const heads = meant.filter((head) => !isUnderWay(head));
    const isSure = await mayDelete(heads, { words, terminal, isFiltered });
    if (typeof isSure === 'object') return isSure;
    if (isSure) return remove(sessions, meant, { words, terminal, isFiltered });
    terminal.stderr.write('Nothing was deleted.\n');
    return isSure === undefined ? exitCodes.byClass.cancelled : exitCodes.declined;
  });
}

async function remove(
  { store, place }: KeptSessions,
  meant: readonly SessionHead[],
  { words, terminal: { stdout, stderr }, isFiltered }: Asking,
): Promise<number> {
  const deleted: string[] = [];
  const left: string[] = [];
  try {
    // What was at work when it was asked for may have ended since, and nobody has said yes to that.
    for (const head of meant) (!isUnderWay(head) && (await store.delete(head.id)) ? deleted : left).push(head.id);
  } catch (error) {
    // Why the others are not is said by whoever says every failure.
    if (deleted.length > 0) stderr.write(`${count(deleted.length)} deleted, and then no more.\n`);
    throw error;
  }
  if (flagValue(words, '--json') !== undefined) stdout.write(`${toJson({ deleted, left }, stdout)}\n`);
  else if (meant.length === 0) stderr.write(`Nothing is deleted: no such session is kept in ${place}.\n`);
  else stderr.write(`${count(deleted.length)} deleted.\n`);
  for (const id of left) stderr.write(`${shortId(id)} is at work, and is left alone.\n`);
  return left.length > 0 && !isFiltered ? exitCodes.usage : exitCodes.ok;
}

function count(sessions: number): string {
  return sessions === 1 ? '1 session is' : `${sessions} sessions are`;
}

async function gather(sessions: KeptSessions, { words }: Words, filters: Filters): Promise<readonly SessionHead[]> {
  if (words.length > 0) {
    const named = await Promise.all(words.map(({ text }) => findSession(sessions, text)));
    return [...new Map(named.map((head) => [head.id, head])).values()];
  }
  // First all of them: what is deleted cannot be the place where the next page begins.
  const heads: SessionHead[] = [];
  for await (const head of sessionsOf(sessions.store, filters)) heads.push(head);
  return heads;
}

interface Asking {
  readonly words: Words;
  readonly terminal: Terminal;
  readonly isFiltered: boolean;
}

/** Whoever names one knows it; whoever names a filter may not know how many it fits. Undefined after Ctrl-C. */
async function mayDelete(
  heads: readonly SessionHead[],
  { words, terminal, isFiltered }: Asking,
): Promise<boolean | Misuse | undefined> {
  const { openKeyboard } = terminal;
  if (heads.length < 2 || flagValue(words, '--yes', '-y') !== undefined) return true;
  if (openKeyboard) return confirm(`Delete ${heads.length} sessions for good?`, openKeyboard);
  return isFiltered ? { problem: `That would delete ${heads.length} sessions. Say --yes to do it.` } : true;
}
