// Slack's Web API over Bolt's client: turns are waited for, a 429 pauses what it is about, and a broken line is tried again.

import type { Clock } from '@ai-agent/core';
import type { webApi } from '@slack/bolt';
import { findPosted } from './find-posted.ts';
import { type Patience, type SlackAnswer, type SlackApi, SlackRefusal } from './slack-api.ts';
import { Spacing } from './spacing.ts';
import { retryAfterOf, scopeOf, wordOf } from './web-api-trouble.ts';

type Arguments = Readonly<Record<string, unknown>>;

export interface WebApiOptions {
  /** Made with `rejectRateLimitedCalls` and without retries: both are done here. */
  readonly client: Pick<webApi.WebClient, 'apiCall'>;
  readonly clock: Clock;
  /** What people see is passed through it. */
  readonly strike: (args: Arguments) => Arguments;
  /** @default all of it */
  readonly safeLength?: ((text: string) => number) | undefined;
  readonly onCall?: ((sentence: string) => void) | undefined;
}

/** Slack takes one message a second and channel, and a few at once. */
const posts = { everyMs: 1_000, burst: 3 } as const;

/** Edits of one message so far apart. */
const edits = { everyMs: 1_000, burst: 1 } as const;

/** What may be left out takes less than Slack allows, so that what may not finds room: in a minute 40 edits, 90 pieces of streams and 17 new ones. */
const spare: ReadonlyMap<string, readonly [everyMs: number, burst: number]> = new Map([
  ['chat.update', [1_500, 10]],
  ['chat.appendStream', [660, 20]],
  ['chat.startStream', [3_500, 8]],
]);

/** Slack may be gone for some minutes; an answer is worth the wait. */
const longestTroubleMs = 5 * 60_000;
const longestPauseMs = 30_000;
const longestSoonMs = 5_000;

export class WebApi implements SlackApi {
  readonly #options: WebApiOptions;
  readonly #posts = new Spacing(posts.everyMs, posts.burst);
  readonly #edits = new Spacing(edits.everyMs, edits.burst);
  readonly #spare = new Map([...spare].map(([method, [everyMs, burst]]) => [method, new Spacing(everyMs, burst)]));
  /** Until when Slack wants to hear nothing of it. */
  readonly #pausedUntil = new Map<string, number>();
  /** Of methods that were paused and have somebody waiting: when the last of them is done. */
  readonly #turns = new Map<string, Promise<void>>();
  readonly #waiting = new Set<() => void>();
  #isClosed = false;
  #botId: string | undefined;

  constructor(options: WebApiOptions) {
    this.#options = options;
  }

  /** Whose messages are ours: known once Slack has said who we are. */
  knowSelf(botId: string): void {
    this.#botId = botId === '' ? undefined : botId;
  }

