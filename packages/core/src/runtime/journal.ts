// A runtime that remembers: what a journal has recorded is given back, and only the rest is performed.

import { cancelled } from '../abort.ts';
import { AgentError, isCancellation, toFailure } from '../errors.ts';
import type { ListOptions, OnSettled, Operation, ResultOf, Runtime, Settled } from '../operation.ts';
import type { RuntimeFactory, Workplace } from '../runtime.ts';
import { hash } from '../text.ts';
import type { ToolResult } from '../tool-result.ts';
import { isCancelled } from './in-process.ts';

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
  /** Counts the entries of a session in the order in which operations settled. A replay reports them in this order. */
  readonly order: number;
}

export function journaled(inner: RuntimeFactory, journal: Journal): RuntimeFactory {
  return (workplace) => {
    const { sessionId, clock, scope } = workplace;
    const cutKey = `${sessionId}/${cancellation}`;
    let entries = 0;
    const write = (name: string, settled: Settled<unknown>, asked: string) => {
      journal.write(`${sessionId}/${name}`, { settled, asked, order: ++entries });
    };
    const recall = (operation: Operation): JournalEntry | undefined => {
      const entry = journal.read(`${sessionId}/${operation.name}`);
      if (entry && entry.asked !== digest(operation)) throw mismatch(sessionId, operation.name);
      entries = Math.max(entries, entry?.order ?? 0);
      return entry;
    };
    /** True if a child session has records to run from. One that was refused has none, and would begin now. */
    const hasRun = (operation: Operation, settled: Settled<unknown> | undefined): boolean =>
      operation.type === 'session' &&
      ((settled?.ok && (settled.value as ToolResult).session !== undefined) ||
        journal.read(`${operation.sessionId}/open`) !== undefined);
    /** Runs sessions that have ended from their own records, so that they emit their facts again. Writes nothing here. */
    const replayed = inner(workplace);
    // Written as soon as each is over: a crash among its siblings must not repeat it.
    const performed = inner(
      watched(workplace, (operation, settled) => write(operation.name, settled, digest(operation))),
    );

    /** A session that was cancelled by itself ends the same way when it is walked again. */
    const performCut = async <T>(perform: () => Promise<T>): Promise<T> => {
      const cut = journal.read(cutKey)?.settled;
      if (cut && !cut.ok) scope.abort(cancelled(cut.failure.message), cut.endedAt);
      try {
        scope.throwIfAborted();
        return await perform();
      } catch (error) {
        const at = scope.abortedAt ?? clock.now();
        if (!cut && isCancellation(error))
          write(cancellation, { ok: false, failure: toFailure(error), startedAt: at, endedAt: at }, '');
        throw error;
      }
    };

    const runtime: Runtime = {
      async do<O extends Operation>(operation: O, onSettled?: OnSettled<O>) {
        const [settled] = await runtime.all([operation], { limit: 1, onSettled });
        return settled as Settled<ResultOf<O>>;
      },
      async all<O extends Operation>(operations: readonly O[], { limit, onSettled }: ListOptions<O>) {
        const known = operations.map(recall);
        const settled = known.map((entry) => entry?.settled as Settled<ResultOf<O>> | undefined);
        // Sessions below that a cancellation of this one ended have no entry here, and have records all the same.
        const wasCut = journal.read(cutKey) !== undefined;
        const again = operations.filter((operation, i) => (settled[i] || wasCut) && hasRun(operation, settled[i]));
        if (again.length > 0) await replayed.all(again, { limit });
        for (const i of inOrder(known)) onSettled?.(settled[i] as Settled<ResultOf<O>>, i);
        const missing = [...operations.keys()].filter((i) => !settled[i]);
        const isCutHere = journal.read(cutKey)?.order === entries + 1 && settled.some((one) => one && isCancelled(one));
        if (missing.length === 0 && !isCutHere) return settled as Settled<ResultOf<O>>[];
        const fresh = await performCut(() =>
          performed.all(
            missing.map((i) => operations[i] as O),
            { limit, onSettled: (one, position) => onSettled?.(one, missing[position] as number) },
          ),
        );
        for (const [position, i] of missing.entries()) settled[i] = fresh[position];
        return settled as Settled<ResultOf<O>>[];
      },
    };
    return runtime;
  };
}

/** Positions of the operations that have settled, in the order in which they did. */
function inOrder(known: readonly (JournalEntry | undefined)[]): readonly number[] {
  const ended = known.flatMap((entry, i) => (entry ? [{ i, order: entry.order }] : []));
  return ended.sort((one, other) => one.order - other.order).map(({ i }) => i);
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
