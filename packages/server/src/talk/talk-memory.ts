// What is remembered between two requests of one conversation: calls that a client runs, and questions. Bounded, and for a while.

import type { Message, NeedsClientTools, SessionHead } from '@ai-agent/core';
import type { Hall } from '../hall.ts';
import type { Visitor } from '../visitor.ts';
import { hashOfTalk } from './hash-of-talk.ts';
import { Remembered } from './remembered.ts';
import type { ClientCall } from './said.ts';

/** A session that waits, and how often it was gone on with before. */
export interface Waiting {
  readonly sessionId: string;
  readonly answeredBefore: number;
}

/** All calls of one reply: they come back together. */
export interface WaitingCalls extends Waiting {
  readonly owner: string | null;
  readonly agent: string;
  /** By the id that the client was told, the one of the provider. */
  readonly ids: ReadonlyMap<string, string>;
  /** The handle of what it goes on with. */
  readonly handle: string;
}

/** So many conversations wait for calls, and as many for answers. */
export const talkBounds = { conversations: 1_000, callsForMs: 60 * 60_000, questionsForMs: 24 * 60 * 60_000 } as const;

/** What is lost here is replayed from what the client sends: nothing depends on it but work that was done inside. */
export class TalkMemory {
  readonly #hall: Hall;
  readonly #calls: Remembered<WaitingCalls>;
  readonly #questions: Remembered<Waiting>;

  constructor(hall: Hall) {
    const now = () => hall.clock.now();
    const { conversations: max, callsForMs, questionsForMs } = talkBounds;
    this.#hall = hall;
    // Nobody comes for their results any more, and others need the room.
    const onForget = (waiting: WaitingCalls) => this.#forget(waiting);
    this.#calls = new Remembered({ max, forMs: callsForMs, now, onForget });
    this.#questions = new Remembered({ max, forMs: questionsForMs, now });
  }

  /** Gives them as the client is told them, under ids that nobody else has. */
  keepCalls(
    head: SessionHead,
    { calls, resume: handle }: Pick<NeedsClientTools, 'calls' | 'resume'>,
    idPrefix: string,
  ): readonly ClientCall[] {
    const told = calls.map(({ name, input }) => ({ id: `${idPrefix}${randomId()}`, name, input }));
    const ids = new Map(told.map(({ id }, i) => [id, calls[i]?.id ?? '']));
    const { id: sessionId, resumptions: answeredBefore, owner, agent } = head;
    this.keepOn({ sessionId, answeredBefore, owner, agent, ids, handle });
    return told;
  }

  /** Also for who was to go on, and never began. */
  keepOn(calls: WaitingCalls): void {
    const [first] = calls.ids.keys();
    if (first !== undefined) this.#calls.put(first, calls);
  }

  /** The session that waits for the result of these calls, when all of its calls are among them. */
  findCalls(ids: readonly string[], agent: string, { key }: Visitor): WaitingCalls | undefined {
    for (const id of ids) {
      const found = this.#calls.get(id);
      if (found?.owner !== key || found.agent !== agent) continue;
      if ([...found.ids.keys()].every((one) => ids.includes(one))) return found;
    }
    return undefined;
  }

  forgetCalls({ ids }: WaitingCalls): void {
    for (const id of ids.keys()) this.#calls.delete(id);
  }

  /** The question is the last that was said in this conversation. */
  keepQuestion(
    { agent, owner }: Pick<SessionHead, 'agent' | 'owner'>,
    said: readonly Message[],
    waiting: Waiting,
  ): void {
    this.#questions.put(hashOfTalk(owner, agent, said), waiting);
  }

  findQuestion(agent: string, { key }: Visitor, said: readonly Message[]): Waiting | undefined {
    return this.#questions.size === 0 ? undefined : this.#questions.get(hashOfTalk(key, agent, said));
  }

  #forget({ agent, handle }: WaitingCalls): void {
    const pauses = this.#hall.pausesOf(this.#hall.servedAs(agent));
    (async () => pauses?.delete(handle))().catch(this.#hall.onBug);
  }
}

function randomId(): string {
  return process.getBuiltinModule('node:crypto').randomBytes(12).toString('hex');
}