  /** From now on nothing is asked, and nobody waits. */
  close(): void {
    this.#isClosed = true;
    for (const wake of [...this.#waiting]) wake();
  }

  async call(method: string, args: Arguments, { withinMs = longestTroubleMs }: Patience = {}): Promise<SlackAnswer> {
    const { clock } = this.#options;
    const begunAt = clock.now();
    const begunMs = clock.monotonicMs();
    await this.#wait(this.#turnOf(method, args));
    for (let tries = 0; ; tries++) {
      const came = await this.#inTurn(method, async () => {
        // Whoever would wait too long lets the others go first.
        if (clock.monotonicMs() - begunMs + this.#pauseOf(method) > withinMs)
          throw new SlackRefusal(method, 'unreachable');
        await this.#wait(this.#pauseOf(method));
        if (this.#isClosed) throw new SlackRefusal(method, 'unreachable');
        return this.#ask(method, args);
      });
      if (!('trouble' in came)) return came.answer;
      if (came.trouble instanceof SlackRefusal) throw came.trouble;
      if (clock.monotonicMs() - begunMs > withinMs)
        throw new SlackRefusal(method, 'unreachable', { cause: came.trouble });
      // Slack has not taken it, and it is known how long to wait.
      if (retryAfterOf(came.trouble) !== undefined) continue;
      await this.#wait(Math.min(longestPauseMs, 1_000 * 2 ** tries));
      const posted = await this.#findPosted(method, args, begunAt);
      if (posted) return posted;
    }
  }

  async offer(method: string, args: Arguments): Promise<SlackAnswer | undefined> {
    const now = this.#options.clock.monotonicMs();
    if (this.#isClosed || this.#pauseOf(method) > 0 || this.#turns.has(method)) return undefined;
    if (this.#spare.get(method)?.tryTake('', now) === false) return undefined;
    if (method === 'chat.update' && !this.#edits.tryTake(messageOf(args), now)) return undefined;
    const came = await this.#ask(method, args);
    if ('answer' in came) return came.answer;
    if (came.trouble instanceof SlackRefusal) throw came.trouble;
    if (this.#pauseOf(method) > 0) return undefined;
    throw new SlackRefusal(method, 'unreachable', { cause: came.trouble });
  }

  async attempt(method: string, args: Arguments): Promise<SlackAnswer | undefined> {
    return this.offer(method, args).catch(() => undefined);
  }

  strike(text: string): string {
    return String(this.#options.strike({ text }).text);
  }

  safeLength(text: string): number {
    return this.#options.safeLength?.(text) ?? text.length;
  }

  /** With patience for a passing trouble alone: for who has to know soon. Throws `SlackRefusal`. */
  async soon(method: string, args: Arguments): Promise<SlackAnswer> {
    const begunAt = this.#options.clock.monotonicMs();
    for (let tries = 1; ; tries++) {
      const came = await this.#ask(method, args);
      if ('answer' in came) return came.answer;
      if (came.trouble instanceof SlackRefusal) throw came.trouble;
      const isLate = this.#options.clock.monotonicMs() - begunAt > 2 * longestSoonMs;
      if (tries === 3 || isLate) throw new SlackRefusal(method, 'unreachable', { cause: came.trouble });
      await this.#wait(Math.min(longestSoonMs, Math.max(1_000, this.#pauseOf(method))));
    }
  }

  /** Takes it, and gives how long to wait for it. */
  #turnOf(method: string, args: Arguments): number {
    const now = this.#options.clock.monotonicMs();
    if (method === 'chat.postMessage') return this.#posts.take(String(args.channel), now);
    return method === 'chat.update' ? this.#edits.take(messageOf(args), now) : 0;
  }

  async #findPosted(method: string, args: Arguments, sinceMs: number): Promise<SlackAnswer | undefined> {
    if (method !== 'chat.postMessage' || this.#isClosed) return undefined;
    const { channel, thread_ts, text } = args;
    const sent = { channel, threadTs: thread_ts, text: this.strike(String(text)) };
    return findPosted(this, { ...sent, botId: this.#botId, sinceMs });
  }

  async #ask(method: string, args: Arguments): Promise<Came> {
    const { client, clock, strike, onCall } = this.#options;
    try {
      const answer = await client.apiCall(method, { ...strike(args) });
      onCall?.(`Slack ${method}: ok.`);
      return { answer: answer as unknown as SlackAnswer };
    } catch (error) {
      const retryAfterS = retryAfterOf(error);
      if (retryAfterS !== undefined) this.#pausedUntil.set(method, clock.monotonicMs() + retryAfterS * 1_000);
      const word = wordOf(error);
      onCall?.(`Slack ${method}: ${word ?? (retryAfterS === undefined ? 'no answer' : `wait ${retryAfterS} s`)}.`);
      const scope = scopeOf(error);
      return {
        trouble:
          word === undefined ? error : new SlackRefusal(method, word, { cause: error, ...(scope ? { scope } : {}) }),
      };
    } finally {
      // On a slow line it came later than it was sent.
      if (method === 'chat.update') this.#edits.wasDone(messageOf(args), clock.monotonicMs());
    }
  }

  /** While Slack is short of time for a method, one goes after the other: all at once would be refused at once. */
  async #inTurn<T>(method: string, work: () => Promise<T>): Promise<T> {
    const before = this.#turns.get(method);
    if (before === undefined && this.#pauseOf(method) === 0) return work();
    const mine = (before ?? Promise.resolve()).then(work);
    const over = mine.then(
      () => {},
      () => {},
    );
    this.#turns.set(method, over);
    try {
      return await mine;
    } finally {
      if (this.#turns.get(method) === over) this.#turns.delete(method);
    }
  }

  #pauseOf(method: string): number {
    const until = this.#pausedUntil.get(method);
    if (until === undefined) return 0;
    const left = until - this.#options.clock.monotonicMs();
    if (left > 0) return left;
    this.#pausedUntil.delete(method);
    return 0;
  }

  async #wait(ms: number): Promise<void> {
    if (ms <= 0 || this.#isClosed) return;
    await new Promise<void>((resolve) => {
      const wake = () => {
        unset();
        this.#waiting.delete(wake);
        resolve();
      };
      const unset = this.#options.clock.after(ms, wake);
      this.#waiting.add(wake);
    });
  }
}

type Came = { readonly answer: SlackAnswer } | { readonly trouble: unknown };

function messageOf({ channel, ts }: Arguments): string {
  return `${String(channel)}/${String(ts)}`;
}
