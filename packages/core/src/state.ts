// What one session knows while it runs: the thing that walks through loop, turn and door.

import type { Agent } from './agent.ts';
import type { Limits } from './defaults.ts';
import type { FactWriter } from './facts.ts';
import type { Middleware, SessionView } from './middleware.ts';
import type { ModelSettings, OutputContract } from './model.ts';
import type { Opened, Runtime } from './operation.ts';
import type { Place } from './place.ts';
import type { Texts } from './texts.ts';
import { addTotals, noTotals, type Totals } from './totals.ts';
import type { Transcript } from './transcript.ts';

export interface SessionParts {
  readonly agent: Agent;
  readonly place: Place;
  readonly limits: Limits;
  readonly settings: ModelSettings;
  readonly output: OutputContract;
  readonly isOutputAsked: boolean;
  readonly texts: Texts;
  readonly middleware: readonly Middleware[];
  readonly runtime: Runtime;
  readonly facts: FactWriter;
  readonly transcript: Transcript;
  readonly opened: Opened;
}

export class SessionState {
  readonly parts: SessionParts;
  turn = 0;
  repairs = 0;
  isOutputTold: boolean;
  /** What this session and everything below it has used so far. */
  usage: Totals = noTotals;
  #instances: Map<string, number> | undefined;

  constructor(parts: SessionParts) {
    this.parts = parts;
    this.isOutputTold = !parts.isOutputAsked;
  }

  spend(totals: Totals): void {
    this.usage = addTotals(this.usage, totals);
  }

  /** The next number of this label in the session, from one. */
  nextInstance(label: string): number {
    this.#instances ??= new Map();
    const number = (this.#instances.get(label) ?? 0) + 1;
    this.#instances.set(label, number);
    return number;
  }

  view(): SessionView {
    const { place, limits, output, texts } = this.parts;
    const { turn, repairs, usage, isOutputTold } = this;
    return { place, limits, output, texts, turn, repairs, usage, isOutputTold };
  }
}
