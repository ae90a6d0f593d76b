// One run in its thread: a message that shows it at work, its words as they come, and at the end its answer in their place.

import { AgentError, type AgentEvent, type Outcome, type SessionHead, toFailure } from '@ai-agent/core';
import { isForLater, laterWords, nothingToSay } from '../act/trouble.ts';
import { isUnreachable } from '../connect/slack-api.ts';
import type { DeskRun } from '../desk.ts';
import type { Surroundings } from '../surroundings.ts';
import { deliver, showFailed } from './deliver.ts';
import { type EndingMessages, linkOf, toEnding, toRefusal } from './ending.ts';
import { findLeftovers } from './leftovers.ts';
import type { LiveRun } from './live-runs.ts';
import { RunBoard } from './run-board.ts';
import type { RunNote, Told } from './run-notes.ts';
import type { Thread, ThreadNote } from './threads.ts';

export interface Hearing {
  readonly person: string;
  readonly onEvent: (event: AgentEvent) => void;
  readonly onWait: () => void;
  /** For who needs time before it begins. Throws `cancelled`. */
  readonly throwIfCancelled: () => Promise<void>;
}

export interface ThreadRunOptions {
  readonly thread: Thread;
  /** Who may end it, and reads it. Empty for a post of a bot. */
  readonly asker: string;
  /** Who asks now: rates and allowances are theirs. @default the asker */
  readonly person?: string | undefined;
  /** As people know it. */
  readonly agent: string;
  /** The message that it is about: what was said later is news to the next round. */
  readonly seenTs: string;
  /** The message that asked something last. */
  readonly askedTs?: string | undefined;
  /** What was said, by its name in `Unbegun`. @default it was pressed */
  readonly said?: string | undefined;
  /** The session that it goes on with or does again, where that was pressed, and the message under which it was. */
  readonly pressed?: { readonly session: string; readonly messageTs: string } | undefined;
  /** What shows it at work already. @default nothing does */
  readonly statusTs?: string | undefined;
  readonly ask: (hearing: Hearing) => Promise<DeskRun>;
  /** It is at work: until then it may come to nothing, and all is as it was before. It never rejects. */
  readonly onBegun?: (() => Promise<void>) | undefined;
}

/** For so long who asked looks on: later they are told that it is there. */
const lookingMs = 10_000;

/** Of what has not begun: no session was ever gone on with so often. */
const noRound = -1;

export class ThreadRun implements LiveRun {
  readonly #around: Surroundings;
  readonly #options: ThreadRunOptions;
  readonly #board: RunBoard;
  #head: SessionHead | undefined;
  /** What is done when it is at work; undefined until then, while it waits for a place too. */
  #begun: Promise<void> | undefined;
  /** Settles when it stands where others find it. */
  readonly #noted = Promise.withResolvers<void>();
  #wish: 'stop' | 'cancel' | undefined;
  /** Who wished it. */
  #endedBy: string | undefined;
  #told: Told | undefined;
  /** The session whose note says where it is shown, while it has not begun. */
  #pressedNote: string | undefined;
  /** What was known of the thread before there was a session. */
  #before: { readonly thread: ThreadNote | undefined } | undefined;
  #isOver = false;
  #isUntold = true;
  /** Whether it is for others now to tell of it. */
  #isLeft = false;

  constructor(around: Surroundings, options: ThreadRunOptions) {
    this.#around = around;
    this.#options = options;
    this.#board = new RunBoard(around, { ...options, onStream: () => this.#note() });
  }

