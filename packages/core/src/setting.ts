// What a session works under, as plain as it gets: both its deciding and its working side have it.

import type { Agent } from './agent.ts';
import type { Budget } from './budget.ts';
import type { Limits } from './defaults.ts';
import type { EnvOverlay } from './env.ts';
import type { Middleware } from './middleware.ts';
import type { OutputContract } from './model.ts';
import type { Rights } from './permissions.ts';
import type { Place } from './place.ts';
import type { Texts } from './texts.ts';
import type { Inherited, ToolOffer } from './tool.ts';

export interface Setting {
  readonly agent: Agent;
  readonly place: Place;
  readonly limits: Limits;
  readonly budget: Budget;
  readonly env: EnvOverlay;
  readonly output: OutputContract;
  /** Whether the contract is the caller's: then it is told after the first answer. */
  readonly isOutputAsked: boolean;
  /** What callers get: the output, unless other agents go on from it. */
  readonly result: OutputContract;
  /** Whether its caller asked for that. */
  readonly isResultAsked: boolean;
  readonly texts: Texts;
  readonly middleware: readonly Middleware[];
  readonly inherited: Inherited;
  /** What it may call. Missing when that is everything. */
  readonly rights: Rights | undefined;
  /** Words of its caller, after its agent's own. */
  readonly moreInstructions: string;
  /** Tools beside its agent's own. */
  readonly moreTools: readonly ToolOffer[];
}
