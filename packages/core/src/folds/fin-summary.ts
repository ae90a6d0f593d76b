// The summary at the end of a run: who called which model and which tool, how often, for how much and how long.

import { totalsOfRequest } from '../model-requests.ts';
import { type PartnerRole, toRoleSuffix } from '../place.ts';
import { noTotals, type Totals } from '../totals.ts';
import type { Ledger, LedgerEntry } from './ledger.ts';

export interface FinSummary {
  readonly total: Totals;
  readonly models: readonly FinLine[];
  readonly tools: readonly FinLine[];
  /** The same as lines of text. */
  readonly lines: readonly string[];
}

/** One agent path and one model or tool; apart for an agent that was both a sub-agent and a partner there. */
export interface FinLine {
  /** Labels of the agents from the root, as in `byPath` of the ledger. */
  readonly callPath: string;
  /** What the agent was to the one that called, when it worked on the same request. */
  readonly partner?: PartnerRole;
  /** `provider/model`, or `namespace/tool`. */
  readonly subject: string;
  readonly calls: number;
  /** Those that did not go well. */
  readonly failed: number;
  /** How many of these were cut off, because all of it was to end. */
  readonly stopped: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Requests whose tokens are not known, or only a part of them. */
  readonly unknownUsageCalls: number;
  readonly costUsd: number;
  readonly unknownCostCalls: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly latencyMs: number;
}

export function finSummaryOf(ledger: Ledger): FinSummary {
  // What the budget refused was never called.
  const models = group(
    ledger,
    ledger.entries.filter((entry) => entry.type === 'model' && entry.status !== 'refused'),
  );
  const tools = group(
    ledger,
    ledger.entries.filter((entry) => entry.type === 'tool'),
  );
  const lines = [
    ...models.map(
      (line) =>
        `FIN model ${whoOf(line)} ${line.subject}: ${calls(line)}, ${tokenWords(line)}, ${moneyOf(line)}, ${line.latencyMs} ms`,
    ),
    ...tools.map(
      (line) =>
        `FIN tool ${whoOf(line)} ${line.subject}: ${calls(line)}, ${line.bytesIn} B in, ${line.bytesOut} B out, ${line.latencyMs} ms`,
    ),
    totalLine(ledger.total),
  ];
  return { total: ledger.total, models, tools, lines };
}

/** Money in words; `+?` marks a sum that misses calls. */
export function moneyOf({
  costUsd,
  unknownCostCalls,
}: {
  readonly costUsd: number;
  readonly unknownCostCalls: number;
}): string {
  if (unknownCostCalls === 0) return `$${costUsd.toFixed(4)}`;
  return costUsd === 0
    ? 'cost unknown'
    : `$${costUsd.toFixed(4)}+? (${count(unknownCostCalls, 'request')} of unknown cost)`;
}

function group({ bySession }: Ledger, entries: readonly LedgerEntry[]): readonly FinLine[] {
  const lines = new Map<string, FinLine>();
  for (const entry of entries) {
    const { partner, trace } = entry;
    const { callPath } = bySession[trace.selfId] ?? trace;
    const subject =
      entry.type === 'model'
        ? `${entry.provider}/${entry.model}`
        : [entry.namespace, entry.tool].filter(Boolean).join('/');
    const key = `${callPath}${toRoleSuffix(partner)} ${subject}`;
    const before = lines.get(key) ?? { ...emptyLine(callPath, subject), ...(partner ? { partner } : {}) };
    lines.set(key, addEntry(before, entry));
  }
  return [...lines.values()];
}

function emptyLine(callPath: string, subject: string): FinLine {
  const figures = {
    calls: 0,
    failed: 0,
    stopped: 0,
    inputTokens: 0,
    outputTokens: 0,
    unknownUsageCalls: 0,
    costUsd: 0,
    unknownCostCalls: 0,
    bytesIn: 0,
    bytesOut: 0,
    latencyMs: 0,
  };
  return { callPath, subject, ...figures };
}

function addEntry(line: FinLine, entry: LedgerEntry): FinLine {
  const model = entry.type === 'model' ? entry : undefined;
  const tool = entry.type === 'tool' ? entry : undefined;
  const total = model ? totalsOfRequest(model) : noTotals;
  return {
    ...line,
    calls: line.calls + 1,
    failed: line.failed + (entry.status === 'ok' ? 0 : 1),
    stopped: line.stopped + (entry.status === 'cancelled' ? 1 : 0),
    inputTokens: line.inputTokens + total.inputTokens,
    outputTokens: line.outputTokens + total.outputTokens,
    unknownUsageCalls: line.unknownUsageCalls + total.unknownUsageCalls,
    costUsd: line.costUsd + total.costUsd,
    unknownCostCalls: line.unknownCostCalls + total.unknownCostCalls,
    bytesIn: line.bytesIn + (tool?.bytesIn ?? 0),
    bytesOut: line.bytesOut + (tool?.bytesOut ?? 0),
    latencyMs: line.latencyMs + entry.latencyMs,
  };
}

function whoOf({ callPath, partner }: FinLine): string {
  return `${callPath}${toRoleSuffix(partner)}`;
}

function calls({ calls, failed, stopped }: FinLine): string {
  const ended = [
    ...(failed > stopped ? [`${failed - stopped} failed`] : []),
    ...(stopped > 0 ? [`${stopped} stopped`] : []),
  ];
  return ended.length === 0 ? count(calls) : `${count(calls)} (${ended.join(', ')})`;
}

function count(calls: number, what = 'call'): string {
  return calls === 1 ? `1 ${what}` : `${calls} ${what}s`;
}

function totalLine(total: Totals): string {
  return `FIN total: ${count(total.modelCalls, 'model call')}, ${count(total.toolCalls, 'tool call')}, ${tokenWords(total)}, ${moneyOf(total)}`;
}

/** Tokens in words; `+?` marks a sum that misses calls. */
export function tokenWords({ inputTokens, outputTokens, unknownUsageCalls }: FinLine | Totals): string {
  if (unknownUsageCalls === 0) return `${inputTokens} in + ${outputTokens} out tokens`;
  return `${inputTokens}+? in + ${outputTokens}+? out tokens (${count(unknownUsageCalls, 'request')} of unknown usage)`;
}
