// A runtime that remembers: what a journal has recorded is given back, and only the rest is performed.

import { cancelled } from '../abort.ts';
import { AgentError, isCancellation, toFailure } from '../errors.ts';
import type { Operation, ResultOf, Runtime, Settled } from '../operation.ts';
import type { RuntimeFactory, Workplace } from '../runtime.ts';
import { hash } from '../text.ts';
import type { ToolResult } from '../tool-result.ts';

/** What was settled, by session id and operation name, which together are unique in a run and stable on replay. */
export interface Journal {
  read(key: string): JournalEntry | undefined;
  write(key: string, entry: JournalEntry): void;
}

/** Plain data. */
export interface JournalEntry {
  readonly settled: Settled<unknown>;
  /** A digest of what was asked: the same name must mean the same operation. */
  readonly asked: string;
}

export function journaled(inner: RuntimeFactory, journal: Journal): RuntimeFactory {
  return (workplace) => {
    const { sessionId, clock, scope } = workplace;
    const write = (name: string, settled: Settled<unknown>, asked: string) =>
      journal.write(`${sessionId}/${name}`, { settled, asked });
    const recall = (operation: Operation): Settled<unknown> | undefined => {
      const entry = journal.read(`${sessionId}/${operation.name}`);
      if (entry && entry.asked !== digest(operation)) throw mismatch(sessionId, operation.name);
      return entry?.settled;
    };
    /** A session that was refused has no records to walk from, and would begin now. */
    const hasWalked = (operation: Operation, settled: Settled<unknown>): boolean =>
      operation.type === 'session' &&
      ((settled.ok && (settled.value as ToolResult).session !== undefined) ||
        journal.read(`${operation.sessionId}/open`) !== undefined);
    // Written as soon as each is over: a crash among its siblings must not repeat it.
    const performed = inner(
      watched(workplace, (operation, settled) => write(operation.name, settled, digest(operation))),
    );

    /** A session that was cancelled by itself ends the same way when it is walked again. */
    const performCut = async <T>(perform: () => Promise<T>): Promise<T> => {
      const cut = journal.read(`${sessionId}/${cancellation}`)?.settled;
      if (cut && !cut.ok) scope.abort(cancelled(cut.failure.message), cut.endedAt);
      scope.throwIfAborted();
      try {
        return await perform();
      } catch (error) {
        const at = scope.abortedAt ?? clock.now();
        if (isCancellation(error))
          write(cancellation, { ok: false, failure: toFailure(error), startedAt: at, endedAt: at }, '');
        throw error;
      }
    };

    const runtime: Runtime = {
      async do<O extends Operation>(operation: O) {
        const [settled] = await runtime.all([operation], { limit: 1 });
        return settled as Settled<ResultOf<O>>;
      },
      async all<O extends Operation>(operations: readonly O[], options: { readonly limit: number }) {
        const known = operations.map(recall);
        // A session walks again even when its end is known: from its own records, so that it tells its facts again.
        const rest = operations.filter((operation, i) => !known[i] || hasWalked(operation, known[i]));
        const perform = () => performed.all(rest, options);
        const fresh = known.includes(undefined) ? await performCut(perform) : rest.length > 0 ? await perform() : [];
        return operations.map((operation, i) => (known[i] ?? fresh[rest.indexOf(operation)]) as Settled<ResultOf<O>>);
      },
    };
    return runtime;
  };
}

function mismatch(sessionId: string, name: string): AgentError {
  return new AgentError('journal-mismatch', `The journal has another operation under ${name} of session ${sessionId}.`);
}

function digest(operation: Operation): string {
  return hash(JSON.stringify(operation));
}

const cancellation = 'cancelled';

function watched(
  workplace: Workplace,
  onSettled: (operation: Operation, settled: Settled<unknown>) => void,
): Workplace {
  return {
    sessionId: workplace.sessionId,
    scope: workplace.scope,
    clock: workplace.clock,
    perform: (task, scope, began) => workplace.perform(task, scope, began),
    startSession: (operation, scope, began, elsewhere) => workplace.startSession(operation, scope, began, elsewhere),
    receive: (operation, scope) => workplace.receive(operation, scope),
    began: (operation, at) => workplace.began(operation, at),
    ended(operation, settled) {
      if (settled) onSettled(operation, settled);
      workplace.ended(operation, settled);
    },
    tell: (fact) => workplace.tell(fact),
  };
}

/** A journal in memory; its entries are plain data. */
export class MemoryJournal implements Journal {
  readonly entries: Map<string, JournalEntry>;

  constructor(entries: Iterable<readonly [string, JournalEntry]> = []) {
    this.entries = new Map(entries);
  }

  read(key: string): JournalEntry | undefined {
    return this.entries.get(key);
  }

  write(key: string, entry: JournalEntry): void {
    this.entries.set(key, entry);
  }
}
