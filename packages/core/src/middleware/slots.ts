// Waits for its turn before work begins: on the way to a provider or a tool, then for a place in the process. A session below holds
// neither while it waits for its own calls.

import type { Counter, Scope } from '../abort.ts';
import type { Lane, Leave } from '../lane.ts';
import type { Middleware, ModelWork, ToolWork } from '../middleware.ts';
import type { ModelReply } from '../model.ts';
import type { Gate } from '../slots.ts';
import type { LeaveQueue, ToolQueue } from '../tool-queue.ts';
import type { Usage } from '../usage.ts';

export const slots: Middleware = {
  name: 'slots',
  perform: {
    model: (work, next) =>
      work.choice.open().then(({ lane }) => {
        const gate = work.ports.slots?.models;
        const inGate = () => {
          if (gate?.isFull) work.onWait?.({ ...named(work), reason: 'queue' });
          return inPlace(gate, work, () => next(work));
        };
        return lane ? inLane(lane, work, inGate) : inGate();
      }),
    tool(work, next) {
      if (work.operation === 'session') return next(work);
      const { queue, ports } = work;
      const perform = () => next(work);
      if (!queue) return inPlace(ports.slots?.tools, work, perform);
      return inQueue(queue, work, () => inPlace(ports.slots?.tools, work, perform));
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
    : entering.then((leave) => throughLane(next, leave));
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

/** First of all, as for a provider: who waits for one tool keeps nobody from calling another. */
async function inQueue<T>(queue: ToolQueue, work: ToolWork, next: () => Promise<T>): Promise<T> {
  const { place, scope, onWait } = work;
  const entering = queue.enter({
    owner: place.originId,
    get signal() {
      return scope.signal;
    },
  });
  if (typeof entering !== 'function') onWait?.('Waits in the queue of this tool.');
  const leave = typeof entering === 'function' ? entering : await entered(entering, scope);
  try {
    scope.throwIfAborted();
    return await next();
  } finally {
    leave();
  }
}

/** Called in at the very moment of its cancellation, or after it: the turn goes to the next. */
async function entered(entering: Promise<LeaveQueue>, scope: Scope): Promise<LeaveQueue> {
  try {
    return await scope.race(entering);
  } catch (error) {
    entering.then(
      (leave) => leave(),
      () => {},
    );
    throw error;
  }
}

function inPlace<T>(
  gate: Gate | undefined,
  { place, key, scope, ports }: ModelWork | ToolWork,
  next: () => Promise<T>,
): Promise<T> {
  const work = () => {
    // Only now does time count: queueing is nobody's work.
    const end = ports.budget.begin(place.id, key);
    return end ? until(next, new AtWork(scope, end, () => ports.budget.begin(place.id, key))) : next();
  };
  return gate ? gate.run(place.originId, scope, work) : work();
}

async function until<T>(next: () => Promise<T>, work: AtWork): Promise<T> {
  try {
    return await next();
  } finally {
    work.end();
  }
}

/** The time that a budget counts of one call: not while somebody is waited for. */
class AtWork implements Counter {
  readonly #begin: () => (() => void) | undefined;
  #end: (() => void) | undefined;
  #isOver = false;

  constructor(scope: Scope, end: () => void, begin: () => (() => void) | undefined) {
    this.#begin = begin;
    this.#end = end;
    scope.countedBy(this);
  }

  standStill(): void {
    this.#end?.();
    this.#end = undefined;
  }

  goOn(): void {
    if (!this.#isOver) this.#end = this.#begin();
  }

  end(): void {
    this.#isOver = true;
    this.standStill();
  }
}
