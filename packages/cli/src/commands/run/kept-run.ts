// The session that a run at the terminal is kept as: a new one, or one that goes on.

import {
  AgentError,
  type AgentEvent,
  firstRound,
  type KeptRound,
  type NewHead,
  nextRound,
  type Outcome,
  type SessionHead,
  toFailure,
} from '@ai-agent/core';
import { atTerminal } from '../../at-terminal.ts';
import { exitCodes } from '../../exit-codes.ts';
import { findSession, lastSession } from '../../find-session.ts';
import type { KeptSessions } from '../../kept-sessions.ts';
import { leaveAtOnce } from '../../leave-at-once.ts';
import { systemClock } from '../../platform.ts';
import { isAddress } from '../../store-choice.ts';
import { toQuoted } from '../shell-word.ts';
import type { Going } from './going.ts';

export class KeptRun {
  readonly #sessions: KeptSessions;
  readonly #round: KeptRound;
  #written: Promise<void> | undefined;

  constructor(sessions: KeptSessions, round: KeptRound) {
    this.#sessions = sessions;
    this.#round = round;
  }

  /** Stays the same when it goes on. */
  get id(): string {
    return this.#round.head.id;
  }

  /** What its session is given beside the agent: also the answer that was wanted at first. */
  get given(): KeptRound['given'] & Pick<SessionHead, 'output'> {
    const { given, head } = this.#round;
    return { ...given, ...(head.output ? { output: head.output } : {}) };
  }

  get ports(): KeptSessions['ports'] {
    return this.#sessions.ports;
  }

  readonly onEvent = (event: AgentEvent): void => this.#round.onEvent(event);

  /** `told` is the outcome as its facts have it. */
  end(outcome: Outcome, told: Outcome): void {
    const { text } = outcome;
    const limit = 'limit' in outcome && !('limit' in told) ? outcome.limit : undefined;
    this.#written = this.#round.end({
      ...outcome,
      ...(text === told.text ? {} : { draft: text }),
      ...(limit === undefined ? {} : { limit }),
    });
  }

  /** When the store has all of it, or is not waited for any longer: whether it has. */
  async isKept(): Promise<boolean> {
    if (this.#written) await this.#sessions.inTime(this.#written);
    return this.#sessions.unkept === undefined;
  }

  /** The session could not even be made. */
  async undo(error: unknown): Promise<void> {
    if (this.#written) return;
    this.#written = this.#round.undo(toFailure(error));
    await this.#sessions.inTime(this.#written);
  }

  /** The process ends, and its outcome is not waited for. */
  async abandon(): Promise<void> {
    this.#written ??= this.#round.end({ status: 'cancelled', endedAt: systemClock.now() });
    await this.#sessions.inTime(this.#written);
    if (this.#sessions.unkept?.isStuck) leaveAtOnce(exitCodes.byClass.cancelled);
  }

  /** The command that goes on with it. */
  resumeWith(words: string): string {
    return `ai-agent sessions resume ${this.id} ${words}${toStoreFlag(this.#sessions)}`;
  }
}

/** Nothing where everybody looks anyway. */
export function toStoreFlag({ choice: { isUsual, where }, place }: Pick<KeptSessions, 'choice' | 'place'>): string {
  if (isUsual) return '';
  return ` --store ${toQuoted(isAddress(where) ? place : where)}`;
}

export type About = Pick<NewHead, 'agent' | 'output'> & { readonly source: string };

interface Wanted {
  readonly prompt: string;
  readonly going?: Going | undefined;
  /** Whether files go with the prompt. */
  readonly hasFiles: boolean;
}

/** Nothing without a store. A new session, unless it goes on with another. Throws what `keepGoing` throws. */
export async function keepRun(
  sessions: KeptSessions | undefined,
  about: About,
  { prompt, going, hasFiles }: Wanted,
): Promise<KeptRun | undefined> {
  if (!sessions && going) throw storeless();
  if (!sessions) return undefined;
  if (!going) return new KeptRun(sessions, firstRound(sessions.keeper, { ...about, ...atTerminal }, prompt));
  const { store } = sessions;
  const head = 'session' in going ? await findSession(store, going.session) : await lastSession(store, about);
  return keepGoing(sessions, about, { head, said: prompt, hasFiles });
}

function storeless(): AgentError {
  const remedy = 'Name the store with --store, or set HOME.';
  return new AgentError('session-unknown', 'No session is kept here: there is no store.', { remedy });
}

/** Throws what `nextRound` throws, and `session-unknown` when it is one of another agent. */
async function keepGoing(
  sessions: KeptSessions,
  { agent }: About,
  { head, said, hasFiles }: { readonly head: SessionHead; readonly said: string; readonly hasFiles: boolean },
): Promise<KeptRun> {
  if (head.question && hasFiles)
    throw new AgentError('session-input-invalid', 'No file goes with the answer to a question.', {
      remedy: 'Leave out --attach.',
    });
  if (head.agent !== agent)
    throw new AgentError('session-unknown', `The session ${head.id} is one of ${head.agent}, not of ${agent}.`, {
      remedy: `Name the file of ${head.agent}: ai-agent sessions show ${head.id} says which it was.`,
    });
  return new KeptRun(sessions, await nextRound(sessions.keeper, head, said));
}
