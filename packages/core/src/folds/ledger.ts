// What every call used and cost, folded from facts: each call once, summed by session, by path and by name.

import type { FailureClass } from '../errors.ts';
import type { AgentEvent, ModelEnd, SessionEnd, ToolEnd, Trace } from '../events.ts';
import type { Usage } from '../model.ts';
import { isBelow, selfAndAncestors } from '../operation.ts';
import { addTotals, modelCallTotals, noTotals, type Totals, toolCallTotals } from '../totals.ts';

export interface Ledger {
  readonly entries: readonly LedgerEntry[];
  readonly total: Totals;
  /** What each session used itself, and with everything below it. */
  readonly bySession: Readonly<Record<string, SessionTotals>>;
  /** By agent names from the root: `lead:researcher`. */
  readonly byPath: Readonly<Record<string, Totals>>;
  /** By agent name, wherever in the tree and however many instances. */
  readonly byName: Readonly<Record<string, Totals>>;
}

export interface SessionTotals {
  readonly instanceName: string;
  readonly callPath: string;
  readonly own: Totals;
  readonly subtree: Totals;
}

export type LedgerEntry = ModelEntry | ToolEntry;

interface EntryFields {
  readonly trace: Trace;
  readonly op: string;
  readonly startedAt: number;
  readonly latencyMs: number;
  readonly failureClass?: FailureClass;
}

export interface ModelEntry extends EntryFields {
  readonly type: 'model';
  readonly status: 'ok' | 'failed' | 'cancelled';
  readonly provider: string;
  readonly model: string;
  readonly usage?: Usage;
  readonly costUsd?: number;
  /** Requests that failed before this one. */
  readonly failedAttempts: number;
}

export interface ToolEntry extends EntryFields {
  readonly type: 'tool';
  readonly status: 'ok' | 'failed' | 'refused' | 'cancelled';
  readonly namespace: string;
  readonly tool: string;
  readonly bytesIn: number;
  readonly bytesOut: number;
  /** The session that did the work, when one did. */
  readonly sessionId?: string;
}

/** Adds facts one by one; `ledger()` sums up what there is so far. */
export class LedgerFold {
  readonly #entries: LedgerEntry[] = [];
  readonly #traces = new Map<string, Trace>();
  /** Calls that began and have not ended, by session and operation. */
  readonly #open = new Map<string, Map<string, LedgerEntry>>();

