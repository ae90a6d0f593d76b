// A round of a stored session without a server: the input of its run, and the records of it.

import type { Budget } from './budget.ts';
import { AgentError, type Failure } from './errors.ts';
import type { AgentEvent } from './events.ts';
import { continuationOf, withUsage } from './go-on.ts';
import type { JsonObject } from './json.ts';
import type { Outcome } from './outcome.ts';
import type { Clock, Ids } from './ports.ts';
import { readAnswer } from './question.ts';
import type { AIAgentSessionConfig } from './session-config.ts';
import { type Recording, SessionRecord } from './session-record.ts';
import { isUnderWay, type SessionHead, withoutEnd } from './session-store.ts';
import type { Texts } from './texts.ts';

export interface Keeper extends Recording {
  readonly clock: Pick<Clock, 'now'>;
  readonly ids: Ids;
  /** What its agent has in other words. @default the sentences of core */
  readonly texts?: Partial<Texts> | undefined;
}

export type NewHead = Pick<SessionHead, 'agent' | 'owner' | 'user' | 'headend' | 'source' | 'budget' | 'output'>;

export interface KeptRound {
  readonly head: SessionHead;
  /** What its session is given: under this id, with what was said before, or with the question that is answered. */
  readonly given: Pick<AIAgentSessionConfig, 'sessionId' | 'history' | 'continues' | 'resume'>;
  /** What its session is asked. */
  readonly prompt: string | JsonObject;
  /** Hears every fact of it; hints are passed over. */
  readonly onEvent: (event: AgentEvent) => void;
  /** What came of it. Settles when the store has everything, or has failed to take it. */
  end(outcome: RoundEnd): Promise<void>;
  /** Its session could not even be made: what it goes on with is as it was before. */
  undo(failure: Failure): Promise<void>;
}

/** As much of an outcome as is known; `draft` and `limit` where its facts do not say them. */
export type RoundEnd = Pick<Outcome, 'status' | 'endedAt'> &
  Partial<Pick<Outcome, 'incomplete'>> &
  Waits &
  Pick<SessionHead, 'draft' | 'limit'>;

/** A new session. */
export function firstRound(keeper: Keeper, about: NewHead, prompt: string | JsonObject): KeptRound {
  const id = keeper.ids.next();
  const createdAt = keeper.clock.now();
  const head: SessionHead = { ...about, id, isDetached: false, status: 'running', createdAt, facts: 0, resumptions: 0 };
  return openRound(keeper, { head }, { prompt, given: { sessionId: id } });
}

export interface NextRound {
  /** A message, or the answer to the question of the session. */
  readonly prompt: string | JsonObject;
  /** @default the budget of the round before */
  readonly budget?: Budget;
}

/**
 * Goes on with one: a question that it has asked is answered with what is said now. Throws `session-busy`, `question-unknown` when
 * what it had done is not kept any more, `answer-invalid`.
 */
export async function nextRound(keeper: Keeper, before: SessionHead, next: NextRound): Promise<KeptRound> {
  const { id, question } = before;
  const { store, texts } = keeper;
  const { prompt, budget = before.budget ?? {} } = next;
  const going = question ? await answered(keeper, before, prompt) : await continuationOf(store, before, texts);
  const { budget: _, ...sameHead } = nextHead(await withUsage(store, before), 'running');
  const head = { ...sameHead, ...(Object.keys(budget).length > 0 ? { budget } : {}) };
  if (isUnderWay(before) || !(await store.claim(head)))
    throw new AgentError('session-busy', `The session ${id} is at work, or somebody else has gone on with it.`);
  return openRound(keeper, { head, before }, { prompt, given: { sessionId: roundIdOf(head), ...going } });
}

async function answered(
  { store }: Keeper,
  { id, question, resume }: SessionHead,
  answer: string | JsonObject,
): Promise<{ readonly resume: string }> {
  if (question) readAnswer(question, answer);
  if (resume !== undefined && (await store.pauses?.get(resume))) return { resume };
  throw forgotten(id);
}

/** A session whose question is known, and what led to it is not. */
export function forgotten(id: string): AgentError {
  const message = `What the session ${id} had done when it asked is not kept any more, so it cannot be gone on with.`;
  return new AgentError('question-unknown', message, { remedy: 'Ask again from the beginning, in a new session.' });
}

/** The head of the round after this one. */
export function nextHead(before: SessionHead, status: 'queued' | 'running'): SessionHead {
  const { facts: earlierFacts, resumptions } = before;
  return { ...withoutEnd(before), status, resumptions: resumptions + 1, earlierFacts };
}

/** For the head of a round that has ended. A run that was cancelled has no answer, so nothing is missing from it. */
export function incompleteCountOf({ status, incomplete = [] }: RoundEnd): Pick<SessionHead, 'incompleteCount'> {
  return incomplete.length > 0 && status !== 'cancelled' ? { incompleteCount: incomplete.length } : {};
}

/** What the run of its last round is called. */
export function roundIdOf({ id, resumptions }: Pick<SessionHead, 'id' | 'resumptions'>): string {
  return resumptions === 0 ? id : `${id}-${resumptions + 1}`;
}

/** Which round of a session a run is, from 1, by what it is called. */
export function roundNumberOf(id: string, roundId: string): number {
  return roundId === id ? 1 : Number(roundId.slice(id.length + 1));
}

interface Heads {
  readonly head: SessionHead;
  /** As it was, when it goes on. */
  readonly before?: SessionHead;
}

function openRound(
  keeper: Keeper,
  { head, before }: Heads,
  { prompt, given }: Pick<KeptRound, 'prompt' | 'given'>,
): KeptRound {
  const record = new SessionRecord(head, keeper);
  record.put(head);
  return {
    get head() {
      return record.head;
    },
    given,
    prompt,
    onEvent: (event) => {
      if (event.kind === 'fact') record.tell(event);
    },
    async end(outcome) {
      const { status, endedAt, draft, limit } = outcome;
      const isOpen = before && (status === 'failed' || status === 'cancelled') && (await stillAsks(keeper, before));
      record.put({
        ...withoutEnd(record.head),
        status,
        endedAt,
        ...waitsOf(isOpen ? before : outcome),
        ...(draft === undefined ? {} : { draft }),
        ...(limit === undefined ? {} : { limit }),
        ...incompleteCountOf(outcome),
        facts: record.count,
      });
      await record.whenWritten();
    },
    async undo(failure) {
      record.put(before ?? { ...record.head, status: 'failed', endedAt: keeper.clock.now(), failure });
      await record.whenWritten();
    },
  };
}

/** An answer is taken only by a run that can go on: where that has not begun, the question is still open. */
async function stillAsks({ store }: Keeper, { question, resume }: SessionHead): Promise<boolean> {
  if (!question || resume === undefined) return false;
  try {
    return (await store.pauses?.get(resume)) !== undefined;
  } catch {
    return false;
  }
}

/** What a session waits for, and the handle to go on with. */
export type Waits = Pick<SessionHead, 'question' | 'calls' | 'resume'>;

/** Of whatever has more: of an outcome, or of a head. */
export function waitsOf({ question, calls, resume }: Waits): Waits {
  return {
    ...(question ? { question } : {}),
    ...(calls ? { calls } : {}),
    ...(resume === undefined ? {} : { resume }),
  };
}
