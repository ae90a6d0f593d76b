// A session as the page knows it: its facts folded as they come, live and afterwards, for whoever draws them.

import { type AgentEvent, type Fact, type Ledger, LedgerFold, roundNumberOf } from '@ai-agent/core';
import { type Api, pathOf, RequestFailed } from '../server/api.ts';
import { type Failure, isAtWork, type Standing } from '../server/documents.ts';
import { type Frame, follow, isFinal } from '../server/event-stream.ts';
import { toFailure } from '../server/to-failure.ts';
import { draftIn, mayHaveDraft } from './earlier-draft.ts';
import { LiveSigns } from './live-signs.ts';
import { Round } from './round.ts';

export type Connection = 'connecting' | 'live' | 'lost' | 'over';

/** As it is at one moment. What is inside of rounds changes with them: a new picture is taken whenever one of them does. */
export interface Picture {
  readonly standing: Standing | undefined;
  readonly rounds: readonly Round[];
  readonly live: LiveSigns;
  readonly connection: Connection;
  /** One that rests was looked at, and nobody answered. */
  readonly isAway: boolean;
  /** Why it cannot be read. */
  readonly failure: Failure | undefined;
}

/** How often a session that rests is looked at: somebody else may have gone on with it. */
const lookAgainMs = 4_000;

/** How long events are taken in before the page may draw and react. */
const breathMs = 12;

