// Who people are and what channels are called, asked of Slack and remembered for a while.

import { type Clock, head, isObject, oneLine } from '@ai-agent/core';
import { isUnreachable, type SlackAnswer, type SlackCalls } from '../connect/slack-api.ts';

export class People {
  readonly #labels: Remembered<string>;
  readonly #channels: Remembered<string>;

  constructor(api: SlackCalls, clock: Clock) {
    // A name is nice to have: Slack's patience is kept for the rest.
    this.#labels = new Remembered(clock, async (user) => toLabel(await api.attempt('users.info', { user })));
    // Rules hang on it: worth to wait for.
    this.#channels = new Remembered(clock, async (channel) => {
      try {
        return toName(await api.call('conversations.info', { channel }));
      } catch (error) {
        if (isUnreachable(error)) throw error;
        return undefined;
      }
    });
  }

  /** What a person wants to be called; the id when Slack does not say. */
  async label(user: string): Promise<string> {
    return (await this.#labels.get(user)) ?? user;
  }

  /** Undefined when Slack does not say. */
  channelName(id: string): Promise<string | undefined> {
    return this.channelNameForRules(id).catch(() => undefined);
  }

  /** For who decides by it: undefined when Slack refuses to say. Throws `SlackRefusal` where it could not be asked: later it may. */
  channelNameForRules(id: string): Promise<string | undefined> {
    return this.#channels.get(id);
  }

  /** It has another name now. */
  forgetChannel(id: string): void {
    this.#channels.forget(id);
  }
}

const lifeMs = 10 * 60_000;
/** What was refused may be granted soon. */
const failureLifeMs = 60_000;
const mostKept = 1_000;

interface Kept<T> {
  readonly value: Promise<T | undefined>;
  until: number;
}

/** Who asks for the same at the same time waits for one call. What throws is not remembered. */
class Remembered<T> {
  readonly #clock: Clock;
  readonly #find: (id: string) => Promise<T | undefined>;
  readonly #kept = new Map<string, Kept<T>>();

  constructor(clock: Clock, find: (id: string) => Promise<T | undefined>) {
    this.#clock = clock;
    this.#find = find;
  }

  get(id: string): Promise<T | undefined> {
    const known = this.#kept.get(id);
    if (known !== undefined && this.#clock.monotonicMs() < known.until) return known.value;
    const value = this.#find(id);
    const kept: Kept<T> = { value, until: this.#clock.monotonicMs() + lifeMs };
    // The oldest stand first.
    this.#kept.delete(id);
    this.#kept.set(id, kept);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= mostKept) break;
      this.#kept.delete(oldest);
    }
    value.then(
      (found) => {
        if (found === undefined) kept.until = this.#clock.monotonicMs() + failureLifeMs;
      },
      () => {
        if (this.#kept.get(id) === kept) this.#kept.delete(id);
      },
    );
    return value;
  }

  forget(id: string): void {
    this.#kept.delete(id);
  }
}

function toLabel(answer: SlackAnswer | undefined): string | undefined {
  const user = isObject(answer?.user) ? answer.user : {};
  const profile = isObject(user.profile) ? user.profile : {};
  const names = [profile.display_name, profile.real_name, user.real_name, user.name];
  const name = names.find((one): one is string => typeof one === 'string' && oneLine(one) !== '');
  return name === undefined ? undefined : head(oneLine(name), 80);
}

function toName({ channel }: SlackAnswer): string | undefined {
  const name = isObject(channel) ? channel.name : undefined;
  return typeof name === 'string' && name !== '' ? name : undefined;
}
