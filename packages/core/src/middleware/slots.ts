// Waits for its turn before work begins: on the way to a provider or a tool, then for a place in the process. A session below holds
// neither while it waits for its own calls.

import type { Counter } from '../counter.ts';
import type { Lane, Leave } from '../lane.ts';
import type { Middleware, ModelWork, ToolWork } from '../middleware.ts';
import type { ModelReply } from '../model.ts';
import { CallSeat } from '../seat.ts';
import type { Usage } from '../usage.ts';

export const slots: Middleware = {
  name: 'slots',
  perform: {
    model: (work, next) =>
      work.choice.open().then(({ lane }) => {
        const gate = work.ports.slots?.models;
        const inGate = () => {
          if (gate?.isFull) work.onWait?.({ ...named(work), reason: 'queue' });
          const perform = () => modelAtWork(work, () => next(work));
          return gate ? gate.run(work.place.originId, work.scope, perform) : perform();
        };
        return lane ? inLane(lane, work, inGate) : inGate();
      }),
    tool(work, next) {
      // To tell a status is no work: nobody waits in line for it, and no time counts.
      if (work.operation === 'session' || work.isStatus) return next(work);
      const perform = () => next(work);
      if (!work.queue && !work.ports.slots?.tools) return atWork(work, perform);
      const seat = new CallSeat(work);
      return seat.hold(() => atWork(work, perform, seat));
    },
  },
};

/**
 * First of all: who waits for a provider keeps nobody from asking another one. Not async: who waits for a reply holds no
 * more than it needs.
 */
function inLane(lane: Lane, work: ModelWork, next: () => Promise<ModelReply>): Promise<ModelReply> {
  const { scope, place, inputTokens, request, onWait } = work;
  const entering = lane.enter({
    owner: place.originId,
    tokens: inputTokens + (request.settings.maxOutputTokens ?? 0),
    inputTokens,
    get signal() {
      return scope.signal;
    },
    onWait:
      onWait && ((reason, waitMs) => onWait({ ...named(work), reason, ...(waitMs === undefined ? {} : { waitMs }) })),
  });
  return typeof entering === 'function'
    ? throughLane(next, entering)
    : scope.waits(entering).then((leave) => throughLane(next, leave));
}

function named({ choice: { provider, model } }: ModelWork) {
  return { provider, model };
}

function throughLane(next: () => Promise<ModelReply>, leave: Leave): Promise<ModelReply> {
  return attempt(next).then(
    (reply) => {
      leave(tokensOf(reply?.usage ?? {}));
      return reply;
    },
    (error: unknown) => {
      leave();
      throw error;
    },
  );
}

/** A layer may throw instead of rejecting. */
function attempt<T>(work: () => Promise<T>): Promise<T> {
  try {
    return work();
  } catch (error) {
    return Promise.reject(error);
  }
}

/** Unknown is not zero: half of it would be too little. */
function tokensOf({ inputTokens, outputTokens }: Usage): number | undefined {
  return inputTokens === undefined || outputTokens === undefined ? undefined : inputTokens + outputTokens;
}

/** Only now does time count: queueing is nobody's work. Nothing inside the call of a model waits for anybody. */
function modelAtWork<T>({ place, key, scope, ports }: ModelWork, next: () => Promise<T>): Promise<T> {
  const end = ports.budget.begin(place.id, key);
  const rest = scope.work();
  return end || rest ? untilDone(next, end, rest) : next();
}

async function untilDone<T>(next: () => Promise<T>, ...ends: readonly ((() => void) | undefined)[]): Promise<T> {
  try {
    return await next();
  } finally {
    for (const end of ends) end?.();
  }
}

/** The same of a tool, which may ask somebody or run sessions. */
function atWork<T>(work: ToolWork, next: () => Promise<T>, seat?: CallSeat): Promise<T> {
  const { place, key, scope, ports } = work;
  const end = ports.budget.begin(place.id, key);
  const rest = scope.work();
  return end || rest || seat ? until(next, new AtWork(work, { end, rest, seat })) : next();
}

async function until<T>(next: () => Promise<T>, work: AtWork): Promise<T> {
  try {
    return await next();
  } finally {
    work.end();
  }
}

/** The time of one call, as a budget and those above count it: not while somebody is waited for. */
class AtWork implements Counter {
  readonly seat: CallSeat | undefined;
  waiting = 0;
  working = 0;
  isStill = false;
  readonly #work: ToolWork;
  #end: (() => void) | undefined;
  #rest: (() => void) | undefined;
  #isOver = false;

  constructor(
    work: ToolWork,
    { end, rest, seat }: { end: (() => void) | undefined; rest: (() => void) | undefined; seat: CallSeat | undefined },
  ) {
    this.#work = work;
    this.#end = end;
    this.#rest = rest;
    this.seat = seat;
    work.scope.countedBy(this);
  }

  standStill(): void {
    this.#end?.();
    this.#rest?.();
    this.#end = undefined;
    this.#rest = undefined;
  }

  goOn(): void {
    if (this.#isOver) return;
    const { place, key, scope, ports } = this.#work;
    this.#end ??= ports.budget.begin(place.id, key);
    this.#rest ??= scope.work();
  }

  end(): void {
    this.#isOver = true;
    this.standStill();
  }
}
