// The house as a headend sees it that has no requests of HTTP, but people who write: a run is begun or gone on with here, and read afterwards.

import {
  AgentError,
  type AgentEvent,
  type Clock,
  defaultTexts,
  type Fact,
  type FilePart,
  type Json,
  type NoteStore,
  type Outcome,
  type SessionHead,
  type Texts,
} from '@ai-agent/core';
import { answer } from './answer.ts';
import type { Answering } from './asked.ts';
import { endSession } from './end-session.ts';
import { factsOf } from './facts-of.ts';
import { fitWords } from './fitting-words.ts';
import type { Hall } from './hall.ts';
import { MemoryNotes } from './memory-notes.ts';
import { People, type PerUser } from './people.ts';
import { resume } from './resume.ts';
import { retry } from './retry.ts';
import { asSafe } from './safe-json.ts';
import type { ServedAgent } from './served-agent.ts';
import { toSessionDocument } from './session-document.ts';
import { filesTakenBy } from './taken-files.ts';
import { usedBy } from './used-by.ts';
import type { Visitor } from './visitor.ts';
import type { Wish } from './wishes.ts';

export interface DeskOptions {
  /** Whose places its runs take, and which sessions are its own: `slack`. */
  readonly headend: string;
  /** Whose its sessions are: those of a key, or null where the server has none. */
  readonly key: string | null;
  /** The bearer of that key, from `Keys`. @default one who may everything */
  readonly visitor?: Visitor | undefined;
  /** What one person may. @default what all may together */
  readonly perUser?: PerUser | undefined;
}

export interface DeskAgent {
  readonly name: string;
  readonly takesFiles?: readonly string[] | undefined;
  readonly source?: string | undefined;
  /** What its model is told in our words. */
  readonly texts: Texts;
}

interface Asking {
  /** Who asks: rates and allowances are counted by it. */
  readonly person: string;
  readonly onEvent: (event: AgentEvent) => void;
  readonly onWait?: (() => void) | undefined;
}

interface AskNew extends Asking {
  readonly agent: string;
  readonly prompt: string;
  readonly title?: string | undefined;
  readonly attachments?: readonly FilePart[] | undefined;
}

interface AskFurther extends Asking {
  readonly session: string;
  readonly message: string;
  readonly attachments?: readonly FilePart[] | undefined;
}

interface AskAnswer extends Asking {
  readonly session: string;
  readonly answer: Json;
  readonly round: number;
}

interface AskAgain extends Asking {
  readonly retry: string;
}

export type DeskAsked = AskNew | AskFurther | AskAnswer | AskAgain;

export interface DeskRun {
  readonly head: SessionHead;
  readonly outcome: Promise<Outcome>;
}

export function openDesk(hall: Hall, options: DeskOptions): Desk {
  return new Desk(hall, options);
}

export class Desk {
  readonly #hall: Hall;
  readonly #headend: string;
  readonly #visitor: Visitor;
  readonly #people: People;

  constructor(hall: Hall, { headend, key, visitor = { key, may: () => true }, perUser = {} }: DeskOptions) {
    this.#hall = hall;
    this.#headend = headend;
    this.#visitor = visitor;
    this.#people = new People(visitor, perUser, () => hall.clock.now());
  }

  get clock(): Clock {
    return this.#hall.clock;
  }

  get notes(): NoteStore {
    return this.#hall.notes;
  }

  /** Whether they outlive this process. */
  get keepsNotes(): boolean {
    return !(this.#hall.notes instanceof MemoryNotes);
  }

  /** Whether nothing begins here any more. */
  get isStopping(): boolean {
    return this.#hall.isStopping;
  }

  /** Those that are served now, the primary one first: who works for no other of them, as who names a folder means it. */
  agents(): readonly DeskAgent[] {
    const all = this.#hall.agentsFor(this.#visitor);
    const primary = all.find((one) => usedBy(one, all).length === 0);
    return [...(primary ? [primary] : []), ...all.filter((one) => one !== primary)].map(toDeskAgent);
  }

  /** Throws what is wrong with it, before anything has begun. When it settles, the session is where others find it. */
  async begin(asked: DeskAsked): Promise<DeskRun> {
    const { head, outcome } = await this.#ask(asked);
    await this.#hall.whenKnown(head.id);
    return { head: this.#hall.live(head.id)?.head ?? head, outcome };
  }

  async find(session: string): Promise<SessionHead | undefined> {
    try {
      return await this.#own(session);
    } catch (error) {
      if (error instanceof AgentError && error.code === 'session-unknown') return undefined;
      throw error;
    }
  }

  facts(head: SessionHead): Promise<readonly Fact[]> {
    return factsOf(this.#hall, head, this.#hall.live(head.id));
  }

  async document(head: SessionHead): Promise<object> {
    const facts = await this.facts(head);
    return asSafe(toSessionDocument(this.#hall.live(head.id)?.head ?? head, facts, this.#hall));
  }

  /** Whether there was something to end. */
  async end(session: string, wish: Wish): Promise<boolean> {
    const found = await this.find(session);
    if (!found) return false;
    const live = this.#hall.live(session);
    const { came } = await endSession(this.#hall, { head: live?.head ?? found, live }, this.#visitor, wish);
    return came !== 'nothing';
  }

  async #ask(asked: DeskAsked): Promise<Answering> {
    const { person, onEvent, onWait } = asked;
    const base = { visitor: this.#people.visitorFor(person), headend: this.#headend, onEvent, onWait };
    if ('retry' in asked) {
      await this.#own(asked.retry);
      return retry(this.#hall, { ...base, retry: { session: asked.retry } });
    }
    if ('session' in asked) return this.#goOn(asked, base);
    const { agent, prompt, title, attachments } = asked;
    const served = this.#hall.agent(agent, base.visitor);
    const given = { prompt: fitWords(served, prompt), title, ...(attachments ? { attachments } : {}) };
    return answer(this.#hall, { ...base, agent: served.name, ...given });
  }

  async #goOn(asked: AskFurther | AskAnswer, base: Base): Promise<Answering> {
    const { session } = asked;
    const head = await this.#own(session);
    if ('answer' in asked)
      return resume(this.#hall, session, { ...base, answer: asked.answer, answeredBefore: asked.round });
    const { message: words, attachments } = asked;
    const message = head.question ? words : fitWords(this.#hall.agent(head.agent, base.visitor), words);
    return resume(this.#hall, session, { ...base, message, ...(attachments ? { attachments } : {}) });
  }

  /** Throws `session-unknown`, also for those that began elsewhere. */
  async #own(id: string): Promise<SessionHead> {
    const found = await this.#hall.session(id, this.#visitor);
    if (found.headend === this.#headend) return this.#hall.live(id)?.head ?? found;
    throw new AgentError('session-unknown', 'There is no such session of yours.');
  }
}

interface Base {
  readonly visitor: Visitor;
  readonly headend: string;
  readonly onEvent: (event: AgentEvent) => void;
  readonly onWait: (() => void) | undefined;
}

function toDeskAgent({ name, agent, source }: ServedAgent): DeskAgent {
  return { name, takesFiles: filesTakenBy(agent), source, texts: { ...defaultTexts, ...agent.texts } };
}
