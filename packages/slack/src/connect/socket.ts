// The socket that Slack's events come over: opened again whenever it goes, for as long as we are there.

import { AgentError, type Clock } from '@ai-agent/core';
import type { SocketModeReceiver } from '@slack/bolt';
import type { SlackLog } from '../log.ts';
import { isGoodbye, reasonOf, toRefused, wordOf } from './socket-trouble.ts';
import { retryAfterOf } from './web-api-trouble.ts';

/** Bolt's own client would wait seconds before it comes back, and let what goes wrong then end the process: it is made not to come back by itself. */
type Client = Pick<SocketModeReceiver['client'], 'start' | 'disconnect' | 'on'>;

export interface SocketOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly log: SlackLog;
}

const longestPauseMs = 30_000;

/** One that lives shorter was none: it is not opened again at once for ever. */
const shortLifeMs = 10_000;

/** When Slack asks us to come again it answers our goodbye and keeps the line open: it is not waited for longer. */
const goodbyeMs = 250;

/** What passes when a server starts is tried so often. */
const mostFirstTries = 3;

/** Slack says hello at once: over one that is silent for so long nothing comes. */
const helloWithinMs = 30_000;

/** Shorter than that: no try is on its way any more when it is given up. */
export const connectWithinMs = 20_000;

/** When Slack is short of time it says for how long: not longer than this. */
const longestAskedMs = 10 * 60_000;

/** With every token that is good for nothing any more, coming back is no use. */
const endings = [
  'invalid_auth',
  'not_authed',
  'account_inactive',
  'token_revoked',
  'team_disabled',
  'user_removed_from_team',
];

export class Socket {
  readonly #options: SocketOptions;
  readonly #lost = Promise.withResolvers<void>();
  #isClosed = false;
  #isComing = false;
  #wake: () => void = () => {};
  #openedAt = Number.NEGATIVE_INFINITY;
  /** How many in a row lived shortly. */
  #shortLives = 0;
  #hangUp: () => void = () => {};

  constructor(options: SocketOptions) {
    this.#options = options;
    options.client.on('disconnected', () => {
      this.#hangUp();
      void this.#comeBack();
    });
    options.client.on('ws_message', (data: unknown) => {
      if (isGoodbye(data)) this.#hangUpSoon();
    });
  }

  /** Settles when Slack takes us back no more; never otherwise. */
  get lost(): Promise<void> {
    return this.#lost.promise;
  }

  /** Throws `slack-refused` when it does not come about the first time. */
  async open(): Promise<void> {
    this.#isComing = true;
    try {
      await this.#startFirst();
    } catch (error) {
      this.#isClosed = true;
      throw toRefused(error);
    } finally {
      this.#isComing = false;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#wake();
    const gone = this.#options.client.disconnect().catch(() => {});
    this.#hangUpSoon();
    await gone;
    this.#hangUp();
  }

  async #startFirst(): Promise<void> {
    for (let tries = 1; ; tries++)
      try {
        return await this.#start();
      } catch (error) {
        if (wordOf(error) !== undefined || tries === mostFirstTries) throw error;
        await this.#pause(Math.max(1_000 * tries, Math.min(longestPauseMs, askedPauseOf(error))));
      }
  }

  async #comeBack(): Promise<void> {
    if (this.#isClosed || this.#isComing) return;
    this.#isComing = true;
    const { clock, log } = this.#options;
    this.#shortLives = clock.monotonicMs() - this.#openedAt < shortLifeMs ? this.#shortLives + 1 : 0;
    if (this.#shortLives > 1) await this.#pause(pauseAfter(this.#shortLives - 2));
    for (let tries = 0; !this.#isClosed; tries++) {
      const trouble = await this.#tryAgain();
      if (trouble === undefined) {
        if (tries > 0 && !this.#isClosed) log.say('Slack is connected again.');
        break;
      }
      const reason = reasonOf(trouble);
      if (tries === 0) log.fail(`The connection to Slack is lost (${reason}); it is tried again.`);
      if (endings.includes(reason)) {
        log.fail(`Slack does not take us back: ${reason}. Check the tokens, and start again.`);
        this.#lost.resolve();
        break;
      }
      await this.#pause(Math.max(pauseAfter(tries), Math.min(longestAskedMs, askedPauseOf(trouble))));
    }
    this.#isComing = false;
  }

  /** What is in the way; undefined where it is open. */
  async #tryAgain(): Promise<unknown> {
    try {
      await this.#start();
      // We may have hung up while it was on its way.
      if (this.#isClosed) {
        this.#hangUpSoon();
        await this.#options.client.disconnect();
      }
      return undefined;
    } catch (error) {
      return error ?? 'it was closed';
    }
  }

  async #start(): Promise<void> {
    const { client, clock } = this.#options;
    const { promise: silence, reject } = Promise.withResolvers<never>();
    const unset = clock.after(helloWithinMs, () => reject(new AgentError('slack-refused', 'Slack did not say hello')));
    try {
      await Promise.race([client.start(), silence]);
      this.#openedAt = clock.monotonicMs();
    } catch (error) {
      await client.disconnect().catch(() => {});
      throw error;
    } finally {
      unset();
    }
  }

  /** Said twice, it is no longer waited for what the other side says. */
  #hangUpSoon(): void {
    const { client, clock } = this.#options;
    this.#hangUp();
    this.#hangUp = clock.after(goodbyeMs, () => void client.disconnect().catch(() => {}));
  }

  /** The process waits for it: while there is no socket, nothing else may keep it. */
  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const unset = this.#options.clock.after(ms, resolve);
      this.#wake = () => {
        unset();
        resolve();
      };
    });
  }
}

/** How long Slack wants to hear nothing of it. */
function askedPauseOf(error: unknown): number {
  return (retryAfterOf(error) ?? 0) * 1_000;
}

function pauseAfter(tries: number): number {
  return Math.min(longestPauseMs, 250 * 2 ** Math.min(tries, 10));
}
