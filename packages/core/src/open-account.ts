// A session in the books of its tree's budget, from when it opens until it ends.

import { cutOff, type Scope, stopped } from './abort.ts';
import { type Budget, checkBudget } from './budget.ts';
import { AgentError } from './errors.ts';
import type { Opened } from './operation.ts';
import type { Place } from './place.ts';
import type { Run } from './run.ts';
import type { Setting } from './setting.ts';

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

/** What its agent allows is never passed. Throws `agent-invalid`, and `port-missing` where the books cannot do it. */
export function raiseAccount({ ports }: Run, { agent, place }: Pick<Setting, 'agent' | 'place'>, budget: Budget): void {
  const remedy = 'Correct what raise was given; the message names the field.';
  checkBudget({ name: `raise of ${agent.name}`, remedy }, budget);
  const books = ports.budget;
  if (!books.raise) throw new AgentError('port-missing', 'The budget port of this run has no raise.');
  const amounts = Object.entries(budget) as [keyof Budget, number][];
  const allowed = amounts.map(([amount, value]) => [amount, Math.min(value, agent.budget?.[amount] ?? value)]);
  books.raise(place.id, Object.fromEntries(allowed));
}
