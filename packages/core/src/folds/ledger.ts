// Usage and cost of every request and tool call, folded from facts: each counts once, summed by session, path and agent.

import type { FailureClass } from '../errors.ts';
import type { AgentEvent, ModelEnd, ModelStart, SessionEnd, SessionStart, ToolEnd, ToolStart } from '../events.ts';
import { isCutOff, totalsOfRequest } from '../model-requests.ts';
import { isBelow, type PartnerRole, selfAndAncestors } from '../place.ts';
import { utf8Bytes } from '../text.ts';
import { latencyOf } from '../tool-result.ts';
import { addTotals, noTotals, type Totals, toolCallTotals } from '../totals.ts';
import type { Trace } from '../trace.ts';
import type { Usage } from '../usage.ts';
import { labelSessions, type SessionLabels } from './agent-labels.ts';
import { type IsNews, onlyNews } from './news.ts';

export interface Ledger {
  /** Every request to a provider, failed ones included, and every tool call, in the order in which they began. */
  readonly entries: readonly LedgerEntry[];
  readonly total: Totals;
  /** What each session used itself, and with everything below it. */
  readonly bySession: Readonly<Record<string, SessionTotals>>;
  /** Keyed by the labels of the agents from the root: `lead:researcher`. */
  readonly byPath: Readonly<Record<string, Totals>>;
  /** Keyed by the label of the agent, all its instances together: its name, or `f1/kid` where two agents are called kid. */
  readonly byName: Readonly<Record<string, Totals>>;
}

export interface SessionTotals {
  readonly instanceName: string;
  /** The row of its agent in `byName`. */
  readonly agent: string;
  /** Its row in `byPath`. */
  readonly callPath: string;
  /** What its agent is to the one that called, when it works on the same request. */
  readonly partner?: PartnerRole;
  readonly own: Totals;
  readonly subtree: Totals;
}

export type LedgerEntry = ModelEntry | ToolEntry;

interface EntryFields {
  readonly trace: Trace;
  /** What the agent of its session is to the one that called, when it works on the same request. */
  readonly partner?: PartnerRole;
  readonly op: string;
  readonly startedAt: number;
  readonly latencyMs: number;
  readonly failureClass?: FailureClass;
}

export interface ModelEntry extends EntryFields {
  readonly type: 'model';
  /** `refused`: no request was sent, because of a budget or a rate limit. */
  readonly status: 'ok' | 'failed' | 'refused' | 'cancelled';
  readonly provider: string;
  readonly model: string;
  readonly usage?: Usage;
  readonly costUsd?: number;
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
  /** The id of the batch it came in. */
  readonly batch?: string;
  /** Whether an earlier answer was given again, and nothing was done. */
  readonly isCached?: boolean;
}

/** Adds facts one by one; `ledger()` sums up what there is so far. */
export class LedgerFold {
  readonly #isNews: IsNews;
  readonly #entries: LedgerEntry[] = [];
  readonly #starts = new Map<string, Pick<SessionStart, 'trace' | 'agentPath'>>();
  /** Sessions that work on the request of their caller. */
  readonly #partners = new Map<string, PartnerRole>();
  /** Calls that began and have not ended, by session. Lists, because most sessions wait for one call or a few. */
  readonly #open = new Map<string, readonly LedgerEntry[]>();
  /** Calls whose end nobody waits for any more. */
  #lost: readonly LedgerEntry[] = none;

  constructor(isNews = onlyNews()) {
    this.#isNews = isNews;
  }

