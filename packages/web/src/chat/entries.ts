// A session as the messages of a talk: for each round what was asked and what came of it, and what was said before the first.

import type { FilePart, Message } from '@ai-agent/core';
import { isAtWork, type Standing } from '../server/documents.ts';
import type { Round } from '../session/round.ts';
import type { Picture } from '../session/session-view.ts';
import { type Answer, toAnswer } from './answer.ts';

/** What a person said. */
export interface Asked {
  readonly role: 'user';
  readonly id: string;
  readonly text: string;
  readonly files: readonly FilePart[];
  /** The round that it began, where its facts are known. */
  readonly round?: Round;
}

/** What an agent said in another talk, of which only the words are known. */
export interface Earlier {
  readonly role: 'assistant';
  readonly id: string;
  readonly text: string;
  readonly answer?: never;
}

export interface Answered {
  readonly role: 'assistant';
  readonly id: string;
  readonly answer: Answer;
}

export type Entry = Asked | Earlier | Answered;

/** What was sent and is in no fact yet. */
export interface Sent {
  readonly text: string;
  readonly files: readonly FilePart[];
  /** How many rounds there were before. */
  readonly after: number;
}

/** A session that this page has just begun: what is known of it before it is read. */
export interface Begun {
  readonly standing: Standing;
  readonly sent: Sent;
}

/** Entries of rounds that are over stay the same objects: they are not drawn again. */
export class Entries {
  readonly #over = new WeakMap<Round, { readonly draft: string | undefined; readonly entries: readonly Entry[] }>();
  readonly #earlier = new WeakMap<Round, readonly Entry[]>();

  of(picture: Picture, sent: Sent | undefined): readonly Entry[] {
    const { rounds } = picture;
    const said = rounds.flatMap((round, i) => this.#ofRound(picture, round, i === rounds.length - 1));
    return [...this.#before(rounds[0]), ...said, ...pendingIn(picture, sent)];
  }

  #before(first: Round | undefined): readonly Entry[] {
    if (!first) return [];
    const entries = this.#earlier.get(first) ?? earlierIn(first);
    this.#earlier.set(first, entries);
    return entries;
  }

  #ofRound(picture: Picture, round: Round, isLast: boolean): readonly Entry[] {
    const kept = isLast ? undefined : this.#over.get(round);
    // Of what never came to an end more may become known.
    if (kept && kept.draft === round.draft) return kept.entries;
    const entries = [...askedIn(round), ...answeredIn(picture, round, isLast)];
    if (!isLast) this.#over.set(round, { draft: round.draft, entries });
    return entries;
  }
}

function earlierIn({ before }: Round): readonly Entry[] {
  return before.flatMap((message, i) => earlier(message, `before-${i}`));
}

function earlier(message: Message, id: string): readonly Entry[] {
  if (message.role !== 'user' && message.role !== 'assistant') return [];
  const text = textIn(message);
  const files = message.content.filter((part) => part.type === 'file');
  if (message.role === 'user') return [{ role: 'user', id, text, files }];
  return text === '' ? [] : [{ role: 'assistant', id, text }];
}

function askedIn(round: Round): readonly Entry[] {
  const id = `${round.id} asked`;
  if (round.answered !== undefined) return [{ role: 'user', id, text: round.answered, files: [] }];
  if (!round.asked) return [];
  const files = round.asked.content.filter((part) => part.type === 'file');
  return [{ role: 'user', id, text: textIn(round.asked), files, round }];
}

function textIn({ content }: Extract<Message, { role: 'user' | 'assistant' }>): string {
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
}

/** Nothing where all that it says is its question, which stands where one answers it. */
function answeredIn(picture: Picture, round: Round, isLast: boolean): readonly Entry[] {
  const answer = toAnswer(picture, round, isLast);
  const { isAsking, text, steps, report } = answer;
  if (isAsking && text === '' && steps.length === 0 && report === undefined) return [];
  return [{ role: 'assistant', id: round.id, answer }];
}

/** It was asked, and its first fact has not come: it waits for its turn, or it never began. */
function pendingIn({ standing, rounds, connection }: Picture, sent: Sent | undefined): readonly Entry[] {
  const begun = rounds.at(-1)?.number ?? 0;
  const isPending = standing !== undefined && standing.rounds > begun;
  const isUnsaid = sent !== undefined && rounds.length <= sent.after;
  const asked = isUnsaid ? [{ role: 'user' as const, id: 'sent', text: sent.text, files: sent.files }] : [];
  if (!isPending && !isUnsaid) return asked;
  const isWaiting = standing === undefined || isAtWork(standing) || !isPending;
  if (!isWaiting && (!standing.failure || connection !== 'over')) return asked;
  const state = isWaiting ? waitingIn(standing) : ({ type: 'over', status: standing.status } as const);
  const failure = isWaiting ? undefined : standing.failure;
  const answer: Answer = { state, text: '', steps: [], doing: [], ...(failure ? { failure } : {}) };
  return [...asked, { role: 'assistant', id: 'pending', answer }];
}

/** What nobody has told otherwise is taken up at once. */
function waitingIn(standing: Standing | undefined): Answer['state'] {
  return standing?.status === 'queued' ? { type: 'queued' } : { type: 'at-work', since: Date.now() };
}
