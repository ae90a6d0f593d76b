// The one session that is named, with everything that is kept of it.

import { existsSync } from 'node:fs';
import type { Question, SessionHead } from '@ai-agent/core';
import type { Misuse, Words } from '../../arguments.ts';
import { atTerminal } from '../../at-terminal.ts';
import { findSession } from '../../find-session.ts';
import type { Terminal } from '../../terminal.ts';
import { toStoreFlag } from '../run/kept-run.ts';
import { type KeptSession, readSession } from './kept-session.ts';
import { opened, withStore } from './with-store.ts';

export interface Around {
  /** What a command has to say to find it again; empty where everybody looks. */
  readonly storeFlag: string;
}

/** Throws `session-unknown`. */
export async function withSession(
  words: Words,
  terminal: Terminal,
  work: (session: KeptSession, around: Around) => Promise<number | Misuse>,
): Promise<number | Misuse> {
  const [id, other] = words.words;
  if (!id) return { problem: 'Which session? Write its id, or the first letters of it; sessions list has them.' };
  if (other) return { problem: `One session at a time; "${other.text}" is one too many.` };
  return withStore(words, terminal, async (found) => {
    const sessions = opened(found);
    const head = await findSession(sessions, id.text);
    return work(await readSession(sessions.store, head), { storeFlag: toStoreFlag(sessions) });
  });
}

/** The command that goes on with it. */
export function resumeWith(head: SessionHead, words: string): string {
  return `ai-agent sessions resume ${head.id} ${words}${fileOf(head) === undefined ? ' --agent-file …' : ''}`;
}

/** The file of its agent, where that is known; that of a server may be on another machine. */
export function fileOf({ source, headend }: SessionHead): string | undefined {
  return source !== undefined && (headend === atTerminal.headend || existsSync(source)) ? source : undefined;
}

/** The command that answers what it asks. */
export function answerWith(head: SessionHead, { type }: Question): string {
  return resumeWith(head, type === 'approval' ? '--answer yes' : '--answer "…"');
}
