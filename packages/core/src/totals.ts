// Sums of usage. A figure that the provider did not report is counted as unknown, never as zero.

import type { Usage } from './usage.ts';

export interface Totals {
  /** Requests to providers; a failed attempt counts like an answered one. */
  readonly modelCalls: number;
  readonly toolCalls: number;
  readonly failedCalls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly reasoningTokens: number;
  readonly costUsd: number;
  /** Requests whose tokens are not known, or only a part of them: the token sums are too low by these. */
  readonly unknownUsageCalls: number;
  /** Requests of which the cost is not known, or only a part of it: the money is too low by these. */
  readonly unknownCostCalls: number;
  /** Time spent in model calls and in tool calls, added up; parallel work counts each. */
  readonly modelMs: number;
  readonly toolMs: number;
}

export const noTotals: Totals = {
  modelCalls: 0,
  toolCalls: 0,
  failedCalls: 0,
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  costUsd: 0,
  unknownUsageCalls: 0,
  unknownCostCalls: 0,
  modelMs: 0,
  toolMs: 0,
};

/** Written out: it is done for every call, and a loop over names takes several times as long. */
export function addTotals(a: Totals, b: Totals): Totals {
  return {
    modelCalls: a.modelCalls + b.modelCalls,
    toolCalls: a.toolCalls + b.toolCalls,
    failedCalls: a.failedCalls + b.failedCalls,
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
    reasoningTokens: a.reasoningTokens + b.reasoningTokens,
    costUsd: a.costUsd + b.costUsd,
    unknownUsageCalls: a.unknownUsageCalls + b.unknownUsageCalls,
    unknownCostCalls: a.unknownCostCalls + b.unknownCostCalls,
    modelMs: a.modelMs + b.modelMs,
    toolMs: a.toolMs + b.toolMs,
  };
}

export interface CallFigures {
  readonly latencyMs: number;
  readonly failed: boolean;
}

interface RequestFigures extends CallFigures {
  readonly usage?: Usage | undefined;
  readonly costUsd?: number | undefined;
}

/** Totals of one request to a provider. */
export function modelCallTotals(call: RequestFigures): Totals {
  const usage = call.usage ?? {};
  return {
    ...noTotals,
    modelCalls: 1,
    failedCalls: call.failed ? 1 : 0,
    inputTokens: usage.inputTokens ?? 0,
    outputTokens: usage.outputTokens ?? 0,
    cacheReadTokens: usage.cacheReadTokens ?? 0,
    cacheWriteTokens: usage.cacheWriteTokens ?? 0,
    reasoningTokens: usage.reasoningTokens ?? 0,
    costUsd: call.costUsd ?? 0,
    unknownUsageCalls: isKnown(usage) ? 0 : 1,
    unknownCostCalls: isCostKnown(call) ? 0 : 1,
    modelMs: call.latencyMs,
  };
}

/** A failed request has the cost of the usage that it reported, which may be a part of it. */
function isCostKnown({ costUsd, failed, usage = {} }: RequestFigures): boolean {
  return costUsd !== undefined && (!failed || isKnown(usage));
}

export function isKnown({ inputTokens, outputTokens }: Usage): boolean {
  return inputTokens !== undefined && outputTokens !== undefined;
}

export function toolCallTotals(call: CallFigures): Totals {
  return { ...noTotals, toolCalls: 1, failedCalls: call.failed ? 1 : 0, toolMs: call.latencyMs };
}