  add(event: AgentEvent): void {
    if (event.kind !== 'fact' || !this.#isNews(event)) return;
    const { selfId } = event.trace;
    if (event.type === 'session-start') this.#start(event);
    if (event.type === 'model-start') this.#begin(selfId, toOpenModel(event));
    if (event.type === 'tool-start') this.#begin(selfId, toOpenTool(event));
    if (event.type === 'model-end') this.#end(selfId, event.op, toModelEntries(event));
    if (event.type === 'tool-end') this.#end(selfId, event.op, [toToolEntry(event)]);
    if (event.type === 'session-end') this.#close(event);
  }

  /** The whole ledger, or the part below one session. */
  ledger(below?: string): Ledger {
    const [byPath, byName, own] = [new Map<string, Totals>(), new Map<string, Totals>(), new Map<string, Totals>()];
    const entries = [...this.#entries, ...this.#lost]
      .filter(({ trace }) => below === undefined || isBelow(trace.selfId, below))
      .sort(byStart);
    const labels = labelSessions(this.#starts.values());
    let total = noTotals;
    for (const entry of entries) {
      const sums = totalsOf(entry);
      const { agentName, callPath, selfId } = entry.trace;
      const labelled = labels.get(selfId) ?? { agent: agentName, callPath };
      total = addTotals(total, sums);
      addTo(byPath, labelled.callPath, sums);
      addTo(byName, labelled.agent, sums);
      addTo(own, entry.trace.selfId, sums);
    }
    const bySession = this.#sumSessions(own, labels, below);
    return { entries, total, bySession, byPath: Object.fromEntries(byPath), byName: Object.fromEntries(byName) };
  }

  /** What a session and everything below it used until then; calls under way count as cut off there. */
  usageOf(id: string, at: number): Totals {
    const open = [...this.#open.values()].flatMap((calls) => calls.map((entry) => cutOff(entry, at)));
    return [...this.#entries, ...this.#lost, ...open]
      .filter(({ trace }) => isBelow(trace.selfId, id))
      .reduce((sum, entry) => addTotals(sum, totalsOf(entry)), noTotals);
  }

  /** Calls that began and have not ended: beside the ledger, which has them when they end. */
  get underWay(): Pick<Totals, 'modelCalls' | 'toolCalls'> {
    const open = [...this.#open.values()].flat();
    const modelCalls = open.filter(({ type }) => type === 'model').length;
    return { modelCalls, toolCalls: open.length - modelCalls };
  }

  /** Calls under way never end: they were made, and what they used and how long they took is unknown. One that ends all the same counts once. */
  cutOff(): void {
    this.#lost = [...this.#lost, ...[...this.#open.values()].flat()];
    this.#open.clear();
  }

  #start({ trace, agentPath, partner }: SessionStart): void {
    this.#starts.set(trace.selfId, { trace, ...(agentPath === undefined ? {} : { agentPath }) });
    if (partner) this.#partners.set(trace.selfId, partner);
  }

  #begin(session: string, entry: LedgerEntry): void {
    this.#open.set(session, this.#openBeside(session, entry).concat(this.#withPartner(entry)));
  }

  #end(session: string, op: string, entries: readonly LedgerEntry[]): void {
    if (this.#lost.length > 0)
      this.#lost = this.#lost.filter((lost) => lost.trace.selfId !== session || lost.op !== op);
    this.#open.set(session, this.#openBeside(session, { op }));
    for (const entry of entries) this.#entries.push(this.#withPartner(entry));
  }

  #withPartner(entry: LedgerEntry): LedgerEntry {
    const partner = this.#partners.get(entry.trace.selfId);
    return partner ? { ...entry, partner } : entry;
  }

  #openBeside(session: string, entry: Pick<LedgerEntry, 'op'>): readonly LedgerEntry[] {
    return this.#open.get(session)?.filter(({ op }) => op !== entry.op) ?? none;
  }

  /** A call that a cancellation cut off was made all the same: it counts, and what it used is unknown. */
  #close({ trace, endedAt }: SessionEnd): void {
    for (const entry of this.#open.get(trace.selfId) ?? []) this.#entries.push(cutOff(entry, endedAt));
    this.#open.delete(trace.selfId);
  }

  #sumSessions(
    own: ReadonlyMap<string, Totals>,
    labels: ReadonlyMap<string, SessionLabels>,
    below: string | undefined,
  ): Record<string, SessionTotals> {
    const subtree = new Map<string, Totals>();
    for (const [id, totals] of own) for (const at of selfAndAncestors(id)) addTo(subtree, at, totals);
    const ids = [...labels].filter(([id]) => below === undefined || isBelow(id, below));
    const sums = ids.map(([id, labelled]) => {
      const totals = { own: own.get(id) ?? noTotals, subtree: subtree.get(id) ?? noTotals };
      const partner = this.#partners.get(id);
      const instanceName = this.#starts.get(id)?.trace.instanceName ?? '';
      return [id, { instanceName, ...labelled, ...(partner ? { partner } : {}), ...totals }] as const;
    });
    return Object.fromEntries(sums);
  }
}

/** Where all of it is over, a call without an end counts as cut off: its process was gone before it could say more. */
export function ledgerOf(events: Iterable<AgentEvent>, { isOver = false }: { readonly isOver?: boolean } = {}): Ledger {
  const fold = new LedgerFold();
  for (const event of events) fold.add(event);
  if (isOver) fold.cutOff();
  return fold.ledger();
}

const none: readonly LedgerEntry[] = [];

function addTo(sums: Map<string, Totals>, key: string, totals: Totals): void {
  sums.set(key, addTotals(sums.get(key) ?? noTotals, totals));
}

/** Until it ends, a call stands as what it would be if it never did. */
function toOpenModel({ trace, op, at, provider, model }: ModelStart): ModelEntry {
  return {
    type: 'model',
    trace,
    op,
    startedAt: at,
    latencyMs: 0,
    status: 'cancelled',
    failureClass: 'cancelled',
    provider,
    model,
  };
}

function toOpenTool({ trace, op, at, namespace, label, call, batch }: ToolStart): ToolEntry {
  const fields = { trace, op, startedAt: at, latencyMs: 0, status: 'cancelled', failureClass: 'cancelled' } as const;
  const sizes = { bytesIn: utf8Bytes(call.input), bytesOut: 0 };
  return { type: 'tool', ...fields, namespace, tool: label, ...sizes, ...(batch === undefined ? {} : { batch }) };
}

function cutOff(entry: LedgerEntry, at: number): LedgerEntry {
  return { ...entry, latencyMs: Math.max(0, at - entry.startedAt) };
}

function toModelEntries(end: ModelEnd): readonly ModelEntry[] {
  const { trace, op, requests } = end;
  return requests.map(({ status, startedAt, endedAt, provider, model, usage, costUsd, failure }) => ({
    type: 'model',
    status,
    trace,
    op,
    startedAt,
    latencyMs: endedAt - startedAt,
    provider,
    model,
    usage,
    ...(costUsd === undefined ? {} : { costUsd }),
    ...(failure ? { failureClass: failure.class } : {}),
  }));
}

function toToolEntry(end: ToolEnd): ToolEntry {
  const { trace, op, startedAt, namespace, label, bytesIn, bytesOut, result, batch } = end;
  return {
    type: 'tool',
    status: isCutOff(result.failure) ? 'cancelled' : result.status,
    trace,
    op,
    startedAt,
    latencyMs: latencyOf(end),
    namespace,
    tool: label,
    bytesIn,
    bytesOut,
    ...(result.failure ? { failureClass: result.failure.class } : {}),
    ...(result.session ? { sessionId: result.session.id } : {}),
    ...(result.isCached ? { isCached: true } : {}),
    ...(batch === undefined ? {} : { batch }),
  };
}

function totalsOf(entry: LedgerEntry): Totals {
  const { latencyMs, status } = entry;
  const failed = status !== 'ok';
  if (entry.type === 'tool') return toolCallTotals({ latencyMs, failed });
  return totalsOfRequest(entry);
}

const numeric = new Intl.Collator('en', { numeric: true });

/** A replay may emit facts of several sessions in another order: entries have an order of their own. */
function byStart(one: LedgerEntry, other: LedgerEntry): number {
  return (
    one.startedAt - other.startedAt ||
    numeric.compare(one.trace.selfId, other.trace.selfId) ||
    numeric.compare(one.op, other.op)
  );
}
