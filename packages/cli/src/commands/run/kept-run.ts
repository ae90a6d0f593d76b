// The session that a run at the terminal is kept as: a new one, or one that goes on.

import { flagBudgetOf, type LoadedAgent } from '@ai-agent/agents';
import {
  type Agent,
  AgentError,
  type AgentEvent,
  type Budget,
  firstRound,
  type JsonObject,
  type KeptRound,
  type NewHead,
  nextRound,
  type Outcome,
  type Question,
  type SessionHead,
  toFailure,
} from '@ai-agent/core';
import { homeFolder, whyNoHome } from '../../assemble.ts';
import { atTerminal } from '../../at-terminal.ts';
import { checkSaid } from '../../check-said.ts';
import { exitCodes } from '../../exit-codes.ts';
import { findSession, lastSession } from '../../find-session.ts';
import type { KeptSessions } from '../../kept-sessions.ts';
import { leaveAtOnce } from '../../leave-at-once.ts';
import { systemClock } from '../../platform.ts';
import { isAddress } from '../../store-choice.ts';
import { toQuoted } from '../shell-word.ts';
import type { Going } from './going.ts';

/** What it needs of the place where it is kept. */
export type Keeping = Pick<KeptSessions, 'ports' | 'inTime' | 'unkept' | 'choice' | 'place'>;

export class KeptRun {
  readonly #sessions: Keeping;
  readonly #round: KeptRound;
  #written: Promise<void> | undefined;

  constructor(sessions: Keeping, round: KeptRound) {
    this.#sessions = sessions;
    this.#round = round;
  }

  /** Stays the same when it goes on. */
  get id(): string {
    return this.#round.head.id;
  }

  /** The file that it began with, where it began with one. */
  get source(): string | undefined {
    return this.#round.head.source;
  }

  /** Its id, and where it is found unless that is where everybody looks. */
  get inWords(): string {
    const flag = toStoreFlag(this.#sessions);
    return flag === '' ? this.id : `${this.id} (find it with${flag})`;
  }

  /** What its session is given beside the agent: also the answer that was wanted at first. */
  get given(): KeptRound['given'] & Pick<SessionHead, 'output'> {
    const { given, head } = this.#round;
    return { ...given, ...(head.output ? { output: head.output } : {}) };
  }

  /** The agent with the budget of this session, which may come from the flags of an earlier run. */
  withBudget(agent: Agent): Agent {
    const { budget } = this.#round.head;
    return budget ? { ...agent, budget: { ...agent.budget, ...budget } } : agent;
  }

  /** What its session is asked: the answer, where it had asked. */
  get prompt(): KeptRound['prompt'] {
    return this.#round.prompt;
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

export type About = Pick<NewHead, 'agent' | 'output' | 'budget'> & { readonly source: string };

export function aboutOf(loaded: LoadedAgent): About {
  const budget = flagBudgetOf(loaded);
  return { agent: loaded.name, source: loaded.file, ...(budget ? { budget } : {}) };
}

export interface Saying {
  readonly agent: Agent;
  readonly prompt: string;
  /** @default it begins a new session */
  readonly going?: Going | undefined;
  /** Whether files go with the prompt. */
  readonly hasFiles: boolean;
}

/** Nothing without a store. Throws what `findGoing`, `checkSaid` and `nextRound` throw. */
export async function keepRun(
  sessions: KeptSessions | undefined,
  about: About,
  { agent, prompt, going, hasFiles }: Saying,
): Promise<KeptRun | undefined> {
  if (going) {
    const found = await findGoing(sessions, about, going);
    if (found.head.question && hasFiles)
      throw new AgentError('session-input-invalid', 'No file goes with the answer to a question.', {
        remedy: 'Leave out --attach.',
      });
    const said = found.head.question ? await inAnswer(found.head.question, prompt) : prompt;
    checkSaid(agent, found.head, said);
    const keeper = { ...found.sessions.keeper, texts: agent.texts };
    const next = { prompt: said, budget: nextBudget(found.head, about) };
    return new KeptRun(found.sessions, await nextRound(keeper, found.head, next));
  }
  return sessions && new KeptRun(sessions, firstRound(sessions.keeper, { ...about, ...atTerminal }, prompt));
}

/** An answer continues the budget that flags set for the run that asked. Flags of its own replace it, amount by amount. */
export function nextBudget({ question, budget }: SessionHead, about: About): Budget {
  return question ? { ...budget, ...about.budget } : { ...about.budget };
}

/** Forms are loaded when there is one to fill in. */
async function inAnswer(question: Question, words: string): Promise<string | JsonObject> {
  const { toAnswer } = await import('./answer-words.ts');
  return toAnswer(question, words);
}

/** The session that is gone on with. Throws `session-unknown`, also when it is one of another agent. */
export async function findGoing(
  sessions: KeptSessions | undefined,
  about: About,
  going: Going,
): Promise<{ readonly sessions: KeptSessions; readonly head: SessionHead }> {
  if (!sessions) {
    const why = homeFolder() === undefined ? whyNoHome() : 'the section store of the configuration says so';
    const remedy = 'Name the store with --store.';
    throw new AgentError('session-unknown', `No sessions are kept here: ${why}.`, { remedy });
  }
  const head = 'session' in going ? await findSession(sessions, going.session) : await lastSession(sessions, about);
  if (head.agent === about.agent) return { sessions, head };
  throw new AgentError('session-unknown', `The session ${head.id} is one of ${head.agent}, not of ${about.agent}.`, {
    remedy: `Name the file of ${head.agent}: ai-agent sessions show ${head.id} says which it was.`,
  });
}
