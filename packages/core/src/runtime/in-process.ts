// The runtime that needs nothing: operations run right here, and end with their process.

import type { Scope } from '../abort.ts';
import { type Failure, isCancellation, toFailure } from '../errors.ts';
import type { ListOptions, OnSettled, Operation, ResultOf, Runtime, Settled } from '../operation.ts';
import { isInside } from '../place.ts';
import { type Began, type RuntimeFactory, scopeOf, type Workplace } from '../runtime.ts';
import { sleep } from '../sleep.ts';

export const inProcess: RuntimeFactory = (workplace) => new InProcess(workplace);

/** What runs inside a task is recorded with it, as a whole: no other runtime knows of it. */
export function exceptInside(runtime: RuntimeFactory): RuntimeFactory {
  return (workplace) => (isInside(workplace.sessionId) ? inProcess : runtime)(workplace);
}

class InProcess implements Runtime {
  readonly #workplace: Workplace;

  constructor(workplace: Workplace) {
    this.#workplace = workplace;
  }

  do<O extends Operation>(operation: O, onSettled?: OnSettled<O>): Promise<Settled<ResultOf<O>>> {
    return settle<O>(this.#workplace, operation, (settled) => onSettled?.(settled, 0));
  }

  async all<O extends Operation>(
    operations: readonly O[],
    { limit, onSettled }: ListOptions<O>,
  ): Promise<readonly Settled<ResultOf<O>>[]> {
    const workplace = this.#workplace;
    workplace.scope.throwIfAborted();
    const settleOne = (operation: O, i: number) =>
      settle<O>(workplace, operation, (settled) => onSettled?.(settled, i));
    // A list within the limit needs no queue.
    if (operations.length <= limit && !operations.some(isFollowing)) return allDone(operations.map(settleOne));
    const settled: Settled<ResultOf<O>>[] = [];
    const waiting = new Line(operations);
    const work = async () => {
      for (let i = waiting.next(); i !== undefined; i = waiting.next()) {
        settled[i] = await settleOne(operations[i] as O, i);
        waiting.settled(i);
      }
    };
    await allDone(Array.from({ length: Math.min(limit, operations.length) }, work));
    return settled;
  }
}

/** Every one is awaited, also after a cancellation: sessions below tell their end before this one does. */
async function allDone<T>(work: readonly Promise<T>[]): Promise<readonly T[]> {
  const done = await Promise.allSettled(work);
  return done.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
}

function isFollowing(operation: Operation): boolean {
  return operation.type === 'session' && operation.after !== undefined;
}

/** Operations in list order; one that goes on from another waits for it and lets others pass. */
class Line {
  readonly #operations: readonly Operation[];
  readonly #waiting: Set<number>;
  /** Sessions of this list that have not settled. */
  readonly #open: Set<string>;

  constructor(operations: readonly Operation[]) {
    this.#operations = operations;
    this.#waiting = new Set(operations.keys());
    this.#open = new Set(
      operations.flatMap((operation) => (operation.type === 'session' ? [operation.sessionId] : [])),
    );
  }

  /** Nothing when none may begin now: whoever settles the one it waits for will find it. */
  next(): number | undefined {
    for (const i of this.#waiting) {
      const operation = this.#operations[i];
      if (operation?.type === 'session' && operation.after !== undefined && this.#open.has(operation.after)) continue;
      this.#waiting.delete(i);
      return i;
    }
    return undefined;
  }

  settled(i: number): void {
    const operation = this.#operations[i];
    if (operation?.type === 'session') this.#open.delete(operation.sessionId);
  }
}

async function settle<O extends Operation>(
  workplace: Workplace,
  operation: O,
  onSettled: (settled: Settled<ResultOf<O>>) => void,
): Promise<Settled<ResultOf<O>>> {
  // A model call settles even then, so that the record says that no request was sent.
  if (!(operation.type === 'task' && operation.task === 'model')) workplace.scope.throwIfAborted();
  const { clock } = workplace;
  const scope = scopeOf(operation, workplace.scope);
  let startedAt: number | undefined;
  const began = () => {
    startedAt = clock.now();
    workplace.began(operation, startedAt);
  };
  // What never left its queue took no time.
  const times = () => ({ startedAt: startedAt ?? clock.now(), endedAt: clock.now() });
  let settled: Settled<ResultOf<O>> | undefined;
  try {
    const value = (await perform(workplace, operation, scope, began)) as ResultOf<O>;
    settled = { ok: true, value, ...times() };
  } catch (error) {
    // Only the session's own cancellation rejects; a task that was cancelled by itself has simply failed.
    if (workplace.scope.isAborted && isCancellation(error)) throw error;
    settled = { ok: false, failure: toFailure(error), ...times() };
  } finally {
    workplace.ended(operation, settled);
    scope.close();
  }
  onSettled(settled);
  // A model call that was cancelled settles all the same: its value says which requests were sent.
  if (workplace.scope.isAborted && isCancelled(settled)) workplace.scope.throwIfAborted();
  return settled;
}

/** True if the work itself ended because of a cancellation. */
export function isCancelled(settled: Settled<unknown>): boolean {
  const failure = settled.ok ? (settled.value as { failure?: Failure } | null)?.failure : settled.failure;
  return failure?.class === 'cancelled';
}

async function perform(workplace: Workplace, operation: Operation, scope: Scope, began: Began): Promise<unknown> {
  switch (operation.type) {
    case 'task':
      return workplace.perform(operation, scope, began);
    case 'session':
      // Not raced: a session ends by itself on cancellation, and its last facts come before its caller's.
      return workplace.startSession(operation, scope, began);
    case 'timer':
      began();
      return sleep(workplace.clock, operation.durationMs, scope.signal).then(() => null);
    case 'message':
      began();
      return workplace.receive(operation, scope);
  }
}
