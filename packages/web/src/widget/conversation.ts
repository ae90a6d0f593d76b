// What a visitor and an agent say to each other, in memory: starts runs, follows them, and ends them when the visitor goes.

import type { Question } from '@ai-agent/core';
import { type Api, RequestFailed } from '../server/api.ts';
import type { Failure, Standing } from '../server/documents.ts';
import { follow } from '../server/event-stream.ts';
import { hear } from './heard.ts';
import { Reply } from './reply.ts';

export type Message =
  | { readonly from: 'visitor'; readonly id: number; readonly text: string }
  | { readonly from: 'agent'; readonly id: number; readonly reply: Reply };

export interface Talk {
  readonly messages: readonly Message[];
  readonly state: 'resting' | 'working' | 'stopping';
  readonly isLost: boolean;
}

export interface Setting {
  readonly api: Api;
  readonly agent: string;
}

export interface Told {
  readonly onAnswer: (answer: { readonly session: string; readonly status: string; readonly text: string }) => void;
  readonly onError: (failure: Failure) => void;
  /** Why nobody answers a request. */
  readonly explain: (error: unknown) => Promise<Failure>;
}

const empty: Talk = { messages: [], state: 'resting', isLost: false };

export class Conversation {
  readonly #setting: () => Setting;
  readonly #told: Told;
  readonly #listeners = new Set<() => void>();
  #talk: Talk = empty;
  /** What was begun, and where: the page may name another server or key meanwhile. */
  #begun: Begun | undefined;
  /** The same while it works. */
  #running: Begun | undefined;
  /** The number of the last fact that was heard. */
  #last = 0;
  #number = 0;
  #isDue = false;
  /** Ends with the talk. */
  #ending = new AbortController();

  constructor(setting: () => Setting, told: Told) {
    this.#setting = setting;
    this.#told = told;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly talk = (): Talk => this.#talk;

  /** Settles when it is answered, or when that has failed. What is said to one that asks is the answer to that. */
  async ask(text: string): Promise<void> {
    if (text.trim() === '' || this.#talk.state !== 'resting') return;
    const { api, agent } = { ...this.#setting(), ...this.#begun };
    const { session } = this.#begun ?? {};
    this.#say({ from: 'visitor', text });
    await this.#work(api, () => api.start({ ...(session === undefined ? { agent } : { session }), input: text }));
  }

  /** Answers the question that is open with something else than words. */
  async answer(answer: unknown, text: string): Promise<void> {
    if (!this.#begun || this.#talk.state !== 'resting') return;
    const { api, session } = this.#begun;
    this.#say({ from: 'visitor', text });
    await this.#work(api, () => api.answer(session, answer));
  }

  /** As a limit does, so that there is an answer of what was found; a second time, at once. What is only being begun is stopped when it has. */
  async stop(): Promise<void> {
    const { state } = this.#talk;
    if (state === 'resting') return;
    if (state === 'stopping' && !this.#running) return this.leave();
    this.#draw({ state: 'stopping' });
    if (!this.#running) return;
    const { api, session } = this.#running;
    await (state === 'stopping' ? api.cancel(session) : api.stop(session)).catch(() => {});
  }

  reset(): void {
    this.leave();
    this.#forget();
    this.#draw(empty);
  }

  /** The visitor goes: whatever is at work ends. */
  leave(): void {
    if (this.#talk.state === 'resting') return;
    this.#ending.abort();
    this.#reply()?.end({ status: 'cancelled' });
    const { api, session } = this.#begun ?? {};
    if (session !== undefined) void api?.cancel(session).catch(() => {});
    this.#draw({ state: 'resting', isLost: false });
  }

  #forget(): void {
    this.#begun = undefined;
    this.#last = 0;
  }

  async #work(api: Api, begin: () => Promise<Standing>): Promise<void> {
    const ending = new AbortController();
    this.#ending = ending;
    this.#running = undefined;
    const { signal } = ending;
    const reply = new Reply();
    this.#say({ from: 'agent', reply });
    this.#draw({ state: 'working' });
    try {
      const { id } = await begin();
      // It has begun for somebody who is gone.
      if (signal.aborted) return void api.cancel(id).catch(() => {});
      this.#begun = { api, session: id };
      this.#running = this.#begun;
      if (this.#talk.state === 'stopping') void api.stop(id).catch(() => {});
      const standing = await this.#follow(api, id, { reply, signal });
      if (!signal.aborted && standing) this.#end(reply, standing);
    } catch (error) {
      if (signal.aborted) return;
      const failure = error instanceof RequestFailed ? error.failure : await this.#told.explain(error);
      if (!signal.aborted) this.#fail(reply, failure);
    } finally {
      if (!signal.aborted) this.#draw({ state: 'resting', isLost: false });
    }
  }

  async #follow(api: Api, id: string, { reply, signal }: Work): Promise<Standing | undefined> {
    const open = (after: number, cut: AbortSignal) => {
      this.#last = Math.max(after, this.#last);
      const headers = { accept: 'text/event-stream', ...(this.#last > 0 ? { 'last-event-id': `${this.#last}` } : {}) };
      return api.ask(`v1/sessions/${id}/events?now=true`, { signal: cut, headers });
    };
    const onConnection = (state: 'live' | 'lost') => this.#draw({ isLost: state === 'lost' });
    for await (const { type, id: number, data } of follow({ open, signal, onConnection })) {
      if (signal.aborted) break;
      if (type === 'end') return JSON.parse(data) as Standing;
      this.#last = Math.max(number ?? 0, this.#last);
      const heard = hear(data);
      if (heard && reply.hear(heard)) this.#drawSoon();
    }
    return undefined;
  }

  #end(reply: Reply, standing: Standing): void {
    const { id, status } = standing;
    reply.end(standing);
    const { failure } = reply.picture;
    if (failure) this.#told.onError(failure);
    else this.#told.onAnswer({ session: id, status, text: reply.picture.text });
  }

  #fail(reply: Reply, failure: Failure): void {
    // What is said next begins anew: nobody would find what it should go on with.
    if (failure.code === 'session-unknown') this.#forget();
    // An answer that does not fit leaves the question open.
    const asked = failure.code === 'answer-invalid' ? this.#asked(reply) : undefined;
    reply.end({ status: 'failed', failure, ...(asked ? { question: asked } : {}) });
    this.#told.onError(failure);
  }

  /** What the reply before this one has asked. */
  #asked(reply: Reply): Question | undefined {
    const replies = this.#talk.messages.flatMap((message) => (message.from === 'agent' ? [message.reply] : []));
    return replies[replies.indexOf(reply) - 1]?.picture.question;
  }

  #reply(): Reply | undefined {
    const last = this.#talk.messages.at(-1);
    return last?.from === 'agent' ? last.reply : undefined;
  }

  #say(message: { from: 'visitor'; text: string } | { from: 'agent'; reply: Reply }): void {
    this.#draw({ messages: [...this.#talk.messages, { ...message, id: ++this.#number }] });
  }

  /** Many pieces in a moment are drawn once. */
  #drawSoon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    requestAnimationFrame(() => this.#draw({}));
  }

  #draw(change: Partial<Talk>): void {
    this.#isDue = false;
    this.#talk = { ...this.#talk, ...change };
    for (const listener of [...this.#listeners]) listener();
  }
}

interface Begun {
  readonly api: Api;
  readonly session: string;
}

interface Work {
  readonly reply: Reply;
  readonly signal: AbortSignal;
}
