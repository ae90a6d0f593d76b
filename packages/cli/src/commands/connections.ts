// What agents have to reach outside, asked before they run: each connection, and what is wrong with it.

import { type NamedModel, type NamedTools, type Place, type Problem, Problems } from '@ai-agent/agents';
import { type Failure, oneLine, withoutKeys } from '@ai-agent/core';
import type { ProbedModel } from '@ai-agent/models';
import { reachModels } from '../assemble.ts';
import { systemClock } from '../platform.ts';
import { toPrintable } from '../render/printable.ts';
import type { Terminal } from '../terminal.ts';
import { showWaiting } from './show-waiting.ts';
import { type AskedTools, type Asking, askTools } from './tool-connections.ts';
import { ofServer } from './unfit-patterns.ts';

/** What was asked is told by its kind. */
export type Connection = ModelConnection | ToolConnection;

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

export interface ToolConnection extends ConnectionFields, Omit<AskedTools, 'failure' | 'offered'> {}

export interface Asked {
  readonly connections: readonly Connection[];
  /** At the places where somebody named what was asked. */
  readonly problems: readonly Problem[];
}

export interface Outside extends Omit<Asking, 'now'> {
  readonly models: readonly NamedModel[];
  readonly tools: readonly NamedTools[];
}

/** While it asks, a terminal says whom. */
export async function askConnections({ models, tools, ...asking }: Outside, terminal: Terminal): Promise<Asked> {
  const names = new Set([...models.map(({ provider }) => provider), ...tools.map(({ name }) => name)]);
  const whom = names.size === 0 ? '' : `asking ${[...names].join(', ')}…`;
  const [probed, asked] = await showWaiting(
    () => whom,
    terminal,
    () => Promise.all([reachModels(models), askTools(tools, { ...asking, now: systemClock.monotonicMs })]),
  );
  const { connections, problems } = toAsked([
    ...models.map((named, i) => ofModel(named, probed[i] as ProbedModel)),
    ...tools.map((named, i) => ofTools(named, asked[i] as AskedTools)),
  ]);
  const lacks = tools.flatMap((named, i) => lacksOf(named, asked[i] as AskedTools));
  return { connections, problems: withoutRepeats([...problems, ...lacks]) };
}

/** What somebody names, and one that answered does not have. */
function lacksOf(named: NamedTools, { offered }: AskedTools): readonly Problem[] {
  if (!offered) return [];
  const { section, name, config, place, setUpPlace } = named;
  const problems = new Problems();
  const code = 'tool-not-configured';
  const there = new Set(offered.flat().map((one) => one.toLowerCase()));
  const missing = named.named.filter((one) => !there.has(one.toLowerCase()));
  if (missing.length > 0)
    problems.error(code, place, `${section}.${name} offers no ${missing.join(', ')}, which the agent names in tools`);
  else if (offered.length > 0 && !offered.some(named.isWanted))
    problems.warn(code, place, `no tool of ${section}.${name} fits what the agent names in tools`);
  for (const { message } of ofServer({ section, name, config, offered })) {
    const [key = '', ...words] = message.split(': ');
    problems.warn(code, { ...setUpPlace, key }, words.join(': '));
  }
  return problems.all;
}

/** A connection, and where it was named. */
interface Told {
  readonly connection: Connection;
  readonly place: Place;
  /** Before the words of its problem. @default nothing */
  readonly before?: string;
}

function toAsked(told: readonly Told[]): Asked {
  const problems = new Problems();
  for (const { connection, place, before = '' } of told) {
    const { problem, status } = connection;
    if (!problem) continue;
    const { code, message, remedy } = problem;
    problems.add(status === 'failed' ? 'error' : 'warning', { code, place, message: `${before}${message}`, remedy });
  }
  const connections = told.map(({ connection }) => connection);
  return { connections: withoutRepeats(connections), problems: withoutRepeats(problems.all) };
}

function ofModel({ provider, model, place, isFallback }: NamedModel, { status, ms, failure }: ProbedModel): Told {
  const problem = failure ? { problem: toProblem(failure) } : {};
  const connection = { kind: 'model', provider, model, status, ms, ...problem } as const;
  return { connection, place, before: isFallback ? 'a fallback, ' : '' };
}

function ofTools({ place }: NamedTools, { failure, offered: _, ...asked }: AskedTools): Told {
  const problem = failure ? { problem: toProblem(failure) } : {};
  return { connection: { ...asked, status: failure ? 'failed' : 'ok', ...problem }, place };
}

/** It came over the network, and is printed on one line. */
export function toProblem({ class: itsClass, code, message, remedy }: Failure): NonNullable<Connection['problem']> {
  const inLine = (text: string) => oneLine(withoutKeys(toPrintable(text)));
  return { class: itsClass, code, message: inLine(message), remedy: inLine(remedy) };
}

/** Several agents may name the same. What took a little longer is still the same. */
function withoutRepeats<T extends object>(list: readonly T[]): readonly T[] {
  return [...new Map(list.map((one) => [JSON.stringify({ ...one, ms: undefined }), one])).values()];
}
