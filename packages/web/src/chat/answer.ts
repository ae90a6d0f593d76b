// What an agent has come to in one round, at one moment: what it thinks, what it does, what it answers.

import { type IncompleteChild, incompleteIn, type Json } from '@ai-agent/core';
import { type Failure, isAtWork, type Status } from '../server/documents.ts';
import type { Round, Said } from '../session/round.ts';
import type { Picture } from '../session/session-view.ts';
import { askerOf } from './asker.ts';
import { type Doing, whatIsDone } from './doing.ts';

export interface Answer {
  readonly state:
    | { readonly type: 'queued' }
    | { readonly type: 'at-work'; readonly since: number }
    | { readonly type: 'over'; readonly status: Status };
  readonly text: string;
  /** The report of an agent that answers with JSON. */
  readonly report?: Json;
  /** What it thought and said before its answer, turn by turn. */
  readonly steps: readonly Said[];
  /** Whether it thinks now. */
  readonly isThinking?: boolean;
  /** The limit that has ended its work, `stop` where somebody has: it sums up what it has. */
  readonly wrapsUpBy?: string;
  /** Whether nobody can say what it does now. */
  readonly isUnheard?: boolean;
  /** What is done for it right now. */
  readonly doing: readonly Doing[];
  /** Whether its question is open: it is asked where one can answer. */
  readonly isAsking?: boolean;
  /** Who asked, where it ended with a question. */
  readonly asker?: string;
  readonly limit?: string;
  readonly failure?: Failure;
  /** Sub-agents whose work is missing from it. @default none */
  readonly incomplete?: readonly IncompleteChild[];
  readonly round?: Round;
  /** Whether nothing was asked after it. */
  readonly isLast?: boolean;
}

export function toAnswer(picture: Picture, round: Round, isLast: boolean): Answer {
  const status = statusOf(picture, round, isLast);
  const { ending } = round;
  if (!isAtWork({ status })) return toEnded(picture, round, { status, isLast });
  const text = textSoFar(picture, round);
  const thought = picture.live.thoughtOf(round.id);
  const isThinking = thought !== '' && text === '';
  const last = round.said.at(-1);
  const isSaid = last !== undefined && text === last.text && picture.live.textOf(round.id) === '';
  const before = isSaid ? [...round.said.slice(0, -1), { ...last, text: '' }] : round.said;
  const now = thought === '' ? [] : [{ turn: Number.MAX_SAFE_INTEGER, reasoning: thought, text: '' }];
  const wrapsUpBy = wrapsUp(round);
  return {
    state: { type: 'at-work', since: round.startedAt },
    text: ending?.text ?? text,
    steps: worthTelling([...before, ...now]),
    isThinking,
    isUnheard: picture.connection === 'lost',
    doing: whatIsDone(round, picture.live),
    round,
    ...(wrapsUpBy === undefined ? {} : { wrapsUpBy }),
  };
}

/** The limit that makes the turn which is taken now its last. */
export function wrapsUp(round: Round | undefined): string | undefined {
  return round?.ending ? undefined : round?.tree.session(round.id)?.turns.at(-1)?.limit;
}

function toEnded(
  { standing, live, rounds }: Picture,
  round: Round,
  { status, isLast }: { readonly status: Status; readonly isLast: boolean },
): Answer {
  const { ending } = round;
  const failure = ending && 'failure' in ending ? ending.failure : isLast ? standing?.failure : undefined;
  // Of one whose server is gone, or which has come to no answer, who looked on has what was written.
  const text = round.draft ?? ((isSaidBefore(round) ? '' : ending?.text) || live.textOf(round.id));
  const steps = round.said.map((said) => (said.text === text ? { ...said, text: '' } : said));
  return {
    state: { type: 'over', status },
    text,
    steps: worthTelling(steps),
    doing: [],
    round,
    isLast,
    isAsking: isLast && standing?.question !== undefined,
    ...(ending?.status === 'needs_user_input' ? { asker: askerOf(ending.question, rounds).name } : {}),
    ...(ending?.report === undefined ? {} : { report: ending.report }),
    ...(ending && 'limit' in ending ? { limit: ending.limit } : {}),
    ...(failure ? { failure } : {}),
    ...(hasIncompleteNote.has(status)
      ? { incomplete: incompleteIn(round.tree.session(round.id), { isInterrupted: status === 'interrupted' }) }
      : {}),
  };
}

const hasIncompleteNote: ReadonlySet<Status> = new Set(['completed', 'partial', 'interrupted']);

/** One that went on from an answer and has said nothing of its own ends with the words of the round before. */
function isSaidBefore({ asked, said, ending }: Round): boolean {
  return !asked && said.length === 0 && ending !== undefined && ending.status !== 'completed';
}

/** Its own end counts; one without an end is at work as long as the session is, and as long as its end may still be told. */
function statusOf({ standing, connection }: Picture, { ending, number }: Round, isLast: boolean): Status {
  if (ending) return ending.status;
  if (!isLast || !standing) return isLast ? 'running' : 'interrupted';
  const isOpen = standing.rounds > number || isAtWork(standing) || connection !== 'over';
  return isOpen ? 'running' : standing.status;
}

/** What is being written; between the last word and the end of the round, what was written. */
function textSoFar({ live }: Picture, round: Round): string {
  const text = live.textOf(round.id);
  if (text !== '') return text;
  const last = round.said.at(-1);
  const turn = round.tree.session(round.id)?.turns.at(-1);
  const isLastTurn = last !== undefined && turn?.number === last.turn;
  return isLastTurn && turn.operations.every(({ type }) => type === 'model') ? last.text : '';
}

function worthTelling(steps: readonly Said[]): readonly Said[] {
  return steps.filter(({ reasoning, text }) => reasoning !== '' || text !== '');
}
