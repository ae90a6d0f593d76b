// What one session knows while it runs: the thing that walks through loop, turn and door.

import { defaultSettings } from './defaults.ts';
import type { FactWriter } from './facts.ts';
import type { Json } from './json.ts';
import type { SessionView } from './middleware.ts';
import type { ModelSettings } from './model.ts';
import type { Opened, Runtime } from './operation.ts';
import type { PendingTurn } from './pauses.ts';
import type { Question } from './question.ts';
import type { Setting } from './session-setting.ts';
import { addTotals, noTotals, type Totals } from './totals.ts';
import type { Transcript } from './transcript.ts';

export interface SessionParts extends Setting {
  readonly settings: ModelSettings;
  readonly runtime: Runtime;
  readonly facts: FactWriter;
  readonly transcript: Transcript;
  readonly opened: Opened;
}

export interface Resumed {
  readonly pending: PendingTurn;
  readonly question: Question;
  readonly answer: Json;
}

export class SessionState {
  readonly parts: SessionParts;
  turn = 0;
  replies = 0;
  repairs = 0;
  isOutputTold: boolean;
  hasKeptOutput = false;
  /** What this session and everything below it has used so far. */
  usage: Totals = noTotals;
  /** The turn this session waits in, when it ends with a question. */
  paused: PendingTurn | undefined;
  #resumed: Resumed | undefined;
  #instances: Map<string, number> | undefined;
  #lastSessions: Map<string, string> | undefined;

  constructor(parts: SessionParts) {
    this.parts = parts;
    this.isOutputTold = !parts.isOutputAsked;
    this.#resumed = parts.opened.resumed;
    // The reply that asked is this session's own.
    if (this.#resumed) this.replies = 1;
  }

  spend(totals: Totals): void {
    this.usage = addTotals(this.usage, totals);
  }

  /** The turn that waited for an answer: it is gone on with once. */
  takeResumed(): Resumed | undefined {
    const resumed = this.#resumed;
    this.#resumed = undefined;
    return resumed;
  }

  /** The next number of this label in the session, from one. */
  nextInstance(label: string): number {
    this.#instances ??= new Map();
    const number = (this.#instances.get(label) ?? 0) + 1;
    this.#instances.set(label, number);
    return number;
  }

  /** The session of this tool before, and from now on this one. */
  nextSession(tool: string, sessionId: string): string | undefined {
    this.#lastSessions ??= new Map();
    const before = this.#lastSessions.get(tool);
    this.#lastSessions.set(tool, sessionId);
    return before;
  }

  view(): SessionView {
    const { place, limits, output, texts, opened, agent, transcript, settings } = this.parts;
    const { turn, replies, repairs, usage, isOutputTold, hasKeptOutput } = this;
    return {
      place,
      limits,
      output,
      texts,
      ask: agent.ask ?? 'caller',
      models: opened.models,
      turn,
      replies,
      repairs,
      usage,
      isOutputTold,
      contextTokens: transcript.tokens,
      maxOutputTokens: settings.maxOutputTokens ?? defaultSettings.maxOutputTokens,
      hasKeptOutput,
    };
  }
}
