// A session in the books of its tree's budget, from when it opens until it ends.

import { cutOff, type Scope, stopped } from './abort.ts';
import type { Budget } from './budget.ts';
import type { Opened } from './operation.ts';
import type { Place } from './place.ts';
import type { Run } from './run.ts';

interface Opening {
  readonly place: Place;
  readonly budget: Budget;
  readonly scope: Scope;
  readonly opened: Opened;
  readonly contextTokens: number;
}

export function openAccount(run: Run, { place, budget, scope, opened, contextTokens }: Opening): void {
  const price = opened.models.find((model) => model.price !== null)?.price;
  run.ports.budget.open({
    sessionId: place.id,
    parentId: place.parentId,
    budget,
    contextTokens,
    ...(opened.resumed ? { spent: opened.resumed.spent } : {}),
    ...(price ? { price } : {}),
    halt: (limit, { isFinal }) => scope.halt(isFinal ? cutOff({ limit }) : stopped(limit)),
  });
}