  add(event: AgentEvent): void {
    if (event.kind !== 'fact') return;
    const { selfId } = event.trace;
    if (event.type === 'session-start') this.#traces.set(selfId, event.trace);
    if (event.type === 'model-start')
      this.#begin(selfId, {
        ...cancelledFields(event),
        type: 'model',
        provider: event.provider,
        model: event.model,
        failedAttempts: 0,
      });
    if (event.type === 'tool-start')
      this.#begin(selfId, {
        ...cancelledFields(event),
        type: 'tool',
        namespace: event.namespace,
        tool: event.label,
        bytesIn: 0,
        bytesOut: 0,
      });
    if (event.type === 'model-end') this.#end(selfId, toModelEntry(event));
    if (event.type === 'tool-end') this.#end(selfId, toToolEntry(event));
    if (event.type === 'session-end') this.#close(event);
  }

  /** The whole ledger, or the part below one session. */
  ledger(below?: string): Ledger {
    const byPath: Record<string, Totals> = {};
    const byName: Record<string, Totals> = {};
    const own: Record<string, Totals> = {};
    let total = noTotals;
    const entries = this.#entries.filter(({ trace }) => below === undefined || isBelow(trace.selfId, below));
    for (const entry of entries) {
      const sums = totalsOf(entry);
      const { callPath, agentName, selfId } = entry.trace;
      total = addTotals(total, sums);
      byPath[callPath] = addTotals(byPath[callPath] ?? noTotals, sums);
      byName[agentName] = addTotals(byName[agentName] ?? noTotals, sums);
      own[selfId] = addTotals(own[selfId] ?? noTotals, sums);
    }
    return { entries, total, bySession: this.#sumSessions(own, below), byPath, byName };
  }

  /** What a session and everything below it used so far, calls under way included. */
  usageOf(id: string): Totals {
    const open = [...this.#open.values()].flatMap((calls) => [...calls.values()]);
    return [...this.#entries, ...open]
      .filter(({ trace }) => isBelow(trace.selfId, id))
      .reduce((sum, entry) => addTotals(sum, totalsOf(entry)), noTotals);
  }

  #begin(session: string, entry: LedgerEntry): void {
    const open = this.#open.get(session) ?? new Map<string, LedgerEntry>();
    this.#open.set(session, open.set(entry.op, entry));
  }

  #end(session: string, entry: LedgerEntry): void {
    this.#open.get(session)?.delete(entry.op);
    this.#entries.push(entry);
  }

  /** A call that a cancellation cut off was made all the same: it counts, and what it used is unknown. */
  #close(end: SessionEnd): void {
    for (const entry of this.#open.get(end.trace.selfId)?.values() ?? []) {
      this.#entries.push({ ...entry, latencyMs: Math.max(0, end.endedAt - entry.startedAt) });
    }
    this.#open.delete(end.trace.selfId);
  }

  #sumSessions(own: Record<string, Totals>, below: string | undefined): Record<string, SessionTotals> {
    const sums: Record<string, SessionTotals> = {};
    for (const [id, { instanceName, callPath }] of this.#traces) {
      if (below !== undefined && !isBelow(id, below)) continue;
      sums[id] = { instanceName, callPath, own: own[id] ?? noTotals, subtree: noTotals };
    }
    for (const [id, totals] of Object.entries(own)) {
      for (const at of selfAndAncestors(id)) {
        const sum = sums[at];
        if (sum) sums[at] = { ...sum, subtree: addTotals(sum.subtree, totals) };
      }
    }
    return sums;
  }
}

export function ledgerOf(events: Iterable<AgentEvent>): Ledger {
  const fold = new LedgerFold();
  for (const event of events) fold.add(event);
  return fold.ledger();
}

function cancelledFields(event: { readonly trace: Trace; readonly op: string; readonly at: number }) {
  return {
    trace: event.trace,
    op: event.op,
    startedAt: event.at,
    latencyMs: 0,
    status: 'cancelled',
    failureClass: 'cancelled',
  } as const;
}

function toModelEntry({
  trace,
  op,
  startedAt,
  endedAt,
  provider,
  model,
  reply,
  failure,
  attempts,
}: ModelEnd): ModelEntry {
  return {
    type: 'model',
    status: reply ? 'ok' : 'failed',
    trace,
    op,
    startedAt,
    latencyMs: endedAt - startedAt,
    provider,
    model,
    failedAttempts: attempts.length,
    ...(reply ? { usage: reply.usage } : {}),
    ...(reply?.costUsd === undefined ? {} : { costUsd: reply.costUsd }),
    ...(failure ? { failureClass: failure.class } : {}),
  };
}

function toToolEntry({
  trace,
  op,
  startedAt,
  endedAt,
  namespace,
  label,
  bytesIn,
  bytesOut,
  result,
}: ToolEnd): ToolEntry {
  return {
    type: 'tool',
    status: result.status,
    trace,
    op,
    startedAt,
    latencyMs: endedAt - startedAt,
    namespace,
    tool: label,
    bytesIn,
    bytesOut,
    ...(result.failure ? { failureClass: result.failure.class } : {}),
    ...(result.session ? { sessionId: result.session.id } : {}),
  };
}

function totalsOf(entry: LedgerEntry): Totals {
  const failed = entry.status !== 'ok';
  if (entry.type === 'tool') return toolCallTotals({ latencyMs: entry.latencyMs, failed });
  return modelCallTotals({ latencyMs: entry.latencyMs, failed, usage: entry.usage, costUsd: entry.costUsd });
}
