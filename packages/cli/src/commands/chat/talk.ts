// A talk with an agent: one session, round after round, each shown and printed as a run is.

import type { LoadedAgent } from '@ai-agent/agents';
import {
  type AgentEvent,
  type Fact,
  firstRound,
  inputFailure,
  isAgentError,
  type KeptRound,
  nextRound,
  type Outcome,
  type Question,
  type SessionHead,
} from '@ai-agent/core';
import { atTerminal } from '../../at-terminal.ts';
import type { Unkept } from '../../kept-answers.ts';
import type { KeptSessions } from '../../kept-sessions.ts';
import { randomIds, systemClock } from '../../platform.ts';
import type { Terminal } from '../../terminal.ts';
import { toAnswer } from '../run/answer-words.ts';
import { type About, nextBudget } from '../run/kept-run.ts';
import { PluginsAtWork } from '../run/plugins-at-work.ts';
import { printOutcome } from '../run/print-outcome.ts';
import type { RunRequest } from '../run/run-request.ts';
import { showRun } from '../run/show-run.ts';
import { type Round, readRounds } from './rounds.ts';
import { TalkRound } from './talk-round.ts';
import { type Begun, TalkStore } from './talk-store.ts';

export interface TalkSetting {
  readonly loaded: LoadedAgent;
  readonly about: About;
  /** Where it is kept. @default nowhere */
  readonly sessions?: KeptSessions | undefined;
  /** What is asked of every round beside the message. */
  readonly request: Omit<RunRequest, 'loaded' | 'prompt' | 'kept' | 'plugins'>;
}

export class Talk {
  readonly setting: TalkSetting;
  readonly #plugins: PluginsAtWork[] = [];
  #id: string;
  #isToldUnkept = false;
  #store: TalkStore;
  #rounds: readonly Round[];

  constructor(setting: TalkSetting, begun?: Begun) {
    this.setting = setting;
    this.#id = begun?.head.id ?? randomIds.next();
    this.#store = new TalkStore(setting.sessions, begun);
    this.#rounds = begun ? readRounds(begun.head, begun.facts) : [];
  }

  get id(): string {
    return this.#id;
  }

  /** Missing until something was said. */
  get head(): SessionHead | undefined {
    return this.#store.head;
  }

  get rounds(): readonly Round[] {
    return this.#rounds;
  }

  get facts(): readonly Fact[] {
    return this.#store.all;
  }

  /** What it waits to be told: the next message is the answer. */
  get question(): Question | undefined {
    return this.#store.head?.question;
  }

  /** Whether somebody was told why it is not kept. */
  get isToldUnkept(): boolean {
    return this.#isToldUnkept;
  }

  /** Why it is not kept; told once. */
  whatIsUnkept(): Unkept | undefined {
    const unkept = this.#isToldUnkept ? undefined : this.setting.sessions?.unkept;
    this.#isToldUnkept ||= unkept !== undefined;
    return unkept;
  }

  /** Another one, with the same agent. */
  beginAnew(): void {
    this.#id = randomIds.next();
    this.#store = new TalkStore(this.setting.sessions);
    this.#rounds = [];
  }

  /** Why this is no message for the agent; undefined when it is one. */
  whyNot(message: string): string | undefined {
    return this.question ? undefined : inputFailure(this.setting.loaded.agent, message)?.message;
  }

  /** Throws what `nextRound` throws. */
  async say(message: string, terminal: Terminal, more: Pick<RunRequest, 'typed'> = {}): Promise<Outcome> {
    const { loaded, request } = this.setting;
    const round = await this.#open(message);
    const kept = new TalkRound(this.#store, this.setting.sessions, round);
    const plugins = new PluginsAtWork();
    const { prompt } = round;
    const all = { ...request, ...more, loaded, prompt, kept, plugins, onEvent: this.#hear };
    const { outcome, release, ...shown } = await showRun(all, terminal);
    try {
      this.#rounds = [...this.#rounds, { said: message, outcome }];
      if (outcome.status === 'cancelled' && request.print !== 'json') terminal.stderr.write('Cancelled.\n');
      else await printOutcome(outcome, { request: all, terminal, ...shown });
      await kept.isKept();
      if (plugins.hasWork) this.#plugins.push(plugins);
      plugins.release();
      return outcome;
    } finally {
      release();
    }
  }

  /** Plugins that are still at work. */
  async end(terminal: Terminal): Promise<void> {
    await Promise.all(this.#plugins.map((plugins) => plugins.wait(terminal)));
  }

  /** What plugins left behind does not keep the process. Whether there is any. */
  leave(): boolean {
    for (const plugins of this.#plugins) plugins.leave();
    return this.#plugins.length > 0;
  }

  readonly #hear = (event: AgentEvent): void => this.setting.request.onEvent?.(event);

  async #open(message: string): Promise<KeptRound> {
    const { loaded, about } = this.setting;
    const { texts } = loaded.agent;
    const keeper = { store: this.#store, clock: systemClock, ids: { next: () => this.#id }, onBug: () => {}, texts };
    const { head, question } = this;
    const prompt = question ? toAnswer(question, message) : loaded.fillPrompt(message, systemClock.now());
    if (!head) return firstRound(keeper, { ...about, ...atTerminal }, prompt);
    try {
      return await nextRound(keeper, head, { prompt, budget: nextBudget(head, about) });
    } catch (error) {
      if (isAgentError(error) && error.code === 'session-unknown') this.beginAnew();
      throw error;
    }
  }
}
