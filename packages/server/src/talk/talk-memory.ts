// What is remembered between two requests of one conversation: calls that a client runs, and questions. For a while.

import type { Message, NeedsClientTools, SessionHead } from '@ai-agent/core';
import type { Hall } from '../hall.ts';
import type { Visitor } from '../visitor.ts';
import { hashOfTalk } from './hash-of-talk.ts';
import { Noted } from './noted.ts';
import type { ClientCall } from './said.ts';
import { whoseIs, whoseOf } from './whose.ts';

/** A session that waits, and how often it was gone on with before. */
export interface Waiting {
  readonly sessionId: string;
  readonly answeredBefore: number;
}

/** All calls of one reply: they come back together. Plain data. */
export interface WaitingCalls extends Waiting {
  readonly whose: string;
  readonly agent: string;
  /** By the id that the client was told, the one of the provider. */
  readonly ids: Readonly<Record<string, string>>;
  /** The handle of what it goes on with. */
  readonly handle: string;
}

/** So many conversations wait for calls, and as many for answers, where they are kept here alone. */
export const talkBounds = { conversations: 1_000, callsForMs: 60 * 60_000, questionsForMs: 24 * 60 * 60_000 } as const;

/** What is lost here is replayed from what the client sends: nothing depends on it but work that was done inside. */
export class TalkMemory {
  readonly #hall: Hall;
  /** By what is the same in the ids of all calls of a reply. */
  readonly #calls: Noted<WaitingCalls>;
  readonly #questions: Noted<Waiting>;

  constructor(hall: Hall) {
    const { conversations: max, callsForMs, questionsForMs } = talkBounds;
    this.#hall = hall;
    // Nobody comes for their results any more, and others need the room.
    const onForget = (waiting: WaitingCalls) => this.#forget(waiting);
    this.#calls = new Noted(hall, { kind: 'client-calls', max, forMs: callsForMs, onForget });
    this.#questions = new Noted(hall, { kind: 'question-in-talk', max, forMs: questionsForMs });
  }

  /** Gives them as the client is told them, under ids that nobody else has. */
  async keepCalls(
    head: SessionHead,
    { calls, resume: handle }: Pick<NeedsClientTools, 'calls' | 'resume'>,
    idPrefix: string,
  ): Promise<readonly ClientCall[]> {
    const reply = randomId();
    const told = calls.map(({ name, input }, i) => ({ id: `${idPrefix}${reply}_${i + 1}`, name, input }));
    const ids = Object.fromEntries(told.map(({ id }, i) => [id, calls[i]?.id ?? '']));
    const { id: sessionId, resumptions: answeredBefore, agent } = head;
    await this.keepOn({ sessionId, answeredBefore, whose: whoseIs(head), agent, ids, handle });
    return told;
  }

  /** Also for who was to go on, and never began. */
  async keepOn(calls: WaitingCalls): Promise<void> {
    const [reply] = repliesOf(Object.keys(calls.ids));
    if (reply !== undefined) await this.#calls.put(reply, calls);
  }

  /** The session that waits for the result of these calls, when all of its calls are among them. */
  async findCalls(ids: readonly string[], agent: string, visitor: Visitor): Promise<WaitingCalls | undefined> {
    const given = new Set(ids);
    for (const reply of repliesOf(ids)) {
      const found = await this.#calls.get(reply);
      if (found?.whose !== whoseOf(visitor) || found.agent !== agent) continue;
      if (Object.keys(found.ids).every((id) => given.has(id))) return found;
    }
    return undefined;
  }

  async forgetCalls({ ids }: WaitingCalls): Promise<void> {
    for (const reply of repliesOf(Object.keys(ids))) await this.#calls.delete(reply);
  }

  /** The question is the last that was said in this conversation. */
  async keepQuestion(
    head: Pick<SessionHead, 'agent' | 'owner' | 'user'>,
    said: readonly Message[],
    { sessionId, answeredBefore }: Waiting,
  ): Promise<void> {
    await this.#questions.put(hashOfTalk(whoseIs(head), head.agent, said), { sessionId, answeredBefore });
  }

  async findQuestion(agent: string, visitor: Visitor, said: readonly Message[]): Promise<Waiting | undefined> {
    // Whoever asks has said something last.
    if (said.at(-1)?.role !== 'assistant') return undefined;
    return this.#questions.get(hashOfTalk(whoseOf(visitor), agent, said));
  }

  #forget({ agent, handle }: WaitingCalls): void {
    const pauses = this.#hall.pausesOf(this.#hall.servedAs(agent));
    (async () => pauses?.delete(handle))().catch(this.#hall.onBug);
  }
}

function randomId(): string {
  return process.getBuiltinModule('node:crypto').randomBytes(12).toString('hex');
}

/** Clients tell calls of more than one reply as one where nothing was said between them: the last is what is waited for. */
const mostReplies = 16;

/** The replies that calls with these ids are of, the last first. Ids that were not made here are of none. */
function repliesOf(ids: readonly string[]): readonly string[] {
  const replies = new Set<string>();
  for (const id of ids.toReversed()) {
    const [, reply] = /^[a-z]+_([\da-f]{24})_\d+$/.exec(id) ?? [];
    if (reply !== undefined) replies.add(reply);
    if (replies.size === mostReplies) break;
  }
  return [...replies];
}
