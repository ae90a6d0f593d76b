// A run as lines of text, for logs and pipes: who, the run's id, where, what. No colours.

import { type AgentEvent, type LogRecord, toLogLine, toLogRecord } from '@ai-agent/core';
import { inTime } from './figures.ts';

type ModelWait = Extract<AgentEvent, { type: 'model-wait' }>;

/** `errors`: only agents below that failed or never began, of which the root's outcome may say nothing. */
export type Detail = 'errors' | 'usual' | 'all';

/** The line of an event, when it is told at this level of detail. */
export function toPlainLine(event: AgentEvent, detail: Detail): string | undefined {
  if (event.type === 'model-wait' && isWorthALine(event, detail))
    return toLogLine({ ...event.trace, level: 'warn', message: inWords(event) });
  if (event.type === 'tool-progress' && detail === 'all')
    return toLogLine({ ...event.trace, level: 'debug', message: `tool ${event.trace.toolName}: ${event.text}` });
  if (event.type === 'task-status' && detail !== 'errors')
    return toLogLine({ ...event.trace, level: 'info', message: inStatus(event) });
  if (event.kind !== 'fact') return undefined;
  const record = toLogRecord(event);
  return isTold(record, detail) || isRefusedAdvisor(event) ? toLogLine(record) : undefined;
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
