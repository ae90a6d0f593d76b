// The runtime that needs nothing: operations run right here, and end with their process.

import { Scope } from '../abort.ts';
import { isCancellation, toFailure } from '../errors.ts';
import type { Operation, ResultOf, Runtime, Settled } from '../operation.ts';
import type { RuntimeFactory, Workplace } from '../runtime.ts';

export const inProcess: RuntimeFactory = (workplace) => {
  const runtime: Runtime = {
    async do<O extends Operation>(operation: O): Promise<Settled<ResultOf<O>>> {
      workplace.scope.throwIfAborted();
      return settle<O>(workplace, operation);
    },
    async all<O extends Operation>(operations: readonly O[], { limit }: { readonly limit: number }) {
      workplace.scope.throwIfAborted();
      const settled: Settled<ResultOf<O>>[] = [];
      let next = 0;
      const work = async () => {
        for (let i = next++; i < operations.length; i = next++)
          settled[i] = await settle<O>(workplace, operations[i] as O);
      };
      // Every worker is awaited, also after a cancellation: sessions below tell their end before this one does.
      const workers = await Promise.allSettled(Array.from({ length: Math.min(limit, operations.length) }, work));
      for (const worker of workers) if (worker.status === 'rejected') throw worker.reason;
      return settled;
    },
  };
  return runtime;
};

async function settle<O extends Operation>(workplace: Workplace, operation: O): Promise<Settled<ResultOf<O>>> {
  workplace.scope.throwIfAborted();
  const { clock } = workplace;
  const scope = new Scope(workplace.scope);
  const startedAt = clock.now();
  let settled: Settled<ResultOf<O>> | undefined;
  workplace.began(operation, startedAt);
  try {
    const value = (await perform(workplace, operation, scope)) as ResultOf<O>;
    settled = { ok: true, value, startedAt, endedAt: clock.now() };
  } catch (error) {
    // Only the session's own cancellation rejects; a task that was cancelled by itself has simply failed.
    if (workplace.scope.isAborted && isCancellation(error)) throw error;
    settled = { ok: false, failure: toFailure(error), startedAt, endedAt: clock.now() };
  } finally {
    workplace.ended(operation, settled);
    scope.close();
  }
  return settled;
}

function perform(workplace: Workplace, operation: Operation, scope: Scope): Promise<unknown> {
  switch (operation.type) {
    case 'task':
      return scope.race(workplace.perform(operation, scope));
    case 'session':
      // Not raced: a session ends by itself on cancellation, and its last facts come before its caller's.
      return workplace.startSession(operation, scope);
    case 'timer':
      return scope.race(workplace.clock.sleep(operation.durationMs, scope.signal).then(() => null));
    case 'message':
      return workplace.receive(operation.name, scope);
  }
}
