// A run as lines of text, for logs and pipes: who, the run's id, where, what. No colours.

import { type AgentEvent, type Fact, type LogRecord, toLogLine, toLogRecord } from '@ai-agent/core';
import { inTime } from './figures.ts';
import { countNames } from './tool-names.ts';

type ModelWait = Extract<AgentEvent, { type: 'model-wait' }>;
type ToolProgress = Extract<AgentEvent, { type: 'tool-progress' }>;

/** `errors`: only agents below that failed or never began, of which the root's outcome may say nothing. */
export type Detail = 'errors' | 'usual' | 'all';

/** Turns the events of a run into lines. The line of a session that ended names the tools it used: `search ×2, fetch`. */
export class PlainLines {
  readonly #detail: Detail;
  /** Tools of the sessions that still run, by session. */
  readonly #tools = new Map<string, string[]>();
  /** The `[i]` of tool calls that run. */
  readonly #indexes = new Map<string, string>();

  constructor(detail: Detail) {
    this.#detail = detail;
  }

  /** Undefined for an event that has no line at this level of detail. */
  toLine(event: AgentEvent): string | undefined {
    const detail = this.#detail;
    if (event.type === 'model-wait' && isWorthALine(event, detail))
      return toLogLine({ ...event.trace, level: 'warn', message: inWords(event) });
    if (event.type === 'tool-progress' && detail === 'all')
      return toLogLine({ ...event.trace, level: 'debug', message: `tool ${this.#nameOf(event)}: ${event.text}` });
    if (event.type === 'task-status' && detail !== 'errors')
      return toLogLine({ ...event.trace, level: 'info', message: inStatus(event) });
    if (event.kind !== 'fact') return undefined;
    if (event.type === 'tool-start') this.#indexes.set(keyOf(event), event.instance.slice(event.label.length));
    if (event.type === 'tool-end') this.#indexes.delete(keyOf(event));
    const record = toLogRecord(event);
    const message = `${record.message}${this.#usedTools(event)}`;
    return isTold(record, detail) || isRefusedAdvisor(event) ? toLogLine({ ...record, message }) : undefined;
  }

  #nameOf(event: ToolProgress): string {
    return `${event.trace.toolName}${this.#indexes.get(keyOf(event)) ?? ''}`;
  }

  #usedTools(fact: Fact): string {
    const { selfId } = fact.trace;
    if (fact.type === 'tool-end' && fact.result.status !== 'refused') {
      const tools = this.#tools.get(selfId) ?? [];
      this.#tools.set(selfId, [...tools, fact.label]);
    }
    if (fact.type !== 'session-end') return '';
    const names = countNames(this.#tools.get(selfId) ?? []);
    this.#tools.delete(selfId);
    const hasAnswered = fact.ending.status === 'completed' || fact.ending.status === 'partial';
    return names.length > 0 && hasAnswered ? `, tools: ${names.join(', ')}` : '';
  }
}

function keyOf({ trace, op }: Pick<Fact, 'trace' | 'op'>): string {
  return `${trace.selfId} ${op}`;
}

function isTold({ level, parentId }: LogRecord, detail: Detail): boolean {
  if (detail === 'all') return true;
  return detail === 'usual' ? level !== 'debug' : level === 'error' && parentId !== null;
}

/** It never became a session that could fail, and its caller went on. Who needed a partner in vain has failed itself. */
function isRefusedAdvisor(event: AgentEvent): boolean {
  return event.type === 'tool-end' && event.namespace === 'advisor' && event.result.status === 'refused';
}

/** A run that stands still for a while is explained; a queue moves on by itself. */
function isWorthALine({ reason, waitMs = 0 }: ModelWait, detail: Detail): boolean {
  if (detail === 'all') return true;
  return detail === 'usual' && reason !== 'queue' && reason !== 'budget' && (reason === 'fallback' || waitMs >= 1_000);
}

function inWords({ provider, model, reason, waitMs, failure }: ModelWait): string {
  const when = waitMs === undefined || waitMs === 0 ? '' : ` in ${inTime(waitMs)}`;
  const how = {
    retry: 'is asked again',
    fallback: 'is asked instead',
    rate_limit: 'takes no more requests and is asked',
  };
  const what = reason === 'queue' || reason === 'budget' ? `waits: ${reason}` : `${how[reason]}${when}`;
  return `model ${provider}/${model} ${what}${failure ? `, after ${failure.class}: ${failure.message}` : ''}`;
}

function inStatus({ status, now }: Extract<AgentEvent, { type: 'task-status' }>): string {
  return now === '' ? `status ${status}` : `status ${status}: ${now}`;
}
