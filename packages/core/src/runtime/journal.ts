// A runtime that remembers: what a journal has recorded is given back, and only the rest is performed.

import type { Operation, ResultOf, Runtime, Settled } from '../operation.ts';
import type { RuntimeFactory, Workplace } from '../runtime.ts';

/** Settled operations by session id and operation name, which together are unique in a run and stable on replay. */
export interface Journal {
  read(key: string): Settled<unknown> | undefined;
  write(key: string, settled: Settled<unknown>): void;
}

export function journaled(inner: RuntimeFactory, journal: Journal): RuntimeFactory {
  return (workplace) => {
    const performed = inner(recordEach(workplace, journal));
    const keyOf = (operation: Operation) => `${workplace.sessionId}/${operation.name}`;
    const runtime: Runtime = {
      async do<O extends Operation>(operation: O) {
        const [settled] = await runtime.all([operation], { limit: 1 });
        return settled as Settled<ResultOf<O>>;
      },
      async all<O extends Operation>(operations: readonly O[], options: { readonly limit: number }) {
        const known = operations.map((operation) => journal.read(keyOf(operation)));
        // A session walks again even when its end is known: from its own records, so that it tells its facts again.
        const rest = operations.filter((operation, i) => !known[i] || operation.type === 'session');
        const fresh = rest.length > 0 ? await performed.all(rest, options) : [];
        return operations.map((operation, i) => {
          const settled = known[i] ?? fresh[rest.indexOf(operation)];
          if (settled && !known[i]) journal.write(keyOf(operation), settled);
          return settled as Settled<ResultOf<O>>;
        });
      },
    };
    return runtime;
  };
}

/** Writes a task down as soon as it is done: a crash among its siblings must not repeat it. */
function recordEach(workplace: Workplace, journal: Journal): Workplace {
  return {
    sessionId: workplace.sessionId,
    scope: workplace.scope,
    clock: workplace.clock,
    async perform(task, scope) {
      const startedAt = workplace.clock.now();
      const value = await workplace.perform(task, scope);
      journal.write(`${workplace.sessionId}/${task.name}`, {
        ok: true,
        value,
        startedAt,
        endedAt: workplace.clock.now(),
      });
      return value;
    },
    startSession: (operation, scope) => workplace.startSession(operation, scope),
    receive: (name, scope) => workplace.receive(name, scope),
    hintStart: (operation, at) => workplace.hintStart(operation, at),
    hintEnd: (operation, settled) => workplace.hintEnd(operation, settled),
  };
}

/** A journal in memory; its entries are plain data. */
export class MemoryJournal implements Journal {
  readonly entries: Map<string, Settled<unknown>>;

  constructor(entries: Iterable<readonly [string, Settled<unknown>]> = []) {
    this.entries = new Map(entries);
  }

  read(key: string): Settled<unknown> | undefined {
    return this.entries.get(key);
  }

  write(key: string, settled: Settled<unknown>): void {
    this.entries.set(key, settled);
  }
}