export class SessionView {
  readonly id: string;
  readonly #api: Api;
  readonly #listeners = new Set<() => void>();
  readonly #ledger = new LedgerFold();
  readonly #seen = new Set<string>();
  readonly #numbers = new Map<string, number>();
  readonly #live = new LiveSigns();
  #rounds: readonly Round[] = [];
  #picture: Picture;
  #closing = new AbortController();
  #isFollowing = false;
  #isLooking = false;
  /** Something may come that the stream which is read now does not tell. */
  #hasMore = false;
  #isDrawing = false;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(api: Api, id: string, standing?: Standing) {
    this.id = id;
    this.#api = api;
    this.#picture = {
      standing,
      rounds: this.#rounds,
      live: this.#live,
      connection: 'connecting',
      isAway: false,
      failure: undefined,
    };
  }

  /** Fits React's external stores. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) this.#open();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#close();
    };
  };

  readonly picture = (): Picture => this.#picture;

  /** Of all of it, or of one session and everything below that. */
  ledger(below?: string): Ledger {
    return this.#ledger.ledger(below);
  }

  /** Calls that the ledger will have when they end. */
  get underWay(): LedgerFold['underWay'] {
    return this.#ledger.underWay;
  }

  /** The time of the server. Events of a run do not follow its wall clock, so the time is never before the newest event. */
  now(): number {
    return Date.now() + Math.max(this.#wallAheadMs, this.#eventAheadMs);
  }

  /** The number of a fact, to ask for the whole of it: what is told here has long texts cut. */
  numberOf(session: string, op: string, type: Fact['type']): number | undefined {
    return this.#numbers.get(`${session} ${op} ${type}`);
  }

  /** Somebody has done something to it: what comes now is followed. */
  readonly changed = (standing: Standing): void => {
    this.#draw({ standing });
    if (this.#listeners.size > 0) void this.#follow();
  };

  #open(): void {
    this.#closing = new AbortController();
    void this.#follow();
    this.#timer = setInterval(() => void this.#lookAgain(), lookAgainMs);
    document.addEventListener('visibilitychange', this.#lookAgain);
  }

  #close(): void {
    this.#closing.abort();
    clearInterval(this.#timer);
    document.removeEventListener('visibilitychange', this.#lookAgain);
  }

  /** Of one that rests, whether it still does. */
  readonly #lookAgain = async (): Promise<void> => {
    if (this.#isFollowing || this.#isLooking || document.visibilityState === 'hidden') return;
    this.#isLooking = true;
    try {
      const standing = await this.#api.standing(this.id);
      // It went on meanwhile: what was asked for before that is old.
      if (!this.#isFollowing) this.#compare(standing);
    } catch (error) {
      if (error instanceof RequestFailed && isFinal(error.status)) this.#draw({ failure: error.failure });
      else if (!this.#isFollowing) this.#draw({ isAway: true });
    } finally {
      this.#isLooking = false;
    }
  };

  #compare(standing: Standing): void {
    const { standing: before, isAway, failure } = this.#picture;
    if (isAway) this.#draw({ isAway: false });
    // A store that failed may have caught up.
    if (before && standing.isKept !== before.isKept) this.#draw({ standing });
    const isOther = standing.rounds !== before?.rounds || standing.status !== before.status;
    if (isAtWork(standing) || isOther || failure) this.changed(standing);
  }

  /** One stream at a time: what is wanted meanwhile is read behind it. */
  async #follow(): Promise<void> {
    this.#hasMore = true;
    if (this.#isFollowing) return;
    this.#isFollowing = true;
    while (this.#hasMore && this.#listeners.size > 0) {
      this.#hasMore = false;
      await this.#followOnce(this.#closing.signal);
    }
    this.#isFollowing = false;
  }

  async #followOnce(signal: AbortSignal): Promise<void> {
    try {
      this.#draw({ standing: this.#picture.standing ?? (await this.#api.standing(this.id)) });
      const open = (after: number, cut: AbortSignal) => this.#events(Math.max(after, this.#last), cut);
      const onConnection = (connection: Connection) => this.#draw({ connection, isAway: false, failure: undefined });
      await this.#take(follow({ open, signal, onConnection }));
      if (!signal.aborted) this.#draw({ connection: 'over' });
    } catch (error) {
      if (!signal.aborted) this.#draw({ failure: toFailure(error), connection: 'over' });
    }
  }

  /** The number of the last fact that it has. */
  #last = 0;

  /** The wall clock of the server is ahead of ours by this. */
  #wallAheadMs = 0;

  /** The newest event of the last round was ahead of our clock by this when it arrived. */
  #eventAheadMs = Number.NEGATIVE_INFINITY;

  async #events(after: number, signal: AbortSignal): Promise<Response> {
    const headers = { accept: 'text/event-stream', ...(after > 0 ? { 'last-event-id': String(after) } : {}) };
    const response = await this.#api.ask(pathOf(this.id, '/events?brief=true&now=true'), { signal, headers });
    const aheadMs = Date.parse(response.headers.get('date') ?? '') - Date.now();
    // Its header counts whole seconds, and took a while to come.
    if (Math.abs(aheadMs) > 2_000) this.#wallAheadMs = aheadMs;
    return response;
  }

  async #take(frames: AsyncIterable<Frame>): Promise<void> {
    let since = performance.now();
    for await (const frame of frames) {
      try {
        this.#add(frame);
      } catch (error) {
        throw new RequestFailed(0, notUnderstood(error));
      }
      if (performance.now() - since < breathMs) continue;
      await new Promise((resolve) => setTimeout(resolve));
      since = performance.now();
    }
  }

  #add({ type, id, data }: Frame): void {
    const told = JSON.parse(data) as AgentEvent | Standing;
    if (type === 'end') this.#end(told as Standing);
    else this.#hear(told as AgentEvent, id);
  }

  /** What has not ended by then was cut off with its process, and counts as the server counts it. */
  #end(standing: Standing): void {
    if (!isAtWork(standing)) this.#ledger.cutOff();
    this.#draw({ standing });
  }

  #hear(event: AgentEvent, number: number | undefined): void {
    if (event.kind === 'fact' && !this.#isNews(event, number)) return;
    this.#live.hear(event);
    if (event.kind === 'fact') this.#addFact(event);
    if ('at' in event) this.#eventAheadMs = Math.max(this.#eventAheadMs, event.at - Date.now());
    this.#draw({});
  }

  /** A server whose store fails tells facts without numbers, and tells them again to who comes back. */
  #isNews({ trace, seq, op, type }: Fact, number: number | undefined): boolean {
    const key = `${trace.selfId} ${seq}`;
    if (number !== undefined) {
      this.#last = Math.max(this.#last, number);
      this.#numbers.set(`${trace.selfId} ${op} ${type}`, number);
    }
    if (this.#seen.has(key)) return false;
    this.#seen.add(key);
    return true;
  }

  #addFact(fact: Fact): void {
    if (fact.type === 'session-start' && fact.trace.parentId === null) this.#begin(fact);
    this.#ledger.add(fact);
    this.#rounds.findLast(({ id }) => id === fact.trace.originId)?.add(fact);
  }

  #begin(start: Extract<Fact, { type: 'session-start' }>): void {
    this.#ledger.cutOff();
    // Each round has a clock of its own.
    this.#eventAheadMs = Number.NEGATIVE_INFINITY;
    const before = this.#rounds.at(-1);
    this.#rounds = [...this.#rounds, new Round(start, roundNumberOf(this.id, start.trace.selfId))];
    if (before && mayHaveDraft(before)) void this.#findDraft(before, start);
  }

  /** For who was not there when it was written. */
  async #findDraft(round: Round, { trace, op, type }: Fact): Promise<void> {
    const number = this.numberOf(trace.selfId, op, type);
    if (number === undefined) return;
    try {
      const start = (await this.#api.fact(this.id, number)) as Extract<Fact, { type: 'session-start' }>;
      round.draft ??= draftIn(start, round);
      this.#draw({});
    } catch {
      // What else is known of the round is there.
    }
  }

  /** Many events in a moment are one new picture. */
  #draw(change: Partial<Picture>): void {
    this.#picture = { ...this.#picture, ...change, rounds: this.#rounds };
    const { draft, rounds } = change.standing ?? {};
    const round = draft === undefined ? undefined : this.#rounds.find(({ number }) => number === rounds);
    if (round) round.draft = draft;
    if (this.#isDrawing) return;
    this.#isDrawing = true;
    const draw = () => {
      this.#isDrawing = false;
      this.#picture = { ...this.#picture };
      for (const listener of [...this.#listeners]) listener();
    };
    // A page in the background is not drawn, and is still to know.
    if (document.visibilityState === 'hidden') setTimeout(draw, 200);
    else requestAnimationFrame(draw);
  }
}

function notUnderstood(error: unknown): Failure {
  return {
    class: 'bug',
    code: String(error),
    message: 'The page does not understand what the server tells of this session.',
    remedy: 'Load the page again: it may be older than the server, where the run goes on.',
  };
}