  /** Settles when all of it is in the thread; `left` where it is for a server that comes after this one. Throws where nothing can be said there at all. */
  async run(): Promise<'answered' | 'left'> {
    const { runs } = this.#around;
    const { thread } = this.#options;
    runs.add(thread, this);
    try {
      await this.#notePressed();
      await this.#board.open();
      await this.#noteShown();
      const ended = await this.#walk();
      this.#isOver = true;
      await this.#board.close();
      const isForLater = this.#isForLater(ended);
      if (isForLater) await this.#leaveForLater();
      else await this.#finish(ended);
      this.#isUntold = false;
      return isForLater ? 'left' : 'answered';
    } catch (error) {
      // Who comes later finds what it came to, and tells it.
      this.#isUntold = isUnreachable(error);
      if (!this.#isUntold) await this.#board.fail();
      throw error;
    } finally {
      this.#isOver = true;
      this.#board.abandon();
      runs.remove(thread, this);
      if (!this.#isLeft) await this.#letGo();
    }
  }

  async leave(): Promise<void> {
    await this.#letGo();
    this.#isLeft = true;
  }

  get asker(): string {
    return this.#options.asker;
  }

  /** A button may be pressed before we are told which message it stands under. */
  isShownBy(messageTs: string): boolean {
    const { statusTs } = this.#board;
    return !this.#isOver && (statusTs === '' || statusTs === messageTs);
  }

  async end(wish: 'stop' | 'cancel', user: string): Promise<void> {
    this.#wish = this.#wish === 'cancel' ? 'cancel' : wish;
    this.#endedBy = user;
    this.#board.wish(this.#wish);
    if (this.#head) await this.#around.desk.end(this.#head.id, this.#wish);
  }

  /** What came of it, or why it never began. */
  async #walk(): Promise<Ended> {
    const { ask, asker, person = asker, thread, seenTs, askedTs } = this.#options;
    const { threads, desk, identity, log } = this.#around;
    try {
      const { head, outcome } = await ask({
        person: `${identity.team}/${person}`,
        onEvent: this.#hear,
        onWait: this.#board.view.wait,
        throwIfCancelled: this.#throwIfCancelled,
      });
      this.#head = head;
      this.#board.begin();
      this.#before = { thread: await threads.get(thread) };
      await threads.put(thread, { session: head.id, asker, seenTs, askedTs });
      await this.#around.runNotes.setAside(head.id, head.resumptions);
      await this.#note();
      await this.#forgetPressed();
      this.#noted.resolve();
      if (this.#wish) await desk.end(head.id, this.#wish).catch((error: unknown) => log.bug(error));
      const ended = { head, outcome: await outcome };
      await this.#begun;
      return ended;
    } catch (error) {
      // Nothing of it was said to anybody: the next round hears of it.
      if (this.#before && !this.#begun) await threads.restore(thread, this.#before.thread);
      return { error };
    }
  }

  readonly #hear = (event: AgentEvent): void => {
    this.#board.view.add(event);
    this.#begun ??= this.#begin();
  };

  /** From now on it is told of by its note, and answered no more. */
  async #begin(): Promise<void> {
    const { onBegun, said } = this.#options;
    const forget = async () => said !== undefined && this.#around.unbegun.delete(said);
    await Promise.all([onBegun?.(), this.#noted.promise.then(forget)]);
  }

  /** Another server may have heard of it. */
  readonly #throwIfCancelled = async (): Promise<void> => {
    const { said } = this.#options;
    const note = said === undefined ? undefined : await this.#around.unbegun.get(said);
    if (this.#wish === 'cancel' || note?.isCancelled)
      throw new AgentError('cancelled', 'Cancelled before it began.', {
        remedy: 'Ask again, if you want it after all.',
      });
  };

  /** Where it is shown, for who comes after us. */
  async #note(): Promise<void> {
    if (!this.#head || this.#isLeft) return;
    const { id, resumptions } = this.#head;
    await this.#around.runNotes.put(id, this.#toNote(resumptions));
  }

  #toNote(round: number): RunNote {
    const { thread, asker, said } = this.#options;
    const { statusTs, streamTs } = this.#board;
    const { owner } = this.#around.holds;
    const [told, isOlder, before] = [this.#told, this.#isOlder, this.#before?.thread];
    return { thread, asker, statusTs, streamTs, owner, round, said, told, isOlder, before };
  }

  /** Whether who was there before us had shown it at work: what stands behind that may be of others. */
  get #isOlder(): true | undefined {
    return this.#options.statusTs === undefined ? undefined : true;
  }

  /** There is no session for it yet: whoever comes after us says of what was pressed that it never began. */
  async #notePressed(): Promise<void> {
    const { pressed } = this.#options;
    const { runNotes } = this.#around;
    // One that is there has something to tell of the round before.
    if (pressed === undefined || (await runNotes.get(pressed.session))) return;
    this.#pressedNote = pressed.session;
    await runNotes.put(pressed.session, { ...this.#toNote(noRound), afterTs: pressed.messageTs });
  }

  /** Whoever comes after us goes on where it is shown. */
  async #noteShown(): Promise<void> {
    const { said } = this.#options;
    const { unbegun, runNotes } = this.#around;
    if (said !== undefined) await unbegun.show(said, this.#board.statusTs);
    if (this.#pressedNote !== undefined) await runNotes.put(this.#pressedNote, this.#toNote(noRound));
  }

  /** Its session has a note of its own now. */
  async #forgetPressed(): Promise<void> {
    const pressed = this.#pressedNote;
    if (pressed !== undefined && pressed !== this.#head?.id) await this.#around.runNotes.delete(pressed);
  }

  /** It waited for a place, or came too late for one: whoever comes after us finds all as it was, and answers it. */
  async #leaveForLater(): Promise<void> {
    const { thread, said } = this.#options;
    const { unbegun } = this.#around;
    if (said !== undefined) await unbegun.leave(said);
    await showFailed(this.#around, thread, this.#board.statusTs, laterWords);
  }

  /** What is left to be told is in its note, and whoever finds that may tell it from now on. */
  async #letGo(): Promise<void> {
    const { runNotes } = this.#around;
    if (this.#head && this.#isUntold) await this.#note();
    else if (this.#head) await runNotes.delete(this.#head.id);
    // What was said and has not begun is for who took it up.
    else if (this.#pressedNote !== undefined && !this.#isUntold) await runNotes.delete(this.#pressedNote);
  }

  #isForLater(ended: Ended): boolean {
    return this.#options.said !== undefined && 'error' in ended && isForLater(ended.error, this.#around.desk);
  }

  async #finish(ended: Ended): Promise<void> {
    const { thread } = this.#options;
    const onTold = (told: Told) => {
      this.#told = told;
      return this.#note();
    };
    const asks = 'outcome' in ended && ended.outcome.status === 'needs_user_input';
    const { statusTs, streamTs, newsAt, mayHaveLost } = this.#board;
    const isNews = asks || this.#around.desk.clock.monotonicMs() - newsAt > lookingMs;
    const leftovers = mayHaveLost && !this.#isOlder ? await findLeftovers(this.#around, thread, statusTs) : [];
    const shown = { thread, statusTs, streamTs, isNews, told: undefined, onTold, leftovers };
    const lastTs = await deliver(this.#around, shown, await this.#toMessages(ended));
    if (asks) await this.#noteAsked(ended.head, lastTs);
  }

  /** Who answers in words alone finds its buttons by it. */
  async #noteAsked({ id: session }: SessionHead, askedTs: string | undefined): Promise<void> {
    const { thread, asker, seenTs } = this.#options;
    await this.#around.threads.put(thread, { session, asker, seenTs, askedTs });
  }

  async #toMessages(ended: Ended): Promise<EndingMessages> {
    const { log, settings, people } = this.#around;
    const { asker } = this.#options;
    const endedBy = this.#endedBy === undefined ? undefined : await people.label(this.#endedBy);
    if ('error' in ended) {
      const failure = toFailure(ended.error);
      if (failure.class === 'bug') log.bug(ended.error);
      if (failure.class === 'cancelled' && endedBy !== undefined)
        return toRefusal({ ...failure, message: `Cancelled by ${endedBy} before it began.` });
      return toRefusal(failure.class === 'bug' ? { message: nothingToSay } : failure);
    }
    const { head, outcome } = ended;
    const children = this.#board.view.counts.all;
    return toEnding(outcome, { head, asker, children, link: linkOf(settings, head), endedBy });
  }
}

type Ended = { readonly head: SessionHead; readonly outcome: Outcome } | { readonly error: unknown };
