// One run from its place to its end: waits for a place, plants the tree, keeps the books, and undoes all that it took.

import {
  type Budget,
  checkAbove,
  isCancellation,
  narrower,
  type Outcome,
  readAncestor,
  toFailure,
  type Waits,
  waitsOf,
} from '@ai-agent/core';
import type { Answering, Starting } from './asked.ts';
import { aboveCalls, withKnown } from './caller.ts';
import { withoutInside } from './failure-status.ts';
import type { Hall } from './hall.ts';
import type { LiveSession } from './live-session.ts';
import type { Entrant, Ticket } from './places.ts';
import { plant } from './plant.ts';
import type { Visitor } from './visitor.ts';

export function start(hall: Hall, asked: Starting, live: LiveSession): Answering {
  const lent = hall.lending.lentTo(asked.above?.token);
  const above = asked.above && lent ? withKnown(asked.above, lent.above) : asked.above;
  const starting = { ...asked, above };
  const { served, visitor, headend, signal } = starting;
  if (above) checkAbove(served.agent, above);
  visitor.admit?.();
  const inside = lent?.ticket.inside;
  const places = inside ?? hall.placesOf(headend);
  // From now on, not from its place on: what it needs must be there when it has one.
  const undo = [served.hold?.() ?? (() => {})];
  let place: Ticket | Promise<Ticket>;
  try {
    hall.enter(live, inside !== undefined);
    undo.push(follow(signal, (reason) => live.abandon(reason)));
    place = places.enter({ ...entrantOf(visitor, inside !== undefined), signal: live.signal });
  } catch (error) {
    hall.leave(live);
    undoAll(hall, undo);
    throw error;
  }
  live.open({ agent: served.agent.budget, key: visitor.budget });
  if (place instanceof Promise) starting.onWait?.();
  const ended = walk(hall, starting, live, place);
  // Nobody may be there to hear that it never began.
  ended
    .catch((error: unknown) => neverBegan(hall, starting, live, error))
    .finally(() => undoAll(hall, undo))
    .then(() => close(hall, live))
    .catch(hall.onBug);
  const outcome = whenKept(hall, live, ended);
  outcome.catch(() => {});
  const callPath = [...(above?.agents ?? []).map((one) => readAncestor(one).name), served.agent.name];
  return { head: live.head, originId: starting.sessionId, callPath, outcome };
}

/** Whoever waits for a place inside one that is held is bound by nothing of its own. */
function entrantOf({ key, person, concurrency }: Visitor, isInside: boolean): Entrant {
  const owner = { owner: key ?? '', ...(isInside ? {} : { atOnce: concurrency }) };
  if (!person) return owner;
  return { owner: person.id, ...(isInside ? {} : { atOnce: person.concurrency }), with: owner };
}

async function walk(
  hall: Hall,
  starting: Starting,
  live: LiveSession,
  entering: Ticket | Promise<Ticket>,
): Promise<Outcome> {
  const place = await entering;
  const undo = [() => place.leave()];
  try {
    // It may have been cancelled since the place was given.
    live.signal.throwIfAborted();
    const above = aboveCalls(starting.served.agent, starting.above);
    undo.push(hall.lending.lend(starting.sessionId, { ticket: place, above }));
    const prices = starting.served.session?.ports?.prices ?? hall.ports.prices;
    const spending = starting.visitor.spend?.({ stop: () => live.stop('allowance'), prices });
    if (spending) {
      live.follow(spending.hear);
      undo.push(() => spending.close());
    }
    // Who goes on brings what was spent before, which is not in what is left.
    const left = starting.handle === undefined ? spending?.budget : undefined;
    // It may have been raised since it was asked.
    const run = plant(hall, { ...starting, budget: narrower(live.head.budget, left) }, live);
    live.begin(run, left);
    const told = await run.outcome;
    const outcome = live.complete(left && spending ? spending.judge(told, ownBudget(live)) : told);
    live.end({ outcome, told, asks: await stillAsks(hall, starting, live, outcome) });
    hall.onEnd(live.head, outcome, starting.headend);
    return outcome;
  } finally {
    undoAll(hall, undo);
  }
}

/** Whoever has an outcome finds it in the store, whatever happens to this process then. One that takes too long is not waited for. */
async function whenKept(hall: Hall, live: LiveSession, ended: Promise<Outcome>): Promise<Outcome> {
  const outcome = await ended;
  if (!live.isWritten) await hall.patience.wait(live.whenWritten());
  return outcome;
}

/** What it may use, whatever is left for its key. */
function ownBudget({ bounds: { agent, key }, head }: LiveSession): Budget {
  return narrower(narrower(agent, key), head.budget);
}

/**
 * An answer is taken only by a run that can go on: when that failed before, the question is still open. Results of a client's
 * calls can be brought again: what was done before them is not lost with a run that broke off after them.
 */
async function stillAsks(
  hall: Hall,
  { before, handle, served, paused }: Starting,
  live: LiveSession,
  { status }: Outcome,
): Promise<Waits | undefined> {
  const wasCut = status === 'failed' || (status === 'cancelled' && !live.isCalledOff);
  if (!wasCut || !before || handle === undefined) return undefined;
  try {
    const pauses = hall.pausesOf(served);
    if (before.calls && paused) await pauses?.put(handle, paused);
    return (await pauses?.get(handle)) ? waitsOf(before) : undefined;
  } catch {
    return undefined;
  }
}

function neverBegan(hall: Hall, { before, headend }: Starting, live: LiveSession, error: unknown): void {
  const told = toFailure(error);
  const isBug = told.class === 'bug';
  if (isBug) hall.onBug(error);
  const failure = isBug ? withoutInside(told) : told;
  if (before && live.count === before.facts && !live.isCalledOff) live.restore(before);
  else live.fail(isCancellation(error) ? 'cancelled' : 'failed', hall.clock.now(), failure);
  hall.onEnd(live.head, undefined, headend);
}

/** Whoever hears that it is over finds it in the store, and can go on with it. */
async function close(hall: Hall, live: LiveSession): Promise<void> {
  if (!live.isWritten) {
    await live.whenWritten();
    // Whoever waited for the store too has its answer now, and gets it before a server that stops takes it that all is over.
    await new Promise((resolve) => setImmediate(resolve));
  }
  hall.leave(live);
  live.over();
}

/** Each of them, whatever the others do. */
function undoAll(hall: Hall, undo: readonly (() => void)[]): void {
  for (const each of undo) {
    try {
      each();
    } catch (error) {
      hall.onBug(error);
    }
  }
}

function follow(signal: AbortSignal | undefined, onAbort: (reason: string) => void): () => void {
  if (!signal) return () => {};
  const listener = () => onAbort('Whoever asked has gone.');
  if (signal.aborted) listener();
  signal.addEventListener('abort', listener, { once: true });
  return () => signal.removeEventListener('abort', listener);
}
