// What agents have to reach outside, asked before they run: each connection, and what is wrong with it.

import { type NamedModel, type Problem, Problems } from '@ai-agent/agents';
import { type Failure, oneLine, withoutKeys } from '@ai-agent/core';
import type { ProbedModel } from '@ai-agent/models';
import { reachModels } from '../assemble.ts';
import { cut } from '../render/piece.ts';
import { toPrintable } from '../render/printable.ts';
import { sizeOf } from '../render/screen.ts';
import type { Terminal } from '../terminal.ts';

/** What was asked is told by its kind. */
export type Connection = ModelConnection;

interface ConnectionFields {
  readonly status: 'ok' | 'failed' | 'unknown';
  readonly ms: number;
  /** Why it is not ok. */
  readonly problem?: Pick<Failure, 'class' | 'code' | 'message' | 'remedy'>;
}

export interface ModelConnection extends ConnectionFields {
  readonly kind: 'model';
  readonly provider: string;
  readonly model: string;
}

export interface Asked {
  readonly connections: readonly Connection[];
  /** At the places where somebody named what was asked. */
  readonly problems: readonly Problem[];
}

/** While it asks, a terminal says whom. */
export async function askConnections(models: readonly NamedModel[], { stderr }: Terminal): Promise<Asked> {
  const isWatched = stderr.isTTY === true && models.length > 0;
  if (isWatched) stderr.write(toProgress(models, sizeOf(stderr).columns));
  try {
    return toAsked(models, await reachModels(models));
  } finally {
    if (isWatched) stderr.write('\r\x1b[2K');
  }
}

/** One line, whatever the names are: more than a line could not be cleared. */
function toProgress(models: readonly NamedModel[], columns: number): string {
  const names = [...new Set(models.map(({ provider }) => provider))].join(', ');
  return cut(oneLine(toPrintable(`asking ${names}…`)), columns - 1);
}

function toAsked(models: readonly NamedModel[], probed: readonly ProbedModel[]): Asked {
  const problems = new Problems();
  const connections = models.map((named, i) => toConnection(named, probed[i] as ProbedModel));
  for (const [i, { problem, status }] of connections.entries()) {
    const { place, isFallback } = models[i] as NamedModel;
    if (!problem) continue;
    const { code, message, remedy } = problem;
    const told = isFallback ? `a fallback, ${message}` : message;
    problems.add(status === 'failed' ? 'error' : 'warning', { code, place, message: told, remedy });
  }
  return { connections: withoutRepeats(connections), problems: withoutRepeats(problems.all) };
}

function toConnection({ provider, model }: NamedModel, { status, ms, failure }: ProbedModel): ModelConnection {
  return { kind: 'model', provider, model, status, ms, ...(failure ? { problem: toProblem(failure) } : {}) };
}

/** It came over the network, and is printed on one line. */
function toProblem({ class: itsClass, code, message, remedy }: Failure): NonNullable<ModelConnection['problem']> {
  const inLine = (text: string) => oneLine(withoutKeys(toPrintable(text)));
  return { class: itsClass, code, message: inLine(message), remedy: inLine(remedy) };
}

/** Several agents may name the same. What took a little longer is still the same. */
function withoutRepeats<T extends object>(list: readonly T[]): readonly T[] {
  return [...new Map(list.map((one) => [JSON.stringify({ ...one, ms: undefined }), one])).values()];
}
