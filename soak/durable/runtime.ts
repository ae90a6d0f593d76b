// A runtime on Restate: tasks are recorded steps, sessions below are invocations of their own, and a replay asks nobody twice.

import {
  AgentError,
  type ListOptions,
  type OnSettled,
  type Operation,
  type ResultOf,
  type Runtime,
  type RuntimeFactory,
  type Settled,
  type Workplace,
} from '@ai-agent/cli';
import { CancelledError, RestatePromise, type WorkflowContext } from '@restatedev/restate-sdk';
import { type Arrived, type Begun, beginOperation } from './begin.ts';

/** Made for one attempt of one invocation; `sessions` names the workflow that runs sessions below. */
export function restateRuntime(ctx: WorkflowContext, sessions: string): RuntimeFactory {
  return (workplace) => {
    const begin = beginOperation({ ctx, workplace, sessions });
    const runtime: Runtime = {
      async do<O extends Operation>(operation: O, onSettled?: OnSettled<O>) {
        const [settled] = await runtime.all([operation], { limit: 1, onSettled });
        return settled as Settled<ResultOf<O>>;
      },
      async all<O extends Operation>(operations: readonly O[], { limit, onSettled }: ListOptions<O>) {
        workplace.scope.throwIfAborted();
        const settled: Settled<unknown>[] = [];
        const waiting = new Set(operations.keys());
        const underWay = new Map<number, Begun>();
        while (waiting.size + underWay.size > 0) {
          const next = underWay.size < limit ? nextOf(operations, waiting, underWay) : undefined;
          if (next !== undefined) {
            // One after the other: the engine has to see them leave in the same order on every replay.
            underWay.set(next, await begin(operations[next] as O));
            waiting.delete(next);
            continue;
          }
          const { i, begun, arrived } = await firstOf(workplace, underWay);
          underWay.delete(i);
          settled[i] = await begun.finish(arrived);
          workplace.ended(operations[i] as O, settled[i]);
          onSettled?.(settled[i] as Settled<ResultOf<O>>, i);
        }
        return settled as Settled<ResultOf<O>>[];
      },
    };
    return runtime;
  };
}

/** The first that may begin: one that goes on from another waits for it and lets others pass. */
function nextOf(
  operations: readonly Operation[],
  waiting: ReadonlySet<number>,
  underWay: ReadonlyMap<number, unknown>,
): number | undefined {
  const open = new Set([...waiting, ...underWay.keys()].map((i) => idOf(operations[i])));
  return [...waiting].find((i) => {
    const operation = operations[i];
    return operation?.type !== 'session' || operation.after === undefined || !open.has(operation.after);
  });
}

function idOf(operation: Operation | undefined): string | undefined {
  return operation?.type === 'session' ? operation.sessionId : undefined;
}

/**
 * The only place that waits for operations of the engine: who awaits several of its promises side by side learns of them
 * in an order that a replay does not repeat.
 */
async function firstOf(workplace: Workplace, underWay: ReadonlyMap<number, Begun>) {
  const toFirst = (i: number, begun: Begun) =>
    begun.arriving.map((arrived) => ({ i, begun, arrived: arrived as Arrived }));
  try {
    return await RestatePromise.race([...underWay].map(([i, begun]) => toFirst(i, begun)));
  } catch (error) {
    if (!(error instanceof CancelledError)) throw error;
    const reason = new AgentError('cancelled', 'The invocation was cancelled.', { cause: error });
    workplace.scope.abort(reason);
    await endAll([...underWay.values()]);
    throw reason;
  }
}

/** The engine cancels sessions below by itself; their last facts come before their caller's. */
async function endAll(underWay: readonly Begun[]): Promise<void> {
  const arrived = await RestatePromise.all(underWay.map(({ arriving }) => arriving));
  for (const [i, begun] of underWay.entries()) await begun.finish(arrived[i] as Arrived).catch(() => {});
}
