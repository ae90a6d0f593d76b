// What a server tells whoever runs it, on stderr: a line for each thing, for people or as JSON.

import {
  type Failure,
  type IncompleteChild,
  messageOf,
  noTotals,
  type Outcome,
  oneLine,
  shortCost,
  shortTokens,
  withoutKeys,
} from '@ai-agent/core';
import type { Refusal, SessionHead } from '@ai-agent/server';
import { inTime } from '../../render/figures.ts';
import { maxIncompleteLines, toIncompleteLines } from '../../render/incomplete-lines.ts';
import { toPrintable } from '../../render/printable.ts';
import type { Terminal } from '../../terminal.ts';
import type { ServeSettings } from './serve-settings.ts';

type Level = 'info' | 'error' | 'detail';

/** Plain data for a line of JSON; what people read is the sentence. */
type Fields = Readonly<Record<string, string | number | null | readonly LoggedChild[]>>;

interface LoggedChild extends Pick<IncompleteChild, 'path' | 'status'> {
  readonly problem: string | null;
}

export interface LogOptions extends Pick<ServeSettings, 'detail' | 'isJson'> {
  readonly now: () => number;
}

/** Words of others are never longer than this in a line. */
const longestWords = 200;
/** Programs that could not be started say why at length. */
const longestProblem = 2_000;

export class ServerLog {
  readonly #stderr: Terminal['stderr'];
  readonly #options: LogOptions;

  constructor({ stderr }: Pick<Terminal, 'stderr'>, options: LogOptions) {
    this.#stderr = stderr;
    this.#options = options;
  }

  /** What happens to the server itself. */
  say(sentence: string): void {
    this.#write('info', sentence, { event: 'server' });
  }

  /** What went wrong and is not a run. */
  fail(sentence: string): void {
    this.#write('error', sentence, { event: 'problem' });
  }

  /** What only who looks closely wants to know. */
  detail(sentence: string): void {
    this.#write('detail', sentence, { event: 'server' });
  }

  /** A round of a session has ended. */
  readonly ended = (head: SessionHead, outcome: Outcome | undefined, headend: string): void => {
    const failure = outcome && 'failure' in outcome ? outcome.failure : head.failure;
    const problem = problemOf(failure);
    const { usage = noTotals, incomplete = [] } = outcome ?? {};
    const tokens = usage.inputTokens + usage.outputTokens;
    const durationMs = outcome
      ? outcome.endedAt - outcome.startedAt
      : (head.endedAt ?? head.createdAt) - head.createdAt;
    const status = outcome?.status ?? head.status;
    const words = [
      headend,
      head.agent,
      status,
      ...(failure ? [`(${failure.code})`] : []),
      inTime(durationMs),
      shortTokens(usage),
      shortCost(usage),
      ...(incomplete.length > 0 ? [`incomplete=${incomplete.length}`] : []),
      ...(head.owner === null ? [] : [`key=${head.owner}`]),
      `session=${head.id}`,
      ...problem,
    ];
    const level = status === 'failed' ? 'error' : 'info';
    this.#write(level, words.join(' '), {
      event: 'run',
      headend,
      agent: head.agent,
      status,
      code: failure?.code ?? null,
      problem: problem[0] ?? null,
      durationMs,
      tokens,
      unknownUsageCalls: usage.unknownUsageCalls,
      costUsd: usage.unknownCostCalls > 0 ? null : usage.costUsd,
      incompleteCount: incomplete.length,
      incomplete: incomplete.slice(0, maxIncompleteLines).map(toLoggedChild),
      key: head.owner,
      session: head.id,
    });
    // In JSON, `incomplete` has them.
    if (this.#options.isJson) return;
    for (const line of incompleteLinesOf(outcome)) this.#write(level, `session=${head.id} ${line}`, {});
  };

  /** Turned away before anything ran. What the address asks is nobody's business here. */
  readonly refused = ({ method, path, status, code, key }: Refusal): void => {
    const place = cut(path);
    const words = [cut(method), place, status, ...(code === undefined ? [] : [code])];
    this.#write('detail', [...words, ...(key === null ? [] : [`key=${key}`])].join(' '), {
      event: 'refused',
      method: cut(method),
      path: place,
      status,
      code: code ?? null,
      key,
    });
  };

  /** With where it happened: it is our mistake. */
  readonly bug = (error: unknown): void => {
    const stack = error instanceof Error ? (error.stack ?? error.message) : messageOf(error);
    const told = withoutKeys(toPrintable(stack));
    if (this.#options.isJson) this.#write('error', messageOf(error), { event: 'bug', stack: told });
    else this.#line(`${this.#time()} A defect of ours: ${told}`);
  };

  #write(level: Level, sentence: string, fields: Fields): void {
    const { detail, isJson } = this.#options;
    if ((level === 'detail' && detail !== 'all') || (level === 'info' && detail === 'errors')) return;
    const said = withoutKeys(oneLine(toPrintable(sentence)));
    const time = this.#time();
    this.#line(isJson ? JSON.stringify({ time, level, message: said, ...fields }) : `${time} ${said}`);
  }

  #time(): string {
    return new Date(this.#options.now()).toISOString();
  }

  #line(text: string): void {
    this.#stderr.write(`${text}\n`);
  }
}

/** The whole of it, as clients are not told it; what was wrong with a request may quote the request, and is theirs. */
function problemOf(failure: Failure | undefined): readonly string[] {
  if (!failure || failure.class === 'usage' || failure.class === 'cancelled') return [];
  return [cut(withoutKeys(failure.message), longestProblem)];
}

function toLoggedChild({ path, status, failure }: IncompleteChild): LoggedChild {
  const [problem = null] = problemOf(failure);
  return { path, status, problem };
}

function incompleteLinesOf(outcome: Outcome | undefined): readonly string[] {
  if (!outcome) return [];
  return toIncompleteLines({ ...outcome, incomplete: outcome.incomplete.map(withoutRequest) }, '');
}

/** The title of a child, and the message of a failure of class usage, may quote the request. */
function withoutRequest({ failure, ...child }: IncompleteChild): IncompleteChild {
  const logged = failure && problemOf(failure).length > 0 ? failure : undefined;
  return {
    ...child,
    title: null,
    ...(logged ? { failure: { ...logged, message: withoutKeys(logged.message) } } : {}),
  };
}

function cut(text: string, longest = longestWords): string {
  const plain = oneLine(toPrintable(text));
  return plain.length <= longest ? plain : `${plain.slice(0, longest)}…`;
}
